// docker-inspect: what engines say about containers, as JSON or as what people cut out of it.
//
//   [ { "Id": "5c8b...", "State": { "Status": "exited", "OOMKilled": true, "ExitCode": 137, ... }, ... } ]
//   State:{ ExitCode:137, OOMKilled:false, ... }
//
// `docker inspect`, `podman inspect`, `{{json .State}}`, config.v2.json, swarm tasks, `docker ps --format json`,
// `crictl inspect`, `kubectl get pod -o json` or yaml; whole, cut off at both ends, quoted, several behind one another.
#include "read/inspect_states.h"
#include "read/state_readers.h"

namespace forensics {
namespace {

void extract(std::string_view text, SourceContext& context, std::vector<WholeRecord>& records) {
  const LooseJson json(text, inspect_key);
  const bool all = find_states(json, [&](StatedContainer& stated) {
    stated.container.where.source = context.index;
    add_state(stated, context, records);
  });
  if (json.cut()) context.diagnose(json.open_line(), "truncated-record", "the document is cut off: what this line opens does not close");
  if (json.too_many() || !all) context.diagnose(json.lines(), "too-large", "the rest of the document was not read");
  if (records.empty() && context.containers.empty())
    context.diagnose(0, "no-state", "no container's state was found in it");
}

/// How often `"key":` or `key:` stands in the text, up to `most`.
int count_key(std::string_view text, std::string_view key, int most = 1) {
  int found = 0;
  for (std::size_t at = text.find(key); at != text.npos && found < most; at = text.find(key, at + 1)) {
    std::size_t end = at + key.size();
    const bool quoted = at > 0 && text[at - 1] == '"';
    if (!quoted && at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '\\')) continue;
    if (quoted && (end == text.size() || text[end++] != '"')) continue;
    while (end < text.size() && text[end] == ' ') ++end;
    if (end < text.size() && text[end] == ':') ++found;
  }
  return found;
}

/// The first byte that is no blank and no quotation mark of a mail or a thread.
char first_mark(std::string_view head) {
  const auto at = head.find_first_not_of(" \t\r\n>`");
  return at == head.npos ? '\0' : head[at];
}

/// Log lines hold such words as well: then most lines start with a stamp or a tag and not with a key or a bracket.
bool mostly_keys(std::string_view head) {
  int lines = 0, keyed = 0;
  while (!head.empty() && lines < 200) {
    std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    const auto start = line.find_first_not_of(" \t\r>`-");
    if (start == line.npos) continue;
    line.remove_prefix(start);
    ++lines;
    const char c = line[0];
    if (c == '{' || c == '}' || c == '[' || c == ']' || c == '"') {
      ++keyed;
    } else if (const auto colon = line.find_first_of(": {"); colon != line.npos && line[colon] == ':' && colon < 24) {
      ++keyed;
    }
  }
  return keyed * 2 > lines;
}

}  // namespace

int sniff_docker_inspect(std::string_view, std::string_view head) {
  const char first = first_mark(head);
  const bool json = first == '{' || first == '[' || first == '"';
  const bool state = count_key(head, "OOMKilled") ||
                     (count_key(head, "ExitCode") &&
                      (count_key(head, "FinishedAt") || count_key(head, "ContainerStatus") || count_key(head, "Names") ||
                       count_key(head, "Service") || count_key(head, "Running")));
  const bool health = count_key(head, "FailingStreak");
  const bool config = json && count_key(head, "HostConfig") && (count_key(head, "State") || count_key(head, "Names"));
  const bool listed = json && count_key(head, "Names") && count_key(head, "Status") && count_key(head, "Image");
  const bool terminated = count_key(head, "exitCode") && count_key(head, "finishedAt");   // JSON or YAML
  const bool kubernetes = terminated || (json && count_key(head, "containerStatuses") && count_key(head, "restartCount")) ||
                          (json && count_key(head, "exitCode") && count_key(head, "reason"));
  const bool task = count_key(head, "Err") && count_key(head, "DesiredState");
  if (!(state || health || config || listed || kubernetes || task)) return 0;
  if (json) return 92;
  return mostly_keys(head) ? 80 : 45;
}

std::unique_ptr<Reader> open_docker_inspect(ByteSource& bytes, SourceContext& context) {
  return open_whole(bytes, context, extract);
}

}  // namespace forensics
