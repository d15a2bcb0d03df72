// The Docker Engine API, read only: GET over a Unix socket or plain TCP. Podman's compatible socket answers the same.
//
// Paths carry no version: every engine answers those with its own. Time: 2 s to connect, 10 s in all; bodies: 16 MiB.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forensics {

enum class EngineTrouble : std::uint8_t {
  none,
  absent,       ///< no socket, or nobody listens
  denied,       ///< the socket is there, and not for us
  timed_out,
  too_large,    ///< `body` holds the beginning
  cut,          ///< the connection ended before the answer did; `body` holds the beginning
  not_http,     ///< something else answers there
  unsupported,  ///< built without it
};

struct EngineAnswer {
  int status = 0;                ///< HTTP; 0: no answer
  std::string body;
  EngineTrouble trouble = EngineTrouble::none;
  std::string why;               ///< a sentence about the trouble
  bool good() const noexcept { return trouble == EngineTrouble::none && status == 200; }
};

struct EngineLimits {
  std::chrono::milliseconds connect{2'000}, all{10'000};
  std::uint64_t body = 16 * 1024 * 1024;
};

class EngineClient {
 public:
  /// `endpoint`: unix:///path, tcp://host[:port], or a path. Throws: Error (usage) for anything else.
  explicit EngineClient(std::string endpoint, EngineLimits limits = {});

  /// Never throws for what happens on the wire.
  EngineAnswer get(std::string_view target) const;
  const std::string& endpoint() const noexcept { return endpoint_; }

 private:
  std::string endpoint_, path_, host_, port_;   // path_ of a socket, else host_ and port_
  EngineLimits limits_;
};

/// Where an engine may listen, best first: what is asked for, else DOCKER_HOST, else the usual sockets.
std::vector<std::string> engine_endpoints(const std::string& asked);

/// `text` for use inside a URL.
std::string url_encoded(std::string_view text);

/// What a container wrote, out of the frames of /containers/ID/logs: a stream byte, three zeros, a size (big endian), the
/// bytes. A container with a terminal has no frames: its answer is returned as it is.
std::string without_frames(std::string_view body);

}  // namespace forensics
