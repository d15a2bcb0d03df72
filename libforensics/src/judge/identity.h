// Who is who: containers under all the names that the evidence has for them, and whom a match is about.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "judge/words.h"
#include "rules/match.h"

namespace forensics {

/// One container, whatever it is called.
struct KnownContainer {
  std::string id;  ///< the longest form seen; empty: known by name only
  std::string name, image, service, pod;
  const Container* state = nullptr;  ///< what an engine said about it last
};

class KnownContainers {
 public:
  explicit KnownContainers(const Timeline& timeline);

  const std::vector<KnownContainer>& all() const noexcept { return all_; }
  const KnownContainer& operator[](std::size_t i) const { return all_[i]; }

  /// By id (either may be the prefix of the other) or exact name; the last one of that name.
  std::optional<std::size_t> find(std::string_view id_or_name) const;
  std::optional<std::size_t> by_id(std::string_view id) const;
  /// Adds what is not known yet. Either may be empty.
  std::optional<std::size_t> learn(std::string_view id, std::string_view name);

 private:
  std::vector<KnownContainer> all_;
};

/// Whom a match is about, as far as its words tell.
struct Identity {
  std::optional<std::size_t> container;  ///< index into KnownContainers
  std::string comm, unit, device, disk, mount, host, cgroup;
  std::optional<std::int64_t> pid;
  bool container_by_name = false;  ///< known by name only: another run may have had it too

  bool names_process() const { return container || pid || !unit.empty() || !cgroup.empty(); }
  bool empty() const { return !container && !pid && comm.empty() && unit.empty() && disk.empty() && mount.empty(); }
};

Identity identify(const Match& match, const Timeline& timeline, KnownContainers& containers);

/// True for a 64-digit id, or one of at least 12 digits.
bool looks_like_id(std::string_view text);

}  // namespace forensics
