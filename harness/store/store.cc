#include "harness/store/store.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <random>
#include <utility>

#include "harness/records/json_codec.h"
#include "harness/store/embedded_file.h"
#include "harness/store/files.h"
#include "harness/store/plugins_of_build.h"
#include "harness/store/run_commands.h"

MBSBENCH_EMBED(schema, MBSBENCH_SCHEMA);

namespace mbsbench {

namespace {

constexpr int kBusyMilliseconds = 5000;  // a reader or a checkpoint holds a lock for much less

namespace fs = std::filesystem;

std::string Quoted(const fs::path& path) { return fmt::format("'{}'", path.string()); }

std::string Text(sqlite3_stmt* row, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  if (text == nullptr) return "";
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

}  // namespace

std::string CellSetting::Setting() const {
  if (tolerance) return fmt::format("tol {:g}", *tolerance);
  return step ? fmt::format("h {:g} s", *step) : "";
}

std::string CellSetting::Describe() const {
  std::string text = problem + " by " + method;
  if (!integrator.empty()) text += ", " + integrator;
  const std::string setting = Setting();
  return setting.empty() ? text : text + " " + setting;
}

std::string TrialKey(const TrialIdentity& id) {
  // Fields are joined by a character that none of them contains.
  std::string text;
  for (const std::string* field : {&id.problem, &id.method, &id.integrator, &id.kind, &id.what,
                                   &id.problem_hash, &id.binary_hash, &id.machine}) {
    text += *field + '\n';
  }
  for (const MaybeNumber& value : {id.tolerance, id.step, id.end_time})
    text += value ? fmt::format("{:.17g}\n", *value) : "-\n";
  text += std::to_string(id.round);
  // The name space of the store's keys, drawn once at random.
  constexpr boost::uuids::uuid kNameSpace{{0x2d, 0x0f, 0x5c, 0x7e, 0x91, 0x4a, 0x4b, 0x1c, 0x9e,
                                           0x33, 0x6b, 0xd8, 0x54, 0xa7, 0xe0, 0x12}};
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(kNameSpace)(text));
}

std::string RandomId() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

std::string UtcNow() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string UriToRead(const fs::path& path) {
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    if (std::strchr("%?#", c) != nullptr)
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      uri += c;
  }
  std::error_code ignored;
  const bool has_room =
      faccessat(AT_FDCWD, fs::absolute(path).parent_path().c_str(), W_OK, AT_EACCESS) == 0;
  return has_room || fs::exists(path.string() + "-wal", ignored) ? uri : uri + "?immutable=1";
}

