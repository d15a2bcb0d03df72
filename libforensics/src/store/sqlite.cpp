#include "store/sqlite.h"

#include "forensics/error.h"
#include "forensics/event.h"

namespace forensics {

Database::Database(const std::filesystem::path& file) : file_(file.string()) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail("cannot be opened");
  sqlite3_busy_timeout(handle, 10'000);
  sqlite3_extended_result_codes(handle, 1);
}

void Database::run(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("refused");
}

std::int64_t Database::number(const char* sql) {
  std::int64_t value = 0;
  const auto take = [](void* to, int, char** columns, char**) {
    if (columns[0] != nullptr) *static_cast<std::int64_t*>(to) = std::atoll(columns[0]);
    return 0;
  };
  if (sqlite3_exec(handle_.get(), sql, take, &value, nullptr) != SQLITE_OK) fail("cannot be read");
  return value;
}

void Database::fail(const std::string& what) const {
  const std::string reason = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
  const bool locked = handle_ && (sqlite3_errcode(handle_.get()) & 0xFF) == SQLITE_BUSY;
  throw Error(ErrorCode::store, file_, what + ": " + reason, locked ? "another program is writing to it: try again" : "");
}

Statement::Statement(Database& database, const char* sql) : database_(&database) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  statement_.reset(statement);
}

Statement& Statement::text(std::string_view value) {
  if (!value.empty()) return needed_text(value);
  check(sqlite3_bind_null(statement_.get(), next_++));
  return *this;
}

Statement& Statement::needed_text(std::string_view value) {
  const std::string shown = show(value);
  check(sqlite3_bind_text64(statement_.get(), next_++, shown.data(), shown.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::number(std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), next_++, value));
  return *this;
}

Statement& Statement::number(const std::optional<std::int64_t>& value) {
  if (value) return number(*value);
  check(sqlite3_bind_null(statement_.get(), next_++));
  return *this;
}

void Statement::run() {
  next_ = 1;
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_DONE && code != SQLITE_ROW) {
    sqlite3_reset(statement_.get());
    database_->fail("cannot be written");
  }
  check(sqlite3_reset(statement_.get()));
}

void Statement::check(int code) {
  if (code != SQLITE_OK) database_->fail("refused");
}

}  // namespace forensics
