// What makes an entry trusted. Fields that start with an underscore were added by journald and cannot be set by the
// writer; all others are the writer's claim. So the identifier alone proves nothing: it must fit the executable, or
// the unit, that journald saw.
#include "read/journal_fields.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace forensics {
namespace {

struct Slot {
  std::string_view name;
  std::string JournalFields::*member;
};

constexpr std::array slots = {
    Slot{"PRIORITY", &JournalFields::priority},
    Slot{"SYSLOG_FACILITY", &JournalFields::facility},
    Slot{"SYSLOG_IDENTIFIER", &JournalFields::identifier},
    Slot{"SYSLOG_PID", &JournalFields::syslog_pid},
    Slot{"_PID", &JournalFields::pid},
    Slot{"_UID", &JournalFields::uid},
    Slot{"_COMM", &JournalFields::comm},
    Slot{"_EXE", &JournalFields::exe},
    Slot{"_SYSTEMD_UNIT", &JournalFields::systemd_unit},
    Slot{"_SYSTEMD_USER_UNIT", &JournalFields::systemd_user_unit},
    Slot{"_SYSTEMD_CGROUP", &JournalFields::cgroup},
    Slot{"_HOSTNAME", &JournalFields::hostname},
    Slot{"_BOOT_ID", &JournalFields::boot_id},
    Slot{"_TRANSPORT", &JournalFields::transport},
    Slot{"UNIT", &JournalFields::unit},
    Slot{"USER_UNIT", &JournalFields::user_unit},
    Slot{"OBJECT_SYSTEMD_UNIT", &JournalFields::object_unit},
    Slot{"OBJECT_SYSTEMD_CGROUP", &JournalFields::object_cgroup},
    Slot{"MESSAGE_ID", &JournalFields::message_id},
    Slot{"CONTAINER_ID", &JournalFields::container_id},
    Slot{"CONTAINER_ID_FULL", &JournalFields::container_id_full},
    Slot{"CONTAINER_NAME", &JournalFields::container_name},
    Slot{"IMAGE_NAME", &JournalFields::image_name},
};

/// Kept under their own names. COREDUMP_ENVIRON, _CMDLINE, _PROC_* and the core itself stay out: secrets, and size.
constexpr std::array<std::string_view, 24> kept = {
    "CONTAINER_PARTIAL_MESSAGE", "COREDUMP_CGROUP", "COREDUMP_COMM", "COREDUMP_CONTAINER_ID", "COREDUMP_EXE",
    "COREDUMP_PID", "COREDUMP_RLIMIT", "COREDUMP_SIGNAL", "COREDUMP_SIGNAL_NAME", "COREDUMP_TIMESTAMP",
    "COREDUMP_TRUNCATED", "COREDUMP_UID", "COREDUMP_UNIT", "COREDUMP_USER_UNIT", "EXIT_CODE", "EXIT_STATUS",
    "JOB_RESULT", "JOB_TYPE", "N_RESTARTS", "PODMAN_EVENT", "PODMAN_EXIT_CODE", "PODMAN_ID", "PODMAN_NAME",
    "UNIT_RESULT"};

/// Programs of the host whose own entries are a daemon's word, by identifier. A program that is not here may be any
/// service: what it says about itself is the log of an application.
constexpr std::array<std::string_view, 66> daemons = {
    "abrt-hook-ccpp", "acpid", "apcupsd", "apport", "audisp", "auditd", "balena-engine", "balenad", "chronyd",
    "conmon", "containerd", "containerd-shim", "containerd-shim-runc-v2", "cri-dockerd", "cri-o", "crio", "cron",
    "crond", "docker", "docker-proxy", "dockerd", "dockerd-current", "earlyoom", "elogind", "fcoemon", "ifplugd",
    "init", "iscsid", "k0s", "k3s", "k3s-agent", "kdump", "kubelet", "kubelite", "libvirtd", "lvm", "lxc-monitord",
    "lxcfs", "lxd", "mcelog", "mdadm", "microk8s.daemon-kubelite", "multipathd", "NetworkManager", "nohang",
    "nohang-desktop", "ntpd", "nvidia-persistenced", "oomd", "podman", "polkitd", "ras-mc-ctl", "rasdaemon", "rke2",
    "rngd", "runc", "shutdown", "smartd", "snapd", "sudo", "systemd", "thermald", "upsd", "upsmon", "watchdog",
    "wd_keepalive"};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// "snap.docker.dockerd.service" -> "docker.dockerd", "systemd-coredump@3-1-0.service" -> "systemd-coredump".
std::string_view unit_stem(std::string_view unit) {
  if (const auto dot = unit.rfind('.'); dot != unit.npos) unit = unit.substr(0, dot);
  if (const auto at = unit.find('@'); at != unit.npos) unit = unit.substr(0, at);
  if (unit.starts_with("snap.")) unit.remove_prefix(5);
  return unit;
}

/// A process inside a container can be called anything. conmon, which watches one from outside, has a cgroup whose
/// name holds the container's id as well.
bool in_container(std::string_view cgroup) {
  const std::string_view last = base_name(cgroup);
  if (last.starts_with("libpod-conmon-") || last.starts_with("crio-conmon-")) return false;
  std::size_t run = 0;
  for (const char c : cgroup) {
    run = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ? run + 1 : 0;
    if (run == 64) return true;
  }
  return cgroup.find("/lxc.payload") != cgroup.npos || cgroup.find("/lxc/") != cgroup.npos ||
         cgroup.find("/machine.slice/systemd-nspawn@") != cgroup.npos;
}

}  // namespace