// Data written to a deleted file is lost at the end of the process, although SQLite reports success.
void Store::CheckPlace() const {
  struct stat held {
  }, named{};
  if (fstat(lock_, &held) == 0 && stat(path_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
      held.st_ino == named.st_ino)
    return;
  throw StoreError("the store " + Quoted(path_) +
                   " was deleted or replaced while it was being written: its trials are lost. "
                   "Leave the file in its place, and run again.");
}

// A prepared statement. Parameters are bound in their order in the statement.
class Store::Statement {
 public:
  Statement(const Store& store, const std::string& sql, std::string doing)
      : store_(store), doing_(std::move(doing)) {
    Check(sqlite3_prepare_v2(store.database_, sql.c_str(), -1, &statement_, nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& Bind(const std::string& value) {
    Check(sqlite3_bind_text(statement_, ++bound_, value.data(), static_cast<int>(value.size()),
                            SQLITE_TRANSIENT));
    return *this;
  }

  // A field of a row.
  template <class T>
  void operator()(const char*, const T& value) {
    if constexpr (std::is_integral_v<T>) {
      Check(sqlite3_bind_int64(statement_, ++bound_, value));
    } else if constexpr (std::is_same_v<T, std::string>) {
      Bind(value);
    } else if constexpr (std::is_same_v<T, MaybeNumber>) {
      Check(value ? sqlite3_bind_double(statement_, ++bound_, *value)
                  : sqlite3_bind_null(statement_, ++bound_));
    } else {
      // Text from a crashed child may not be UTF-8; it must not cost the record.
      Bind(ToJson(value).dump(-1, ' ', false, Json::error_handler_t::replace));
    }
  }
  void TextOrNull(const char* name, const std::string& text) {
    if (text.empty())
      Check(sqlite3_bind_null(statement_, ++bound_));
    else
      (*this)(name, text);
  }

  // Whether there is another row.
  bool Step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) Check(code);
    return false;
  }
  sqlite3_stmt* row() const { return statement_; }
  // The documents of a store are objects; the build of a missing base is null. Empty if the document is damaged.
  std::optional<Json> Document(int column, const std::string& owner, bool may_be_null) const {
    Json document = Json::parse(Text(statement_, column), nullptr, false);
    if (document.is_object() || (may_be_null && document.is_null())) return document;
    if (store_.damaged_ == nullptr) {
      throw StoreError(
          "the store " + Quoted(store_.path_) +
          " is damaged: it holds a record that is not a JSON object. Use another copy of "
          "it.");
    }
    store_.AddDamaged(owner);
    return std::nullopt;
  }

 private:
  void Check(int code) const { store_.Check(code, doing_.c_str()); }

  const Store& store_;
  std::string doing_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

// The SQL function is_whole(record) states whether the record of a trial can be read, by the parser that reads it: SQLite's own
// parser accepts more.
void Store::Connect(const std::string& file, int flags) {
  Check(sqlite3_open_v2(file.c_str(), &database_, flags | SQLITE_OPEN_URI, nullptr), "opening");
  sqlite3_busy_timeout(database_, kBusyMilliseconds);
  const auto is_whole = [](sqlite3_context* context, int, sqlite3_value** values) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
    const std::string_view record =
        text ? std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(values[0])))
             : "";
    const bool is_object = record.substr(0, record.find_first_not_of(" \t\r\n") + 1).ends_with('{');
    sqlite3_result_int(context, is_object && Json::accept(record));
  };
  Check(sqlite3_create_function(database_, "is_whole", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                nullptr, is_whole, nullptr, nullptr),
        "opening");
}

// A trial may be read several times.
void Store::AddDamaged(const std::string& what) const {
  const std::string sentence =
      fmt::format("{} in {} could not be read and is left out.", what, Quoted(path_));
  if (std::ranges::find(*damaged_, sentence) == damaged_->end()) damaged_->push_back(sentence);
}

void Store::Check(int code, const char* doing) const {
  if (code == SQLITE_OK) return;
  const std::string name = Quoted(path_);
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      throw StoreError(
          name + " is not a store of mbsbench: it is not an SQLite file. Choose another file.");
    case SQLITE_CORRUPT:
      throw StoreError("the store " + name + " is damaged (" + sqlite3_errmsg(database_) +
                       "). Use another copy of it.");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw StoreInUse("the store " + name +
                       " is in use by another process. Wait until it has ended.");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN: {
      const int system = sqlite3_system_errno(database_);
      throw StoreError("the store " + name + " cannot be opened or written: " +
                       (system != 0 ? std::strerror(system) : sqlite3_errmsg(database_)) +
                       ". Check the file's and its folder's permissions.");
    }
    case SQLITE_FULL:
      throw StoreError("the disk is full: the store " + name +
                       " could not be written. Finished trials are safe.");
    case SQLITE_IOERR: {  // SQLite does not keep the reason
      rlimit sizes{};
      const bool is_limited =
          getrlimit(RLIMIT_FSIZE, &sizes) == 0 && sizes.rlim_cur != RLIM_INFINITY;
      throw StoreError(fmt::format("the store {} failed while {}: {}. Finished trials are safe.",
                                   name, doing,
                                   is_limited ? WriteFault(EFBIG) : sqlite3_errmsg(database_)));
    }
    default:
      throw StoreError(
          fmt::format("the store {} failed while {}: {}.", name, doing, sqlite3_errmsg(database_)));
  }
}

