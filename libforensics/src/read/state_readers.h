// The readers of what engines and orchestrators say, for the format table.
#pragma once

#include <memory>
#include <string_view>

#include "read/reader.h"

namespace forensics {

int sniff_docker_inspect(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_docker_inspect(ByteSource& bytes, SourceContext& context);

int sniff_docker_events(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_docker_events(ByteSource& bytes, SourceContext& context);

int sniff_container_log_json(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_container_log_json(ByteSource& bytes, SourceContext& context);

int sniff_dmesg_json(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_dmesg_json(ByteSource& bytes, SourceContext& context);

int sniff_docker_ps(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_docker_ps(ByteSource& bytes, SourceContext& context);

int sniff_kubectl(std::string_view name, std::string_view head);
std::unique_ptr<Reader> open_kubectl(ByteSource& bytes, SourceContext& context);

}  // namespace forensics
