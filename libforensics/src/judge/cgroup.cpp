// Paths are absolute from the root of the hierarchy:
//
//   /docker/<64 hex>                                                          docker, cgroupfs driver
//   /system.slice/docker-<64 hex>.scope                                       docker, systemd driver
//   /kubepods/burstable/pod<uid>/<64 hex>                                     Kubernetes, cgroupfs driver
//   /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod<uid_>.slice/cri-containerd-<64 hex>.scope
//   /machine.slice/libpod-<64 hex>.scope/container                            podman, crun
//   /system.slice/web.service/libpod-payload-<64 hex>                         podman, quadlet
//   /lxc.payload.web/system.slice/nginx.service                               LXC
#include "judge/cgroup.h"

#include <algorithm>
#include <array>

namespace forensics {

namespace {

constexpr std::size_t shortest_id = 12;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x' && hex_value(text[i + 2]) >= 0 &&
        hex_value(text[i + 3]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 2]) * 16 + hex_value(text[i + 3]));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string unescape_all(std::string_view text) {
  std::string out(text);
  // Twice at most: kmsg escapes the backslash of systemd's escape.
  for (int round = 0; round < 2 && out.find("\\x") != std::string::npos; ++round) out = unescape(out);
  return out;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

struct Prefix {
  std::string_view text, engine;
  bool monitor;  ///< conmon and the like: beside the container, not in it
};

// Longer prefixes first where one begins another.
constexpr std::array<Prefix, 11> prefixes = {{{"docker-", "docker", false},
                                              {"cri-containerd-", "containerd", false},
                                              {"nerdctl-", "containerd", false},
                                              {"crio-conmon-", "crio", true},
                                              {"crio-", "crio", false},
                                              {"libpod-conmon-", "podman", true},
                                              {"libpod-payload-", "podman", false},
                                              {"libpod-", "podman", false},
                                              {"crun-", "crun", false},
                                              {"runc-", "runc", false},
                                              {"containerd-", "containerd", false}}};

/// kubepods-burstable-pod<uid>.slice, pod<uid>
std::string pod_uid(std::string_view part) {
  take_suffix(part, ".slice");
  if (const auto dash = part.rfind("-pod"); part.starts_with("kubepods-") && dash != part.npos)
    part.remove_prefix(dash + 1);
  if (!part.starts_with("pod")) return {};
  std::string uid(part.substr(3));
  std::replace(uid.begin(), uid.end(), '_', '-');
  const bool plausible =
      uid.size() >= 32 && std::all_of(uid.begin(), uid.end(), [](char c) { return c == '-' || hex_value(c) >= 0; });
  return plausible ? uid : std::string();
}

/// True if `part` is the folder of a container (or of its monitor).
bool read_container(std::string_view part, std::string_view parent, CgroupOwner& owner) {
  std::string_view base = part;
  take_suffix(base, ".scope");
  for (const auto& prefix : prefixes) {
    if (!base.starts_with(prefix.text) || !is_hex(base.substr(prefix.text.size()), shortest_id)) continue;
    if (prefix.monitor) return true;
    owner.container_id = std::string(base.substr(prefix.text.size()));
    owner.container_name.clear();
    owner.engine = std::string(prefix.engine);
    if (prefix.text != "libpod-payload-") owner.unit.clear();
    return true;
  }
  if (base.size() == 64 && is_hex(base, 64)) {
    owner.container_id = std::string(base);
    owner.container_name.clear();
    owner.engine = parent == "docker" ? "docker" : "";
    owner.unit.clear();
    return true;
  }
  return false;
}

/// Machines and system containers have names.
bool read_machine(std::string_view part, std::string_view parent, CgroupOwner& owner) {
  std::string_view name = part, engine;
  if (name.starts_with("lxc.payload.")) {
    name.remove_prefix(12), engine = "lxc";
  } else if (parent == "lxc") {
    engine = "lxc";
  } else if (name.starts_with("systemd-nspawn@")) {
    name.remove_prefix(15), take_suffix(name, ".service"), engine = "nspawn";
  } else if (name.starts_with("machine-qemu-")) {
    name.remove_prefix(13), take_suffix(name, ".scope"), engine = "libvirt";
    if (const auto dash = name.find('-'); dash != name.npos) name.remove_prefix(dash + 1);
  }
  if (engine.empty() || name.empty()) return false;
  owner.container_id.clear();
  owner.container_name = std::string(name);
  owner.engine = std::string(engine);
  owner.unit.clear();
  return true;
}

}  // namespace

bool is_hex(std::string_view text, std::size_t least) {
  return text.size() >= least && std::all_of(text.begin(), text.end(), [](char c) { return hex_value(c) >= 0; });
}

CgroupOwner cgroup_owner(std::string_view path) {
  CgroupOwner owner;
  std::string parent;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string part = unescape_all(path.substr(0, slash));
    path = slash == path.npos ? std::string_view() : path.substr(slash + 1);
    if (part.empty()) continue;
    if (std::string uid = pod_uid(part); !uid.empty()) {
      owner.pod_uid = std::move(uid);
    } else if (!read_container(part, parent, owner) && !read_machine(part, parent, owner)) {
      // Units below a container are the container's own business.
      const bool unit = part.ends_with(".service") || part.ends_with(".scope");
      if (unit && owner.container_id.empty() && owner.container_name.empty()) owner.unit = part;
    }
    parent = part;
  }
  return owner;
}

}  // namespace forensics
