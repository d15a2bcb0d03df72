// Sources that do not agree: the engine's flag, the exit status, and what the kernel wrote.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "judge/finding.h"
#include "judge/report_parts.h"

namespace forensics {

namespace {

std::string name_of(const Case& c, const DeathCase& death) {
  const KnownContainer& known = c.containers[*death.container];
  return known.name.empty() ? known.id.substr(0, 12) : known.name;
}

const Claim* kernel_kill(const Case& c, const DeathCase& death) {
  for (const auto i : death.claims) {
    const Claim& claim = c.claims[i];
    if (claim.cause() == "oom-kill" && is_kernel(claim.match->trust) && claim.who.container == death.container)
      return &claim;
  }
  return nullptr;
}

/// The lines of the engine's state that were found.
std::vector<Evidence> state_lines(const Case& c, const DeathCase& death) {
  std::vector<Evidence> lines;
  for (const auto i : death.claims)
    if (c.claims[i].state) add_evidence(lines, quote(c, c.claims[i]));
  return lines;
}

void oom_flag(const Case& c, const DeathCase& death, std::vector<Contradiction>& out) {
  if (!death.container || !death.oom_killed) return;
  const Claim* kill = kernel_kill(c, death);
  const std::string name = name_of(c, death);
  if (*death.oom_killed && !kill && death.time && kernel_covers(c, *death.time)) {
    out.push_back(
        {fmt::format(
             "The engine says OOMKilled=true for {}, but the kernel log covers that moment and holds no kill in it.",
             name),
         state_lines(c, death)});
  }
  if (!*death.oom_killed && kill) {
    auto lines = quote(c, *kill);
    add_evidence(lines, state_lines(c, death));
    out.push_back(
        {fmt::format("The engine says OOMKilled=false for {}, but the kernel killed a process of it for memory. "
                     "The kernel's word counts.",
                     name),
         std::move(lines)});
  }
  if (*death.oom_killed && death.exit_code && *death.exit_code != 137) {
    auto lines = state_lines(c, death);
    if (kill) add_evidence(lines, quote(c, *kill));
    out.push_back(
        {fmt::format("The engine says OOMKilled=true for {}, but its main process ended with status {}: the kernel "
                     "killed another process in it.",
                     name, *death.exit_code),
         std::move(lines)});
  }
}

/// Something that may write anything claims a kernel line that the kernel's own log does not hold.
void forged_lines(const Case& c, std::vector<Contradiction>& out) {
  constexpr std::size_t most = 8;
  std::set<std::uint32_t> told;
  for (const auto& claim : c.claims) {
    if (!claim.kernel_text_only || !claim.event->time || !told.insert(claim.order).second) continue;
    if (!trusted_kernel_covers(c, *claim.event->time) || out.size() >= most) continue;
    out.push_back(
        {"This line looks like the kernel's, but the kernel's own log covers that moment and does not hold it: "
         "whatever "
         "wrote it was not the kernel.",
         quote(c, claim)});
  }
}

}  // namespace

std::vector<Contradiction> find_contradictions(const Case& c, const DeathCase* death) {
  std::vector<Contradiction> out;
  if (death) oom_flag(c, *death, out);
  forged_lines(c, out);
  return out;
}

}  // namespace forensics
