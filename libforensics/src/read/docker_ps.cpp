// docker-ps: the table of `docker ps -a`, `podman ps -a`, `docker compose ps` and old `docker-compose ps`.
//
//   CONTAINER ID   IMAGE   COMMAND            CREATED        STATUS                      PORTS   NAMES
//   bab5bf626f32   web:1   "/usr/sbin/web…"   4 months ago   Exited (128) 18 seconds ago         mycontainer
//   NAME     IMAGE   COMMAND   SERVICE   CREATED        STATUS                       PORTS
//   Name              Command               State     Ports
//   app_web_1         /bin/sh -c web        Exit 137
//
// The columns of a pasted table are off (a "…" is three bytes), so the status is found by what it says. A command may
// say such things as well: the last cell that does counts. Ages are no times: such a record has no stamp.
#include <algorithm>

#include "read/inspect_states.h"
#include "read/journal_fields.h"
#include "read/state_readers.h"
#include "read/text_lines.h"

namespace forensics {
namespace {

struct Header {
  bool seen = false;
  bool name_first = false;
  std::size_t service = 0;   ///< its column; 0: none
};

bool short_id(std::string_view word) {
  return (word.size() == 12 || word.size() == 64) &&
         std::all_of(word.begin(), word.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool header_of(const std::vector<std::string_view>& cells, Header& header) {
  const auto has = [&](std::string_view word) { return std::find(cells.begin(), cells.end(), word) != cells.end(); };
  const bool docker = has("CONTAINER ID") && (has("STATUS") || has("NAMES"));
  const bool compose = has("NAME") && has("STATUS") && (has("SERVICE") || has("COMMAND"));
  const bool old_compose = has("Name") && has("Command") && has("State");
  if (!docker && !compose && !old_compose) return false;
  const auto service = std::find(cells.begin(), cells.end(), "SERVICE");
  header = {true, !docker, service == cells.end() ? 0 : static_cast<std::size_t>(service - cells.begin())};
  return true;
}

/// `Exit 137` of docker-compose 1, else what ps prints.
bool status_of(std::string_view cell, StatedContainer& stated) {
  if (cell.starts_with("Exit ")) {
    const auto code = whole_number(cell.substr(5));
    if (!code) return false;
    stated.container.status = "exited";
    stated.container.exit_code = static_cast<int>(*code);
    return stated.has_exit_code = true;
  }
  return parse_ps_status(cell, stated);
}

bool parse_row(const TextLine& line, const Header& header, StatedContainer& stated) {
  const auto cells = split_cells(line.text);
  if (cells.size() < 3) return false;
  const bool by_id = short_id(cells[0]);
  if (!by_id && !header.name_first) return false;
  std::size_t at = cells.size();
  while (at-- > 1) {
    StatedContainer found;
    if (!status_of(cells[at], found)) continue;
    stated = found;
    break;
  }
  if (at == 0 || at > cells.size()) return false;
  Container& c = stated.container;
  const auto from = static_cast<std::size_t>(cells[at].data() - line.text.data());
  const Place status{line.line, line.offset + from, by_id ? line.text.size() - from : cells[at].size()};
  stated.anywhere = stated.exit_code = status;
  if (by_id) {
    c.id = cells[0];
    c.image = cells[1];
    if (cells.size() > at + 1) c.name = cells.back().substr(0, cells.back().find(','));
    if (c.health == "unhealthy") stated.health = status;
  } else {
    c.name = cells[0];
    if (header.service > 0 && header.service < at) c.service = cells[header.service];
  }
  return true;
}

void extract(std::string_view text, SourceContext& context, std::vector<WholeRecord>& records) {
  Header header;
  for (const TextLine& line : split_lines(text)) {
    if (header_of(split_cells(line.text), header)) continue;
    StatedContainer stated;
    if (!parse_row(line, header, stated)) continue;
    stated.container.where = {context.index, stated.anywhere.line, stated.anywhere.offset, stated.anywhere.length};
    const std::size_t first = records.size();
    add_state(stated, context, records);
    for (std::size_t i = first; i < records.size(); ++i) records[i].trust = Trust::daemon_text;
  }
}

}  // namespace

int sniff_docker_ps(std::string_view, std::string_view head) {
  Header header;
  int rows = 0, lines = 0, best = 0;
  for (const TextLine& line : split_lines(head)) {
    if (line.text.empty() || ++lines > 400) continue;
    StatedContainer stated;
    if (header_of(split_cells(line.text), header)) {
      best = std::max(best, 60);
    } else if (parse_row(line, header, stated)) {
      ++rows;
    }
  }
  if (best > 0 && rows > 0) best = rows * 2 >= lines - 2 ? 90 : 55;
  return best > 0 ? best : rows > 0 && rows * 2 >= lines ? 75 : 0;
}

std::unique_ptr<Reader> open_docker_ps(ByteSource& bytes, SourceContext& context) {
  return open_whole(bytes, context, extract, SilentLines::text, 4 * 1024 * 1024);
}

}  // namespace forensics