void Store::Execute(const std::string& sql, const char* doing) const {
  Check(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr), doing);
}

void Store::CheckSchema() const {
  const std::string name = Quoted(path_);
  std::string version;
  if (HasTable("meta")) {
    Statement meta(*this, "SELECT value FROM meta WHERE key = 'schema_version'",
                   "reading its version");
    if (meta.Step()) version = Text(meta.row(), 0);
  }
  if (version.empty()) {
    throw StoreError(
        name +
        " is not a store of mbsbench: it is an SQLite file of something else. Give another file by "
        "--store.");
  }
  if (version != kSchemaVersion) {
    throw StoreError(
        fmt::format("the store {} has schema version {}; this mbsbench reads and writes version "
                    "{}. Use the mbsbench that made it, or "
                    "another store.",
                    name, version, kSchemaVersion));
  }
  for (const char* table :
       {"run", "problem", "method", "trial", "coverage", "plan_shard", "bench_run", "bench"}) {
    if (!HasTable(table)) {
      throw StoreError(fmt::format(
          "the store {} is only half written: its table '{}' is missing. Use another copy of it.",
          name, table));
    }
  }
}

bool Store::HasTable(const std::string& name) const {
  return Number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + name + "'",
                "reading its tables") == 1;
}

std::int64_t Store::Number(const std::string& sql, const char* doing) const {
  Statement query(*this, sql, doing);
  query.Step();
  return sqlite3_column_int64(query.row(), 0);
}

Store Store::OpenToRead(const fs::path& path, std::vector<std::string>* damaged) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    throw StoreError("there is no store " + Quoted(path) +
                     ". 'mbsbench run --store FILE' creates one.");
  }
  if (fs::is_directory(path, ignored)) {
    throw StoreError(Quoted(path) + " is a folder, not a store. Choose the file in it.");
  }
  if (fs::file_size(path, ignored) == 0) {
    throw StoreError("the store " + Quoted(path) + " is empty. 'mbsbench run' fills it.");
  }
  Store store(path, damaged);
  // Readers of a WAL file use its shared memory, so the file is not opened read-only. If the file itself is read-only, SQLite
  // opens it so.
  store.Connect(UriToRead(path), SQLITE_OPEN_READWRITE);
  store.CheckSchema();
  store.Execute("PRAGMA query_only = ON", "opening");
  return store;
}

void Store::HoldStill() const { Execute("BEGIN", "opening"); }

Store Store::OpenToWrite(const fs::path& path, std::vector<std::string>* damaged) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw StoreError(Quoted(path) + " is a folder, not a store. Choose a file in it.");
  }
  if (path.has_parent_path()) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) {
      throw StoreError("the folder " + Quoted(path.parent_path()) +
                       " cannot be made: " + error.message() + ". Choose another file.");
    }
  }
  Store store(path, damaged);
  // The only writer holds its own lock on the file for its whole life; SQLite's locks last for one transaction. The lock is
  // closed after the database, because closing any descriptor of the file drops SQLite's locks on it.
  store.lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (store.lock_ < 0) {
    throw StoreError("the store " + Quoted(path) + " cannot be opened for writing: " +
                     std::strerror(errno) + ". Choose another file.");
  }
  if (flock(store.lock_, LOCK_EX | LOCK_NB) != 0) {
    throw StoreInUse("the store " + Quoted(path) +
                     " is being written by another mbsbench. Wait until it has ended, or choose "
                     "another file.");
  }
  store.Connect(fs::absolute(path), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  const bool is_new = store.Number("SELECT count(*) FROM sqlite_master", "reading its tables") == 0;
  if (!is_new) store.CheckSchema();
  store.Execute("PRAGMA journal_mode = WAL", "opening");
  // FULL: a finished trial also survives a power cut. One fsync per trial is negligible.
  store.Execute("PRAGMA synchronous = FULL", "opening");
  if (is_new) {
    store.Execute(fmt::format("BEGIN;{}INSERT INTO meta VALUES ('schema_version', '{}'); COMMIT;",
                              MBSBENCH_EMBEDDED(schema), kSchemaVersion),
                  "creating its tables");
  }
  return store;
}

