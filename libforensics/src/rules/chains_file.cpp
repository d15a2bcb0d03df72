// rules/chains.toml: what can lead to what.
//
//   [[link]]
//   from   = "under-voltage"      # causes; `unknown` and `none` lead nowhere
//   to     = "mmc-error"
//   within = "10m"                # how long after `from` its effect may come
//   shared = "host"               # the thing that both must name: boot, cgroup, container, device, host, mount
#include <algorithm>
#include <fmt/format.h>

#include "rules/rule.h"
#include "rules/toml_section.h"
#include "rules/words.h"

namespace forensics {

namespace {

std::string read_cause(const Section& section, std::string_view key) {
  std::vector<std::string_view> words;
  for (const CauseDef& cause : causes())
    if (cause.word != "none" && cause.word != "unknown") words.push_back(cause.word);
  section.required_text(key);
  const std::string value = section.text(key);
  if (std::find(words.begin(), words.end(), value) != words.end()) return value;
  const std::string near = nearest_word(value, words);
  section.fail(key, fmt::format("unknown cause \"{}\"", value),
               near.empty() ? "why-died rules list --causes prints them" : fmt::format("did you mean \"{}\"?", near));
}

}  // namespace

std::vector<ChainLink> parse_chains(std::string_view text, std::string_view file_name) {
  const TomlFile file{text, file_name};
  const toml::table root = parse_toml(file);
  const Section top(file, root, "chains.toml", {"link"});
  std::vector<ChainLink> links;
  for (const toml::table* table : top.tables("link")) {
    const Section section(file, *table, "a link", {"from", "to", "within", "shared"});
    ChainLink link;
    link.from = read_cause(section, "from");
    link.to = read_cause(section, "to");
    section.required_text("within");
    link.within = std::chrono::microseconds(*section.duration("within"));
    section.required_text("shared");
    link.shared = section.word("shared", shared_words());
    for (const ChainLink& other : links)
      if (other.from == link.from && other.to == link.to && other.shared == link.shared)
        section.fail("from",
                     fmt::format("the link from {} to {} by {} stands here twice", link.from, link.to, link.shared));
    links.push_back(std::move(link));
  }
  return links;
}

}  // namespace forensics
