// Cgroup paths, as kernel lines and /proc/PID/cgroup print them, and whose they are.
#pragma once

#include <string>
#include <string_view>

namespace forensics {

/// Who lives in a cgroup. What the path does not tell is empty.
struct CgroupOwner {
  std::string container_id;    ///< hex, as long as the path has it (64 digits, or at least 12)
  std::string container_name;  ///< LXC, nspawn and libvirt have names instead of ids
  std::string engine;          ///< "docker", "containerd", "crio", "podman", "lxc", ...; "" for a bare 64-digit folder
  std::string pod_uid;         ///< Kubernetes, with dashes
  std::string unit;            ///< the service or scope, if it is not the container's own scope
};

/// In a nested path (Docker in Docker, kind, k3d) the last container counts. Escapes (`\x2d`, and `\x5cx2d` as
/// /dev/kmsg prints it) are undone.
CgroupOwner cgroup_owner(std::string_view path);

/// Only hexadecimal digits, at least `least` of them.
bool is_hex(std::string_view text, std::size_t least);

}  // namespace forensics