Store::Store(Store&& other) noexcept { *this = std::move(other); }

Store& Store::operator=(Store&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(damaged_, other.damaged_);
  std::swap(database_, other.database_);
  std::swap(lock_, other.lock_);
  return *this;
}

Store::~Store() {
  sqlite3_close(database_);
  if (lock_ >= 0) close(lock_);
}

namespace {

// In a run in the order of its rows, and the runs by age: stores may be merged in any order.
constexpr char kRowOrder[] =
    "ORDER BY (SELECT started FROM run WHERE id = run_id), "
    "(SELECT rowid FROM run WHERE id = run_id), rowid";

// The table of a type of rows, their order, and the update of a row whose primary key exists. Without an update the row is
// replaced and becomes the newest.
struct Table {
  const char *name, *of, *order, *conflict;
};
template <class Row>
constexpr Table kTable;
// Updated, because a replacement would delete the row to which trials refer.
template <>
constexpr Table kTable<RunRow>{
    "run", "runs", "ORDER BY started, rowid",
    "ON CONFLICT (id) DO UPDATE SET finished = excluded.finished, command = excluded.command, "
    "machine = excluded.machine, build = excluded.build"};
// An updated row keeps its place: reports show problems and methods in the order of their rows.
template <>
constexpr Table kTable<ProblemRow>{"problem", "problems", kRowOrder,
                                   "ON CONFLICT (run_id, name) DO UPDATE SET json = excluded.json"};
template <>
constexpr Table kTable<MethodRow>{"method", "methods", kRowOrder,
                                  "ON CONFLICT (run_id, spec) DO UPDATE SET json = excluded.json"};
template <>
constexpr Table kTable<CoverageRow>{"coverage", "coverage", kRowOrder, ""};
template <>
constexpr Table kTable<TrialRow>{
    "trial", "trials",
    "ORDER BY problem, method, integrator, tolerance DESC, step DESC, kind, round, finished, key",
    ""};
template <>
constexpr Table kTable<ShardRow>{
    "plan_shard", "shards", "ORDER BY plan, number, run_id",
    "ON CONFLICT (run_id, plan, number) DO UPDATE SET finished = excluded.finished, json = "
    "excluded.json"};
template <>
constexpr Table kTable<BenchRunRow>{"bench_run", "benchmarks", "ORDER BY started, rowid",
                                    "ON CONFLICT (id) DO UPDATE SET finished = excluded.finished"};
template <>
constexpr Table kTable<BenchRow>{"bench", "benchmarks", "ORDER BY rowid", ""};

// A row of a table, for sentences about its document.
template <class Row>
std::string Described(const Row&) {
  return fmt::format("A document of its {}", kTable<Row>.of);
}
std::string Described(const TrialRow& trial) {
  const std::string text = fmt::format("The {} trial of {}", trial.kind, trial.Describe());
  return trial.kind == "time" ? fmt::format("{}, round {},", text, trial.round) : text;
}

template <class Row>
std::vector<std::string> ColumnsOf() {
  std::vector<std::string> names;
  ForEachField(Row(), [&names](const char* name, const auto&) { names.emplace_back(name); });
  return names;
}

}  // namespace

// Reads one row. The documents are the last columns.
template <class Row>
class Store::RowReader {
 public:
  RowReader(const Statement& statement, const Row& row) : statement_(statement), row_(row) {}

