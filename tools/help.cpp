#include "options.h"

namespace why_died {

// At most 24 lines of 80 columns: one screen. Every option here is in the man page and in both completions (a test).
const char* help_text() {
  return R"(why-died - what died, when, why, how sure that is, and what to change

  why-died SUBJECT               the live host; SUBJECT is a container's name or
                                 id, or container:NAME unit:NAME pid:N host
  why-died SUBJECT --in PATH...  files and folders instead; - is standard input
  why-died --in PATH...          the last death in them, and a list of the rest
  why-died 137                   what a bare exit status means
  why-died batch PATH... --out DB       every bundle in the folders, into SQLite
  why-died timeline --in PATH...        all records by time, findings marked
  why-died rules list [--causes]|show ID|check DIR|test DIR

  --in PATH...        all words up to the next option are read
  --format FORMAT     text (default), json or ndjson
  --rules DIR         use the rules in DIR instead of the built-in ones
  --timezone ZONE     of stamps without one: Europe/Berlin or +02:00
  --year YEAR         of the last line of logs that print no year
  --around TIME       of several deaths, the last one before TIME (ISO 8601)
  --docker-host URL   unix:///path or tcp://host:port, instead of DOCKER_HOST
  timeline also: --since --until --window --source --boot --severity --tmpdir
  --quiet --verbose   the sentence only; everything
  --no-color --help --version
Exit status: 0 a cause is named, 1 none or unknown, 2 bad usage or subject,
3 a PATH or DB could not be read and the result is not 0.    More: man why-died
)";
}

}  // namespace why_died