bool known_daemon(std::string_view identifier) {
  return identifier.starts_with("systemd-") ||
         std::find(daemons.begin(), daemons.end(), identifier) != daemons.end() ||
         identifier.starts_with("docker.");
}

namespace {

/// The folders that only the administrator can write.
bool system_path(std::string_view exe) {
  constexpr std::array<std::string_view, 8> roots = {"/usr/", "/bin/",  "/sbin/",      "/lib/",
                                                     "/opt/", "/snap/", "/nix/store/", "/var/lib/rancher/"};
  return std::any_of(roots.begin(), roots.end(), [&](std::string_view root) { return exe.starts_with(root); });
}

/// Names of one program: the identifier that it logs with against its file or its unit.
bool same_program(std::string_view identifier, std::string_view program) {
  if (program.empty()) return false;
  if (identifier == program) return true;
  if (identifier.starts_with("docker.")) return same_program(identifier.substr(7), program);
  if (identifier == "init") return program == "systemd";
  if (identifier == "systemd-udevd") return program == "udevadm";
  if (identifier == "dockerd" || identifier == "containerd" || identifier == "docker-proxy")
    return program == "docker" || program == "dockerd";
  if (identifier == "crio") return program == "cri-o";
  if (identifier == "kubelet") return program == "k3s" || program == "rke2" || program == "k3s-agent";
  if (identifier == "systemd-shutdown") return program == "systemd";
  return false;
}

bool from_daemon(const JournalFields& f) {
  if (f.identifier.empty() || !known_daemon(f.identifier) || in_container(f.cgroup)) return false;
  if (f.identifier == "systemd" || f.identifier == "init") {
    return (f.pid == "1" && f.uid == "0") || (system_path(f.exe) && base_name(f.exe) == "systemd");
  }
  if (!f.exe.empty() && system_path(f.exe) && same_program(f.identifier, base_name(f.exe))) return true;
  if (!f.systemd_unit.empty() && !f.systemd_unit.starts_with("user@") &&
      same_program(f.identifier, unit_stem(f.systemd_unit)))
    return true;
  // The process was gone before journald could look at its file. Only root may then speak for a daemon.
  constexpr std::size_t comm_size = 15;
  return f.exe.empty() && f.uid == "0" && !f.comm.empty() &&
         same_program(std::string_view(f.identifier).substr(0, comm_size), f.comm);
}

Trust trust_of(const JournalFields& f, bool container_log) {
  if (f.transport == "kernel") {
    const bool kernel = f.facility.empty() || f.facility == "0";   // user space may write to /dev/kmsg as well
    return kernel ? Trust::kernel : Trust::claimed;
  }
  if (container_log) return Trust::claimed;
  if (f.transport == "audit") return Trust::daemon;
  return from_daemon(f) ? Trust::daemon : Trust::claimed;
}

std::string lower(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

const std::string& first_of(const std::string& a, const std::string& b) { return a.empty() ? b : a; }

/// The container that a log line came out of; the writer (dockerd, conmon) is only the messenger.
void container_event(const JournalFields& f, Event& event) {
  event.container_id = first_of(f.container_id_full, f.container_id);
  event.container_name = f.container_name.starts_with('/') ? f.container_name.substr(1) : f.container_name;
  if (!f.image_name.empty()) event.fields["image_name"] = f.image_name;
}

void daemon_event(const JournalFields& f, Event& event) {
  event.pid = whole_number(first_of(f.pid, f.syslog_pid));
  event.comm = f.comm;
  event.cgroup = f.cgroup;
  event.unit = f.systemd_unit.starts_with("user@") && !f.systemd_user_unit.empty() ? f.systemd_user_unit
                                                                                   : f.systemd_unit;
  if (event.trust != Trust::daemon) return;
  // Whom the entry is about: a claim that only a daemon may make.
  for (const std::string* about : {&f.user_unit, &f.unit, &f.object_unit})
    if (!about->empty()) event.unit = *about;
  if (!f.object_cgroup.empty()) event.fields["object_systemd_cgroup"] = f.object_cgroup;
  for (const auto& [name, value] : f.others) {
    if (name == "COREDUMP_UNIT") event.unit = value;
    if (name == "COREDUMP_CGROUP") event.cgroup = value;
    if (name == "PODMAN_ID") event.container_id = value;
    if (name == "PODMAN_NAME") event.container_name = value;
  }
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view digits) noexcept {
  std::int64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool JournalFields::wants(std::string_view name) noexcept {
  for (const Slot& slot : slots)
    if (slot.name == name) return true;
  return std::find(kept.begin(), kept.end(), name) != kept.end();
}

void JournalFields::set(std::string_view name, std::string_view value) {
  constexpr std::size_t longest = 4096;   // no field here is a text: longer ones are damage or mischief
  value = value.substr(0, longest);
  for (const Slot& slot : slots) {
    if (slot.name != name) continue;
    if ((this->*slot.member).empty()) this->*slot.member = value;
    return;
  }
  if (std::find(kept.begin(), kept.end(), name) == kept.end()) return;
  for (const auto& [known, _] : others)
    if (known == name) return;
  others.emplace_back(name, value);
}

void journal_event(const JournalFields& f, Event& event) {
  const bool kernel = f.transport == "kernel";
  const bool container_log = !kernel && !(f.container_id.empty() && f.container_id_full.empty());
  event.trust = trust_of(f, container_log);
  event.boot_id = f.boot_id;
  event.host = f.hostname;
  event.message_id = f.message_id;
  if (const auto n = whole_number(f.priority); n && *n >= 0 && *n <= 7) event.severity = static_cast<Severity>(*n);
  if (const auto n = whole_number(f.facility); n && *n >= 0 && *n <= 1023) event.facility = static_cast<int>(*n);
  if (event.trust == Trust::kernel) {
    event.identifier = "kernel";
    event.facility = 0;
  } else if (f.transport == "audit") {
    event.identifier = "audit";
  } else {
    event.identifier = first_of(f.identifier, f.comm);
  }
  if (container_log) {
    container_event(f, event);
  } else {
    daemon_event(f, event);
  }
  for (const auto& [name, value] : f.others)
    if (event.trust == Trust::daemon || container_log) event.fields[lower(name)] = value;
}

Trust doubted(Trust trust) noexcept {
  if (trust == Trust::kernel) return Trust::kernel_text;
  return trust == Trust::daemon ? Trust::daemon_text : trust;
}

Stamp journal_stamp(const JournalTimes& times) noexcept {
  Stamp stamp;
  stamp.wall = times.source_realtime ? times.source_realtime : times.realtime;
  stamp.kind = stamp.wall ? Stamp::Wall::utc : Stamp::Wall::none;
  stamp.monotonic = times.source_monotonic ? times.source_monotonic : times.monotonic;
  if (times.source_realtime && times.realtime) stamp.delay = *times.realtime - *times.source_realtime;
  return stamp;
}

}  // namespace forensics