  template <class T>
  void operator()(const char*, T& value) {
    sqlite3_stmt* const columns = statement_.row();
    const int at = column_++;
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(sqlite3_column_int64(columns, at));
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = Text(columns, at);
    } else if constexpr (std::is_same_v<T, MaybeNumber>) {
      if (sqlite3_column_type(columns, at) != SQLITE_NULL)
        value = IfFinite(sqlite3_column_double(columns, at));
    } else {
      const std::optional<Json> document =
          statement_.Document(at, Described(row_), codec::kIs<T, std::optional>);
      Read(document.value_or(Json::object()), value);
      is_damaged_ = is_damaged_ || !document;
    }
  }
  void TextOrNull(const char* name, std::string& text) { (*this)(name, text); }
  bool is_damaged() const { return is_damaged_; }

 private:
  const Statement& statement_;
  const Row& row_;
  int column_ = 0;
  bool is_damaged_ = false;
};

template <class Row>
void Store::Visit(const std::string& record, const std::string& rest,
                  const std::vector<std::string>& values,
                  const std::function<void(Row&&)>& visit) const {
  const Table& table = kTable<Row>;
  std::vector<std::string> columns = ColumnsOf<Row>();
  std::replace(columns.begin(), columns.end(), std::string("record"), record);
  Statement rows(
      *this, fmt::format("SELECT {}, rowid FROM {} {}", fmt::join(columns, ", "), table.name, rest),
      std::string("reading ") + table.of);
  for (const std::string& value : values) rows.Bind(value);
  while (rows.Step()) {
    Row row;
    RowReader<Row> reader(rows, row);
    Row::Fields(row, reader);
    if constexpr (std::is_same_v<Row, TrialRow>) {
      if (reader.is_damaged()) continue;
      row.number = sqlite3_column_int64(rows.row(), static_cast<int>(columns.size()));
    }
    visit(std::move(row));
  }
}

template <class Row>
std::vector<Row> Store::All(const std::string& condition,
                            const std::vector<std::string>& values) const {
  std::vector<Row> all;
  Visit<Row>("record", condition + kTable<Row>.order, values,
             [&all](Row&& row) { all.push_back(std::move(row)); });
  return all;
}

std::vector<RunRow> Store::Runs() const { return All<RunRow>(); }
std::vector<ProblemRow> Store::Problems() const { return All<ProblemRow>(); }
std::vector<MethodRow> Store::Methods() const { return All<MethodRow>(); }
std::vector<CoverageRow> Store::Coverages() const { return All<CoverageRow>(); }
std::vector<TrialRow> Store::Trials() const { return All<TrialRow>(); }
std::vector<ShardRow> Store::Shards() const { return All<ShardRow>(); }
std::vector<BenchRunRow> Store::BenchRuns() const { return All<BenchRunRow>(); }
std::vector<BenchRow> Store::Benches() const { return All<BenchRow>(); }

template <class Row>
void Store::Put(const Row& row) {
  CheckPlace();
  const Table& table = kTable<Row>;
  const std::vector<std::string> columns = ColumnsOf<Row>(), values(columns.size(), "?");
  Statement insert(*this,
                   fmt::format("INSERT {}INTO {} ({}) VALUES ({}) {}",
                               *table.conflict == '\0' ? "OR REPLACE " : "", table.name,
                               fmt::join(columns, ", "), fmt::join(values, ", "), table.conflict),
                   std::string("writing ") + table.of);
  Row::Fields(row, insert);
  insert.Step();
}
template void Store::Put(const RunRow&);
template void Store::Put(const ProblemRow&);
template void Store::Put(const MethodRow&);
template void Store::Put(const CoverageRow&);
template void Store::Put(const TrialRow&);
template void Store::Put(const ShardRow&);
template void Store::Put(const BenchRunRow&);
template void Store::Put(const BenchRow&);

void Store::ForEachTrialWithoutSeries(const std::function<void(TrialRow&&)>& visit) const {
  std::string series;
  for (const std::string& name : SeriesOfRecords()) series += ", '$." + name + "'";
  Visit<TrialRow>(
      "CASE WHEN json_valid(record) THEN json_remove(record" + series + ") ELSE record END",
      "ORDER BY finished, key", {}, visit);
}

