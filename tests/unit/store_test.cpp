#include "forensics/store.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "forensics/error.h"
#include "report_samples.h"
#include "store/sqlite.h"

namespace {

/// A folder of its own for each test, gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "store-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  std::filesystem::path file() const { return path_ / "out.sqlite"; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string text(const std::filesystem::path& file, const std::string& sql) {
  forensics::Database database(file);
  std::string value;
  const auto take = [](void* to, int, char** columns, char**) {
    static_cast<std::string*>(to)->append(columns[0] != nullptr ? columns[0] : "NULL");
    return 0;
  };
  char* message = nullptr;
  sqlite3_exec(database.handle(), sql.c_str(), take, &value, &message);
  if (message != nullptr) value = message;
  sqlite3_free(message);
  return value;
}

}  // namespace

TEST_CASE("store: a report becomes one bundle and its rows") {
  Scratch scratch;
  {
    auto store = forensics::Store::open(scratch.file());
    store.save("fleet/a", forensics::samples::memory_limit());
    store.save_unreadable("fleet/b", "Permission denied");
  }
  CHECK(text(scratch.file(), "SELECT cause || ' ' || confidence || ' ' || subject || ' ' || time || ' ' || clock || ' ' || "
                             "evidence_source || ' ' || evidence_line || ' ' || records FROM bundle WHERE name = 'fleet/a'") ==
        "oom-kill high trainer 2026-11-30T14:03:22.100Z inferred dmesg.txt 12 12409");
  CHECK(text(scratch.file(), "SELECT reason FROM bundle WHERE cause IS NULL") == "Permission denied");
  CHECK(text(scratch.file(), "SELECT group_concat(role || place || cause, ' ') FROM (SELECT * FROM finding ORDER BY role, place)") ==
        "chain0thermal-throttle chain1oom-kill contributing0thermal-throttle verdict0oom-kill");
  CHECK(text(scratch.file(), "SELECT count(*) FROM evidence WHERE role = 'verdict'") == "2");
  CHECK(text(scratch.file(), "SELECT code || count FROM diagnostic") == "truncated-record2");
  CHECK(text(scratch.file(), "PRAGMA user_version") == "1");
  CHECK(text(scratch.file(), "PRAGMA foreign_key_check").empty());
  CHECK(text(scratch.file(), "PRAGMA integrity_check") == "ok");
}

TEST_CASE("store: the same bundle again replaces its rows") {
  Scratch scratch;
  auto store = forensics::Store::open(scratch.file());
  store.save("a", forensics::samples::memory_limit());
  forensics::Report empty;
  empty.verdict.cause = "none";
  store.save("a", empty);
  CHECK(text(scratch.file(), "SELECT group_concat(cause) FROM bundle") == "none");
  CHECK(text(scratch.file(), "SELECT count(*) FROM finding") == "1");
  CHECK(text(scratch.file(), "SELECT count(*) FROM evidence") == "0");
  CHECK(text(scratch.file(), "SELECT count(*) FROM diagnostic") == "0");
}

TEST_CASE("store: nothing raw is stored") {
  Scratch scratch;
  auto store = forensics::Store::open(scratch.file());
  forensics::Report report;
  report.verdict.summary = std::string("a\0b\x1b\xff", 5);
  store.save("x'); DROP TABLE bundle; --", report);
  CHECK(text(scratch.file(), "SELECT summary FROM bundle") == "a\\x00b\\x1b\\xff");
}

TEST_CASE("store: a file that is not ours is left alone") {
  Scratch scratch;
  const auto refused = [&] {
    try {
      forensics::Store::open(scratch.file());
    } catch (const forensics::Error& error) {
      CHECK(error.code() == forensics::ErrorCode::store);
      return error.reason();
    }
    return std::string();
  };
  text(scratch.file(), "CREATE TABLE theirs (x)");
  CHECK(refused() == "is a database of another program");
  CHECK(text(scratch.file(), "SELECT group_concat(name) FROM sqlite_schema") == "theirs");
  CHECK(text(scratch.file(), "PRAGMA journal_mode") == "delete");

  std::ofstream(scratch.file(), std::ios::trunc) << std::string(5000, 'x');
  CHECK(refused().find("not a database") != std::string::npos);

  std::filesystem::remove(scratch.file());
  forensics::Store::open(scratch.file());
  text(scratch.file(), "PRAGMA user_version = 99");
  CHECK(refused() == "was written by a newer version");
}

TEST_CASE("store: a folder that is not there") {
  Scratch scratch;
  CHECK_THROWS_AS(forensics::Store::open(scratch.path() / "none" / "out.sqlite"), forensics::Error);
}
