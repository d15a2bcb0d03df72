// What the evidence does not hold, and the exact command that would get it. A sure verdict misses nothing.
#include <algorithm>
#include <fmt/format.h>

#include "judge/finding.h"
#include "judge/report_parts.h"

namespace forensics {

namespace {

using namespace std::chrono_literals;

bool is_kernel_format(std::string_view format) {
  return format.starts_with("dmesg") || format == "kmsg" || format.starts_with("journal") ||
         format.starts_with("syslog");
}

/// A syslog file may hold kernel lines without one of them being an anchor; its best trust says that it may.
bool is_kernel_source(const Source& source) { return is_kernel(source.trust) && is_kernel_format(source.format); }

bool covers(const Source& source, RealTime time) {
  return source.from && source.to && *source.from <= time && time <= *source.to;
}

bool has_kernel_source(const Case& c) {
  const auto& sources = c.evidence.timeline.sources;
  return std::any_of(sources.begin(), sources.end(), is_kernel_source);
}

bool has_format(const Case& c, std::string_view format) {
  const auto& sources = c.evidence.timeline.sources;
  return std::any_of(sources.begin(), sources.end(),
                     [&](const Source& s) { return s.format == format || s.format.starts_with("docker-api"); });
}

std::string container_word(const Case& c, const Choice& choice, const DeathCase* death) {
  if (death && death->container) {
    const KnownContainer& known = c.containers[*death->container];
    return known.name.empty() ? known.id.substr(0, 12) : known.name;
  }
  return choice.subject.kind == SubjectKind::container && !choice.subject.name.empty() ? choice.subject.name : "NAME";
}

std::string around(const DeathCase* death, std::chrono::seconds before, std::chrono::seconds after) {
  if (!death || !death->time) return "";
  const auto stamp = [](RealTime t) {
    std::string text = to_string(t).substr(0, 19);
    text[10] = ' ';
    return text + " UTC";
  };
  return fmt::format(" --since \"{}\" --until \"{}\"", stamp(*death->time - before), stamp(*death->time + after));
}

void kernel_log(const Case& c, const DeathCase* death, std::vector<Missing>& out) {
  if (!has_kernel_source(c)) {
    out.push_back(
        {"No kernel log is among the evidence: an OOM kill, a crash of the program or a failing disk would stand "
         "there.",
         death && death->time
             ? fmt::format("journalctl -k{} > kernel.txt   (or: dmesg -T > dmesg.txt)", around(death, 600s, 60s))
             : "dmesg -T > dmesg.txt   (after a reboot: journalctl -k -b -1 > kernel.txt)"});
    return;
  }
  if (!death || !death->time || kernel_covers(c, *death->time)) return;
  std::optional<RealTime> first, last;
  for (const auto& source : c.evidence.timeline.sources) {
    if (!is_kernel_source(source) || !source.from || !source.to) continue;
    first = first ? std::min(*first, *source.from) : source.from;
    last = last ? std::max(*last, *source.to) : source.to;
  }
  if (!first) {
    out.push_back({"The kernel log has only times since boot, and nothing here ties them to the clock of the death.",
                   "dmesg -T > dmesg.txt, or journalctl -k > kernel.txt"});
  } else if (*first > *death->time) {
    out.push_back(
        {fmt::format(
             "The kernel log starts at {}, after the death ({}): older lines are overwritten or were lost by a reboot.",
             moment_text(*first), moment_text(*death->time)),
         "journalctl -k -b -1 > kernel.txt   (needs a persistent journal: Storage=persistent in "
         "/etc/systemd/journald.conf)"});
  } else {
    out.push_back(
        {fmt::format(
             "The last line of the kernel log is from {}, before the death ({}); perhaps nothing was logged since, "
             "perhaps it was taken too early.",
             moment_text(*last), moment_text(*death->time)),
         fmt::format("journalctl -k{} > kernel.txt   (or: dmesg -T > dmesg.txt)", around(death, 600s, 60s))});
  }
}

void engine(const Case& c, const std::string& name, const DeathCase* death, const Finding& verdict,
            std::vector<Missing>& out) {
  const Container* state = death && death->container ? c.containers[*death->container].state : nullptr;
  if (!state)
    out.push_back({"What the engine knows of the container is not among the evidence: exit status, OOM flag, times.",
                   fmt::format("docker inspect {} > inspect.json", name)});
  if (verdict.cause == "unknown-signal" && !has_format(c, "docker-events"))
    out.push_back(
        {"Who sent the signal: the engine's events would name a stop or kill that went through it (the kernel does not "
         "record senders).",
         fmt::format("docker events{} > events.txt   (kept in memory until the daemon restarts)",
                     death && death->time ? fmt::format(" --since {} --until {}", to_string(*death->time - 600s),
                                                        to_string(*death->time + 60s))
                                          : std::string(" --since 24h --until 0s"))});
}

void switches(const DeathCase* death, const Finding& verdict, std::vector<Missing>& out) {
  const int code = death && death->exit_code ? *death->exit_code : 0;
  const bool fault = code == 139 || code == 135 || code == 132 || code == 134 || code == 136;
  if (fault)
    out.push_back(
        {"Where the program crashed: arm64 prints no line about a segfault unless asked to, and SIGBUS and SIGABRT "
         "leave none anywhere.",
         "sysctl -w debug.exception-trace=1 kernel.print-fatal-signals=1   (for the next death; keep it in "
         "/etc/sysctl.d/)"});
  if (verdict.cause == "power-loss" || (death && death->exit_code == 255))
    out.push_back({"The last lines before the machine went down.",
                   "Storage=persistent in /etc/systemd/journald.conf, then after the next one: journalctl -b -1 -e"});
}

void subject(const Choice& choice, std::vector<Missing>& out) {
  const std::string& name = choice.subject.name;
  switch (choice.subject.kind) {
    case SubjectKind::unit:
      out.push_back({fmt::format("Nothing in the evidence is about unit {}.", show(name)),
                     fmt::format("journalctl -u {} -o export > unit.export; systemctl status {} > status.txt",
                                 show(name), show(name))});
      return;
    case SubjectKind::pid:
      out.push_back({"Nothing in the evidence is about this process.",
                     "journalctl -k > kernel.txt; journalctl _PID=" +
                         (choice.subject.pid ? fmt::format("{}", *choice.subject.pid) : std::string("N")) +
                         " > process.txt"});
      return;
    default:
      out.push_back({fmt::format("No source knows a container {}: its name stands in no inspect output and no event.",
                                 show(name)),
                     fmt::format("docker inspect {} > inspect.json; docker ps -a --no-trunc > ps.txt", show(name))});
  }
}

/// The sandbox of each line: does this source hold a finding about the death?
bool speaks_of(const Case& c, const DeathCase& death, std::uint32_t source) {
  return std::any_of(death.claims.begin(), death.claims.end(), [&](std::size_t i) {
    const auto& events = c.claims[i].match->events;
    return std::any_of(events.begin(), events.end(), [&](std::uint32_t e) {
      return e < c.evidence.timeline.events.size() && c.evidence.timeline.events[e].where.source == source;
    });
  });
}

}  // namespace

bool kernel_covers(const Case& c, RealTime time) {
  const auto& sources = c.evidence.timeline.sources;
  return std::any_of(sources.begin(), sources.end(), [&](const Source& s) {
    // On the live host the log reaches until now, even if nothing was written since.
    const bool now = c.evidence.live && s.from && *s.from <= time;
    return is_kernel_source(s) && (now || covers(s, time));
  });
}

bool trusted_kernel_covers(const Case& c, RealTime time) {
  const auto& sources = c.evidence.timeline.sources;
  return std::any_of(sources.begin(), sources.end(), [&](const Source& s) {
    return s.trust == Trust::kernel && is_kernel_format(s.format) && covers(s, time);
  });
}

std::vector<Coverage> coverage_of(const Case& c, const DeathCase* death) {
  std::vector<Coverage> out;
  const auto& sources = c.evidence.timeline.sources;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const bool in_time = death && death->time && covers(sources[i], *death->time);
    out.push_back({sources[i], in_time || (death && speaks_of(c, *death, i))});
  }
  return out;
}

std::vector<Missing> find_missing(const Case& c, const Choice& choice, const DeathCase* death, const Finding& verdict) {
  std::vector<Missing> out;
  if (!choice.known) subject(choice, out);
  if (verdict.confidence == Confidence::high && verdict.cause != "unknown-signal" && verdict.cause != "unknown")
    return out;
  if (!death && choice.known) {
    if (!has_kernel_source(c)) kernel_log(c, death, out);
    return out;
  }
  if (!choice.known) return out;
  kernel_log(c, death, out);
  const bool container = (death && death->container) || choice.subject.kind == SubjectKind::container;
  if (container) engine(c, container_word(c, choice, death), death, verdict, out);
  switches(death, verdict, out);
  return out;
}

}  // namespace forensics