std::map<std::int64_t, TrialRecord> Store::Records(const std::vector<std::int64_t>& numbers) const {
  std::map<std::int64_t, TrialRecord> records;
  for (const std::int64_t number : numbers) {
    Visit<TrialRow>("record", "WHERE rowid = " + std::to_string(number), {},
                    [&](TrialRow&& trial) { records[number] = std::move(trial.record); });
  }
  return records;
}

std::optional<TrialRow> Store::FindTrial(const std::string& key) const {
  std::vector<TrialRow> found = All<TrialRow>("WHERE key = ? ", {key});
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::vector<TrialRow> Store::TrialsWithKey(const std::string& beginning) const {
  return All<TrialRow>("WHERE substr(key, 1, length(?1)) = ?1 ", {beginning});
}

std::vector<TrialRow> Store::TrialsOf(const std::string& problem, const std::string& method) const {
  return All<TrialRow>("WHERE problem = ? AND method = ? ", {problem, method});
}

std::int64_t Store::TrialCount() const {
  return Number("SELECT count(*) FROM trial", "counting trials");
}

std::int64_t Store::NewestTrial() const {
  return Number("SELECT coalesce(max(rowid), 0) FROM trial", "counting trials");
}

std::int64_t Store::ForEachTrialAfter(std::int64_t number,
                                      const std::function<void(const TrialRow&)>& visit) const {
  Visit<TrialRow>("record", fmt::format("WHERE rowid > {} ORDER BY rowid", number), {},
                  [&](TrialRow&& trial) {
                    number = trial.number;
                    visit(trial);
                  });
  return number;
}

void Store::ExportTo(const fs::path& path) const {
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    throw StoreError(Quoted(path) + " exists already. Give the name of a new file.");
  }
  Execute("PRAGMA query_only = OFF", "exporting");
  // Written under another name until complete, so that a process that ends early leaves no file that looks like a store.
  const fs::path partial = path.string() + ".partial";
  fs::remove(partial, ignored);
  try {
    Statement copy(*this, "VACUUM INTO ?", "exporting");
    copy.Bind(fs::absolute(partial).string());
    if (const int code = sqlite3_step(copy.row()); code != SQLITE_DONE) {
      const int system = sqlite3_system_errno(database_);
      throw StoreError(
          fmt::format("{} could not be written: {}. The partial file was removed; give another "
                      "file, or free some space.",
                      Quoted(path),
                      (code & 0xff) == SQLITE_FULL ? "the disk is full"
                      : system != 0                ? std::strerror(system)
                                                   : sqlite3_errmsg(database_)));
    }
    fs::rename(partial, path);
  } catch (...) {
    fs::remove(partial, ignored);
    throw;
  }
}

void Store::CheckWhole() const {
  // Damage inside a page is reported as a row, a truncated file as an error.
  Statement check(*this, "PRAGMA quick_check(1)", "checking it");
  check.Step();
  if (const std::string found = Text(check.row(), 0); found != "ok") {
    throw StoreError("the store " + Quoted(path_) + " is damaged (" + found +
                     "). Use another copy of it.");
  }
}

