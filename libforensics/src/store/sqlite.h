// The little of SQLite that the store needs, with errors as exceptions.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace forensics {

class Database {
 public:
  /// Throws: Error (store).
  explicit Database(const std::filesystem::path& file);

  /// Runs statements without results. Throws: Error (store).
  void run(const char* sql);
  /// The first column of the first row; 0 if there is none.
  std::int64_t number(const char* sql);
  [[noreturn]] void fail(const std::string& what) const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::string file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A prepared statement. Values are bound in order, then run() executes it and makes it ready for the next row.
class Statement {
 public:
  Statement(Database& database, const char* sql);

  Statement& text(std::string_view value);            ///< empty: NULL
  Statement& needed_text(std::string_view value);     ///< empty stays empty
  Statement& number(std::int64_t value);
  Statement& number(const std::optional<std::int64_t>& value);
  void run();

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void check(int code);

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_ = 1;
};

/// BEGIN IMMEDIATE now, ROLLBACK at the end unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(&database) { database.run("BEGIN IMMEDIATE"); }
  ~Transaction() {
    if (database_ != nullptr) sqlite3_exec(database_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    database_->run("COMMIT");
    database_ = nullptr;
  }

 private:
  Database* database_;
};

}  // namespace forensics
