-- One row per bundle, keys are natural: a bundle's name, then the place of a row in the report.
-- Times are ISO 8601, UTC; words are those of the JSON contract; what is unknown is NULL.

CREATE TABLE bundle (
  name             TEXT PRIMARY KEY NOT NULL,
  cause            TEXT,             -- NULL: could not be read, see reason
  confidence       TEXT CHECK (confidence IN ('low', 'medium', 'high')),
  rule             TEXT,
  subject_kind     TEXT,
  subject          TEXT,             -- name, else id
  exit_code        INTEGER,
  signal           TEXT,
  time             TEXT,             -- of the verdict, else of the death
  clock            TEXT CHECK (clock IN ('inferred', 'exact')),
  summary          TEXT,
  evidence         TEXT,             -- the decisive line
  evidence_source  TEXT,
  evidence_line    INTEGER,
  reason           TEXT,             -- why it could not be read
  sources          INTEGER NOT NULL DEFAULT 0,
  records          INTEGER NOT NULL DEFAULT 0,
  used             INTEGER NOT NULL DEFAULT 0,
  skipped          INTEGER NOT NULL DEFAULT 0,
  version          TEXT NOT NULL,    -- of the library that judged
  CHECK ((cause IS NULL) <> (reason IS NULL))
) STRICT, WITHOUT ROWID;

-- role: verdict, chain (place 0 is the root; the verdict stands there again if it is a link), contributing.
CREATE TABLE finding (
  bundle      TEXT NOT NULL REFERENCES bundle (name) ON DELETE CASCADE,
  role        TEXT NOT NULL CHECK (role IN ('verdict', 'chain', 'contributing')),
  place       INTEGER NOT NULL,
  cause       TEXT NOT NULL,
  confidence  TEXT NOT NULL CHECK (confidence IN ('low', 'medium', 'high')),
  rule        TEXT,
  time        TEXT,
  summary     TEXT NOT NULL,
  comm        TEXT,
  pid         INTEGER,
  container   TEXT,
  unit        TEXT,
  device      TEXT,
  mount       TEXT,
  host        TEXT,
  PRIMARY KEY (bundle, role, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
  bundle   TEXT NOT NULL,
  role     TEXT NOT NULL,
  finding  INTEGER NOT NULL,         -- finding.place
  place    INTEGER NOT NULL,         -- 0 is decisive
  source   TEXT NOT NULL,
  line     INTEGER,
  offset   INTEGER,
  length   INTEGER,
  cursor   TEXT,
  time     TEXT,
  text     TEXT NOT NULL,
  PRIMARY KEY (bundle, role, finding, place),
  FOREIGN KEY (bundle, role, finding) REFERENCES finding (bundle, role, place) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE diagnostic (
  bundle   TEXT NOT NULL REFERENCES bundle (name) ON DELETE CASCADE,
  place    INTEGER NOT NULL,
  source   TEXT,
  line     INTEGER,
  code     TEXT NOT NULL,
  message  TEXT NOT NULL,
  count    INTEGER NOT NULL,
  PRIMARY KEY (bundle, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX bundle_by_cause ON bundle (cause, time);