namespace {

// Gives the runs that the store and a shard both hold the commands, the hosts and the plug-ins of both.
void UniteRuns(const std::vector<RunRow>& shard_runs, Store& store) {
  for (RunRow& run : store.Runs()) {
    const auto other = std::ranges::find(shard_runs, run.id, &RunRow::id);
    if (other == shard_runs.end()) continue;
    run.command = UnitedCommands(run.command, other->command);
    std::vector<std::string>& hosts = run.machine.hosts;
    for (const std::string& host : other->machine.hosts) {
      if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
    }
    AddPlugins(other->build, run.build);
    store.Put(run);
  }
}

auto KeyOf(const CoverageRow& row) { return row.run_id; }
auto KeyOf(const ShardRow& row) { return std::tuple(row.run_id, row.plan, row.number); }
auto ProgressOf(const CoverageRow& row) { return SumOf(row.document.passes).done; }
auto ProgressOf(const ShardRow& row) {
  return std::pair(!row.finished.empty(), SumOf(OrNone(row.document.coverage).passes).done);
}

// Stores the rows of `theirs` that are new or have made more progress than ours.
template <class Row>
void PutFurther(const std::vector<Row>& ours, const std::vector<Row>& theirs, Store& store) {
  for (const Row& row : theirs) {
    const auto is_as_far = [&row](const Row& known) {
      return KeyOf(known) == KeyOf(row) && ProgressOf(known) >= ProgressOf(row);
    };
    if (std::ranges::none_of(ours, is_as_far)) store.Put(row);
  }
}

}  // namespace

ImportCount Store::ImportFrom(const fs::path& shard) {
  std::error_code ignored;
  if (fs::equivalent(shard, path_, ignored)) {
    throw StoreError(Quoted(shard) + " is the store itself. Give the file of another store.");
  }
  ImportCount count;
  const Store other = OpenToRead(shard, &count.damaged);
  other.CheckWhole();
  const std::vector<RunRow> runs = other.Runs();
  const std::vector<CoverageRow> coverages = other.Coverages();
  const std::vector<ShardRow> shards = other.Shards();
  other.Visit<TrialRow>("record", "WHERE NOT is_whole(record)", {}, [](TrialRow&&) {});
  {
    Statement attach(*this, "ATTACH DATABASE ? AS shard", "opening the shard");
    attach.Bind(UriToRead(shard));
    attach.Step();
  }
  try {
    Execute(
        "BEGIN IMMEDIATE;"
        "INSERT INTO run SELECT * FROM shard.run WHERE true ON CONFLICT (id) DO UPDATE SET "
        "  finished = max(coalesce(finished, excluded.finished), "
        "                 coalesce(excluded.finished, finished));"
        "INSERT INTO problem SELECT * FROM shard.problem WHERE true ON CONFLICT (run_id, name) "
        "  DO UPDATE SET json = max(json, excluded.json);"
        "INSERT INTO method SELECT * FROM shard.method WHERE true ON CONFLICT (run_id, spec) "
        "  DO UPDATE SET json = max(json, excluded.json);"
        "INSERT OR IGNORE INTO bench_run SELECT * FROM shard.bench_run;"
        "INSERT OR IGNORE INTO bench SELECT * FROM shard.bench;",
        "importing");
    const auto count_of = [this](const std::string& condition) {
      return Number(
          "SELECT count(*) FROM shard.trial AS theirs WHERE is_whole(theirs.record)" + condition,
          "importing");
    };
    count.present = count_of(
        " AND EXISTS (SELECT 1 FROM main.trial AS ours WHERE ours.key = theirs.key AND "
        "is_whole(ours.record))");
    count.added = count_of("") - count.present;
    // If both have a result of one trial, the later one stays, whichever store is merged first.
    Execute(
        "INSERT OR REPLACE INTO trial SELECT * FROM shard.trial AS theirs WHERE "
        "is_whole(theirs.record) "
        "AND NOT EXISTS (SELECT 1 FROM main.trial AS ours WHERE ours.key = theirs.key AND "
        "is_whole(ours.record) AND "
        "(ours.finished, ours.run_id, ours.record) >= "
        "(theirs.finished, theirs.run_id, theirs.record))",
        "importing");
    UniteRuns(runs, *this);
    PutFurther(Coverages(), coverages, *this);
    PutFurther(Shards(), shards, *this);
    Execute("COMMIT", "importing");
  } catch (...) {
    sqlite3_exec(database_, "ROLLBACK; DETACH DATABASE shard", nullptr, nullptr, nullptr);
    throw;
  }
  Execute("DETACH DATABASE shard", "importing");
  return count;
}

}  // namespace mbsbench
