// Reports as rows. The file is marked as ours (application_id) and carries its schema's number (user_version).
#include "forensics/store.h"

#include "forensics/error.h"
#include "forensics/version.h"
#include "store/sqlite.h"
#include "store_schema.h"

namespace forensics {
namespace {

constexpr std::int64_t application = 0x57484459;  // "WHDY"
constexpr std::int64_t schema_number = 1;

/// True if the file has our tables, false if it has none yet. Throws: Error (store) for anybody else's.
bool has_our_schema(Database& database, const std::filesystem::path& file) {
  if (database.number("SELECT count(*) FROM sqlite_schema") == 0) return false;
  if (database.number("PRAGMA application_id") != application)
    throw Error(ErrorCode::store, file.string(), "is a database of another program",
                "give --out a file that does not exist yet");
  if (database.number("PRAGMA user_version") > schema_number)
    throw Error(ErrorCode::store, file.string(), "was written by a newer version", "use that version, or another file");
  return true;
}

void prepare(Database& database, const std::filesystem::path& file) {
  has_our_schema(database, file);  // before anything is changed
  // Where the file system cannot share memory SQLite keeps its old journal, and that is as good for one writer.
  sqlite3_exec(database.handle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
  database.run("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL");
  Transaction transaction(database);
  if (!has_our_schema(database, file)) {
    database.run(store_schema);
    database.run(("PRAGMA application_id = " + std::to_string(application)).c_str());
    database.run(("PRAGMA user_version = " + std::to_string(schema_number)).c_str());
  }
  transaction.commit();
}

std::optional<std::int64_t> known(std::uint64_t number, bool is_known = true) {
  if (!is_known || number == 0) return {};
  return static_cast<std::int64_t>(number);
}

std::string time_text(const std::optional<RealTime>& time) { return time ? to_string(*time) : std::string(); }

struct Account {
  std::uint64_t records = 0, used = 0, skipped = 0;
};

Account account_of(const Report& report) {
  Account sum;
  for (const Coverage& item : report.coverage) {
    sum.records += item.source.records;
    sum.used += item.source.used;
    for (const auto& [reason, count] : item.source.skipped) sum.skipped += count;
  }
  return sum;
}

}  // namespace

struct Store::Impl {
  explicit Impl(const std::filesystem::path& file) : database(file), schema_ready((prepare(database, file), true)) {}

  void save_bundle(const std::string& name, const Report& report);
  void save_finding(const std::string& name, const char* role, std::int64_t place, const Finding& finding);
  void save_diagnostics(const std::string& name, const Report& report);

  Database database;
  bool schema_ready;
  Statement forget{database, "DELETE FROM bundle WHERE name = ?"};
  Statement bundle{database,
                   "INSERT INTO bundle (name, cause, confidence, rule, subject_kind, subject, exit_code, signal, time, clock,"
                   " summary, evidence, evidence_source, evidence_line, sources, records, used, skipped, version)"
                   " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
  Statement unreadable{database, "INSERT INTO bundle (name, reason, version) VALUES (?,?,?)"};
  Statement finding{database, "INSERT INTO finding VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
  Statement evidence{database, "INSERT INTO evidence VALUES (?,?,?,?,?,?,?,?,?,?,?)"};
  Statement diagnostic{database, "INSERT INTO diagnostic VALUES (?,?,?,?,?,?,?)"};
};

void Store::Impl::save_bundle(const std::string& name, const Report& report) {
  const Finding& verdict = report.verdict;
  const Subject& subject = report.subject;
  const Account account = account_of(report);
  const auto time = verdict.time ? verdict.time : subject.died_at;
  const ClockQuality clock = verdict.time ? verdict.clock : ClockQuality::exact;
  const Evidence none;
  const Evidence& first = verdict.evidence.empty() ? none : verdict.evidence.front();
  bundle.needed_text(name).text(verdict.cause.empty() ? "unknown" : verdict.cause).text(to_string(verdict.confidence));
  bundle.text(verdict.rule).text(to_string(subject.kind)).text(subject.name.empty() ? subject.id : subject.name);
  bundle.number(subject.exit_code ? std::optional<std::int64_t>(*subject.exit_code) : std::nullopt).text(subject.signal);
  bundle.text(time_text(time)).text(time && clock != ClockQuality::none ? to_string(clock) : "").text(verdict.summary);
  bundle.text(first.text).text(first.source).number(known(first.line));
  bundle.number(static_cast<std::int64_t>(report.coverage.size())).number(static_cast<std::int64_t>(account.records));
  bundle.number(static_cast<std::int64_t>(account.used)).number(static_cast<std::int64_t>(account.skipped));
  bundle.text(FORENSICS_VERSION).run();
}

void Store::Impl::save_finding(const std::string& name, const char* role, std::int64_t place, const Finding& item) {
  const Victim& victim = item.victim;
  finding.needed_text(name).text(role).number(place).text(item.cause.empty() ? "unknown" : item.cause);
  finding.text(to_string(item.confidence)).text(item.rule).text(time_text(item.time)).needed_text(item.summary);
  finding.text(victim.comm).number(victim.pid).text(victim.container).text(victim.unit).text(victim.device);
  finding.text(victim.mount).text(victim.host).run();
  std::int64_t number = 0;
  for (const Evidence& line : item.evidence) {
    const bool has_offset = line.cursor.empty() && (line.line > 0 || line.length > 0);
    const auto offset = has_offset ? std::optional(static_cast<std::int64_t>(line.offset)) : std::nullopt;
    evidence.needed_text(name).text(role).number(place).number(number++).needed_text(line.source).number(known(line.line));
    evidence.number(offset).number(known(line.length, has_offset)).text(line.cursor).text(time_text(line.time));
    evidence.needed_text(line.text).run();
  }
}

void Store::Impl::save_diagnostics(const std::string& name, const Report& report) {
  std::int64_t place = 0;
  for (const Diagnostic& item : report.diagnostics) {
    diagnostic.needed_text(name).number(place++).text(item.source).number(known(item.line)).needed_text(item.code);
    diagnostic.needed_text(item.message).number(static_cast<std::int64_t>(item.count)).run();
  }
}

Store::Store(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::open(const std::filesystem::path& file) { return Store(std::make_unique<Impl>(file)); }

void Store::save(const std::string& bundle, const Report& report) {
  Transaction transaction(impl_->database);
  impl_->forget.needed_text(bundle).run();
  impl_->save_bundle(bundle, report);
  impl_->save_finding(bundle, "verdict", 0, report.verdict);
  std::int64_t place = 0;
  for (const Finding& link : report.chain) impl_->save_finding(bundle, "chain", place++, link);
  place = 0;
  for (const Finding& item : report.contributing) impl_->save_finding(bundle, "contributing", place++, item);
  impl_->save_diagnostics(bundle, report);
  transaction.commit();
}

void Store::save_unreadable(const std::string& bundle, const std::string& reason) {
  Transaction transaction(impl_->database);
  impl_->forget.needed_text(bundle).run();
  impl_->unreadable.needed_text(bundle).needed_text(reason).text(FORENSICS_VERSION).run();
  transaction.commit();
}

}  // namespace forensics
