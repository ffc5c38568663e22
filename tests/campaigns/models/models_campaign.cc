// Tests every method on mutants of valid models: `mutated_models --help`.
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/plugins/plugins.h"
#include "methods/all_methods.h"
#include "problems/io/model_file.h"
#include "tests/campaigns/models/judged_model.h"
#include "tests/campaigns/models/mutant.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kChunk = 50;            // mutants of one process
constexpr std::int64_t kMostBytes = 2LL << 30;  // of one process
constexpr std::uint64_t kSavedOfAKind = 500;    // model files of one kind of finding by one method
constexpr int kMutation = -1;                   // the step before the others: making the mutant

struct Options {
  std::uint64_t count = 2000, seed = 1;
  double minutes = 0;      // 0: as long as it takes
  double time_limit = 10;  // of one step [s]
  int jobs = 0;
  fs::path state = "build/campaigns/models";
  std::vector<fs::path> models, plugins;
  std::vector<std::uint64_t> only;
  std::optional<std::uint64_t> shown;
  bool is_verbose = false;
};

// The progress of a worker, for the process that monitors it.
struct Place {
  std::atomic<std::uint64_t> number;
  std::atomic<int> step;
  std::atomic<std::int64_t> since;  // of the step: Clock's count
};

std::int64_t Now() { return Clock::now().time_since_epoch().count(); }
double SecondsSince(std::int64_t since) {
  return std::chrono::duration<double>(Clock::duration(Now() - since)).count();
}

// Gives mutants of a seed, or files, one after the other.
class Models {
 public:
  explicit Models(const Options& options) : options_(options) {
    if (options.models.empty()) sources_ = SourceModels();
    for (const fs::path& path : options.models) {
      if (fs::is_directory(path)) {
        for (const auto& entry : fs::directory_iterator(path)) {
          if (entry.path().extension() == ".json") files_.push_back(entry.path());
        }
      } else {
        files_.push_back(path);
      }
    }
    std::sort(files_.begin(), files_.end());
  }
  std::uint64_t count() const {
    return !options_.only.empty() ? options_.only.size()
           : are_mutants()        ? options_.count
                                  : files_.size();
  }
  // Whether these are all mutants of a seed, whose findings are kept and which continue in the next
  // session.
  bool are_campaign() const { return are_mutants() && options_.only.empty(); }

  std::string NameOf(std::uint64_t number) const {
    return are_mutants() ? fmt::format("mutant-{}-{}", options_.seed, MutantOf(number))
                         : files_[number].string();
  }
  // The text of a model file; empty: no mutant has this number.
  std::string TextOf(std::uint64_t number) const {
    if (are_mutants()) return TextOfMutant(MutantOf(number));
    std::ifstream in(files_[number]);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string TextOfMutant(std::uint64_t mutant_number) const {
    std::optional<Mutant> mutant = MakeMutant(sources_, options_.seed, mutant_number);
    if (!mutant) return "";
    mutant->problem.description =
        fmt::format("From {}: {}.", mutant->from, fmt::join(mutant->changes, ", "));
    return WriteModel(mutant->problem);
  }

 private:
  bool are_mutants() const { return !sources_.empty(); }
  std::uint64_t MutantOf(std::uint64_t number) const {
    return options_.only.empty() ? number : options_.only[number];
  }

  const Options& options_;
  std::vector<Problem> sources_;
  std::vector<fs::path> files_;
};

void Write(int descriptor, const json& line) {
  const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(descriptor, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) _exit(1);
    if (n > 0) at += static_cast<std::size_t>(n);
  }
}

struct Chunk {
  std::uint64_t next = 0, end = 0;
  int step = kMutation;   // the first one of model `next`
  bool has_truth = true;  // of model `next`: the step that gives it has not ended the process
  std::vector<json> lines;
};

// Runs a chunk in a separate process.
void Work(const Models& models, const std::vector<MethodChoice>& methods, const Chunk& chunk,
          Place& place, int out) {
  for (std::uint64_t number = chunk.next; number < chunk.end; ++number) {
    const bool goes_on = number == chunk.next && chunk.step > kMutation;
    const auto begin = [&](int step) {
      place.number = number;
      place.step = step;
      place.since = Now();
    };
    const auto report = [&](int step, const std::string& name, const Judgement& judged) {
      json line{{"number", number}, {"step", step}, {"method", name}, {"kind", Name(judged.kind)}};
      if (IsFinding(judged.kind) || judged.kind == Judgement::Kind::kRefused)
        line["sentence"] = judged.sentence;
      if (IsFinding(judged.kind)) line["is_finding"] = true;
      Write(out, line);
    };
    begin(kMutation);
    std::string text;
    try {
      text = models.TextOf(number);
    } catch (const std::exception& error) {
      report(kMutation, "mutation", {Judgement::Kind::kInternalError, NAN, NAN, error.what()});
      continue;
    }
    if (text.empty()) {
      report(kMutation, "mutation", {Judgement::Kind::kUnsupported, NAN, NAN, ""});
      continue;
    }
    ModelUnderTest model(text, methods);
    for (int step = 0; step < model.steps(); ++step) {
      const bool is_known = goes_on && step < chunk.step;
      // Repeats steps that later ones need.
      if (is_known && step != ModelUnderTest::kReading &&
          !(step == ModelUnderTest::kTruth && chunk.has_truth))
        continue;
      begin(step);
      const Judgement judged = model.Take(step);
      if (!is_known) report(step, model.StepName(step), judged);
      if (!model.is_read()) break;
    }
  }
}

class Worker {
 public:
  Worker(const Models& models, const std::vector<MethodChoice>& methods, Chunk& chunk)
      : chunk_(chunk) {
    place_ = static_cast<Place*>(
        mmap(nullptr, sizeof(Place), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    new (place_) Place{chunk.next, kMutation, Now()};
    int ends[2];
    if (place_ == MAP_FAILED || pipe(ends) != 0) throw ModelError("no worker could be started.");
    std::fflush(nullptr);
    process_ = fork();
    if (process_ < 0) throw ModelError("no worker could be started.");
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      const rlimit memory{static_cast<rlim_t>(kMostBytes), static_cast<rlim_t>(kMostBytes)};
      setrlimit(RLIMIT_DATA, &memory);
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      Work(models, methods, chunk, *place_, ends[1]);
      _exit(0);
    }
    close(ends[1]);
    in_ = ends[0];
  }
  ~Worker() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    close(in_);
    munmap(place_, sizeof(Place));
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  int descriptor() const { return in_; }
  Chunk& chunk() { return chunk_; }
  std::uint64_t number() const { return place_->number; }
  int step() const { return place_->step; }

  // False at the end of its output.
  bool Read() {
    char buffer[65536];
    const ssize_t n = read(in_, buffer, sizeof buffer);
    if (n <= 0) return n < 0 && errno == EINTR;
    text_.append(buffer, static_cast<std::size_t>(n));
    for (std::size_t end; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1))
      chunk_.lines.push_back(json::parse(text_.substr(0, end)));
    return true;
  }
  void KillWhereItHangs(double limit) {
    if (is_hung_ || SecondsSince(place_->since) <= limit) return;
    is_hung_ = true;
    kill(process_, SIGKILL);
  }
  // Empty if all its work is done.
  std::optional<Judgement> End() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    if (is_hung_) return Judgement{Judgement::Kind::kHung, NAN, NAN, "no end within the limit"};
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
    return Judgement{
        Judgement::Kind::kCrashed, NAN, NAN,
        WIFSIGNALED(status)
            ? fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
            : fmt::format("it left with exit code {}", WEXITSTATUS(status))};
  }

 private:
  Chunk& chunk_;
  Place* place_ = nullptr;
  pid_t process_ = -1;
  int in_ = -1;
  bool is_hung_ = false;
  std::string text_;
};

volatile std::sig_atomic_t is_interrupted = 0;

// The findings, written to disk after each chunk.
class State {
 public:
  State(const Options& options, const Models& models, const std::vector<MethodChoice>& methods)
      : options_(options), models_(models), methods_(methods) {
    if (!models.are_campaign()) return;
    fs::create_directories(options.state);
    if (std::ifstream in(File()); in) document_ = json::parse(in);
    if (document_.contains("seed") && document_["seed"] != options.seed)
      throw ModelError(
          fmt::format("'{}' holds a campaign of seed {}: go on with --seed {}, or give "
                      "another folder by --state.",
                      options.state.string(), document_["seed"].get<std::uint64_t>(),
                      document_["seed"].get<std::uint64_t>()));
    document_["seed"] = options.seed;
  }

  std::uint64_t next() const { return document_.value("next", std::uint64_t{0}); }
  std::uint64_t findings() const { return document_.value("findings", std::uint64_t{0}); }

  void Add(const Chunk& chunk) {
    for (const json& line : chunk.lines) Add(line);
    document_["next"] = chunk.end;
    if (models_.are_campaign()) {
      std::ofstream(File().string() + ".new") << document_.dump(1) << "\n";
      fs::rename(File().string() + ".new", File());
    }
  }

  void Print() const {
    const json tally = document_.value("tally", json::object());
    std::vector<std::string> kinds;
    for (int k = 0; k <= static_cast<int>(Judgement::Kind::kHung); ++k)
      kinds.emplace_back(Name(static_cast<Judgement::Kind>(k)));
    fmt::print("{:<34}", "");
    for (const std::string& kind : kinds) fmt::print(" {:>15}", kind);
    fmt::print("\n");
    std::vector<std::string> rows{"mutation", "reading", "check", "reference"};
    for (const MethodChoice& method : methods_) rows.push_back(method.spec);
    for (const std::string& row : rows) {
      if (!tally.contains(row)) continue;
      fmt::print("{:<34}", row);
      for (const std::string& kind : kinds)
        fmt::print(" {:>15}", tally[row].value(kind, std::uint64_t{0}));
      fmt::print("\n");
    }
    fmt::print("{} models, {} findings\n", next(), findings());
  }

 private:
  fs::path File() const { return options_.state / "state.json"; }
  void Add(const json& line) {
    const std::string method = line["method"], kind = line["kind"];
    json& count = document_["tally"][method][kind];
    count = count.is_null() ? std::uint64_t{1} : count.get<std::uint64_t>() + 1;
    const auto number = line["number"].get<std::uint64_t>();
    if (options_.is_verbose && line.contains("sentence"))
      fmt::print("{}: {}: {}: {}\n", models_.NameOf(number), method, kind,
                 line["sentence"].get<std::string>());
    if (!line.contains("is_finding")) return;
    document_["findings"] = findings() + 1;
    if (!options_.is_verbose)
      fmt::print("FOUND {}: {}: {}: {}\n", models_.NameOf(number), method, kind,
                 line["sentence"].get<std::string>());
    if (models_.are_campaign() && count.get<std::uint64_t>() <= kSavedOfAKind &&
        line["step"] != kMutation) {
      fs::create_directories(options_.state / "findings");
      std::ofstream(options_.state / "findings" / (models_.NameOf(number) + ".json"))
          << models_.TextOf(number);
    }
  }

  const Options& options_;
  const Models& models_;
  const std::vector<MethodChoice>& methods_;
  json document_ = json::object();
};

int Campaign(const Options& options) {
  std::vector<MethodEntry> entries = AllMethods();
  for (const fs::path& plugin : options.plugins) {
    for (MethodEntry& entry : LoadPlugin(plugin).methods) entries.push_back(std::move(entry));
  }
  const std::vector<MethodChoice> methods = AccelerationMethods(entries);
  const Models models(options);
  if (options.shown) {
    fmt::print("{}\n", models.TextOfMutant(*options.shown));
    return 0;
  }
  State state(options, models, methods);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { is_interrupted = 1; });
  const auto jobs = static_cast<std::size_t>(
      options.jobs > 0 ? options.jobs : std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  const std::int64_t start = Now();
  const auto is_over = [&] {
    return is_interrupted != 0 ||
           (options.minutes > 0 && SecondsSince(start) > 60 * options.minutes);
  };
  struct Piece {
    Chunk chunk;
    std::unique_ptr<Worker> worker;
    bool is_done = false;
  };
  std::deque<Piece> pieces;  // in order; a piece counts when all before it do
  std::uint64_t next = state.next();
  for (;;) {
    while (!pieces.empty() && pieces.front().is_done) {
      state.Add(pieces.front().chunk);
      pieces.pop_front();
    }
    std::size_t running = 0;
    for (const Piece& piece : pieces) running += piece.is_done ? 0 : 1;
    while (running < jobs && pieces.size() < 8 * jobs && next < models.count() && !is_over()) {
      Piece& piece = pieces.emplace_back();
      piece.chunk.next = next;
      piece.chunk.end = next = std::min(next + kChunk, models.count());
      piece.worker = std::make_unique<Worker>(models, methods, piece.chunk);
      ++running;
    }
    if (running == 0) break;
    if (is_interrupted != 0) break;  // unfinished work is repeated
    std::vector<pollfd> polled;
    std::vector<Piece*> of;
    for (Piece& piece : pieces) {
      if (piece.is_done) continue;
      piece.worker->KillWhereItHangs(options.time_limit);
      polled.push_back({piece.worker->descriptor(), POLLIN, 0});
      of.push_back(&piece);
    }
    poll(polled.data(), polled.size(), 200);
    for (std::size_t i = 0; i < polled.size(); ++i) {
      Piece& piece = *of[i];
      if (polled[i].revents == 0 || piece.worker->Read()) continue;
      const std::uint64_t number = piece.worker->number();
      const int step = piece.worker->step();
      const std::optional<Judgement> end = piece.worker->End();
      Chunk& chunk = piece.chunk;
      if (!end) {
        piece.is_done = true;
        continue;
      }
      const ModelUnderTest any("", methods);
      chunk.lines.push_back({{"number", number},
                             {"step", step},
                             {"method", step == kMutation ? "mutation" : any.StepName(step)},
                             {"kind", Name(end->kind)},
                             {"sentence", end->sentence},
                             {"is_finding", true}});
      chunk.has_truth = (chunk.has_truth || number != chunk.next) && step != ModelUnderTest::kTruth;
      chunk.next = number;
      chunk.step = step + 1;
      if (step <= ModelUnderTest::kReading || chunk.step == any.steps()) {
        ++chunk.next;
        chunk.step = kMutation;
        chunk.has_truth = true;
      }
      if (chunk.next == chunk.end) {
        piece.is_done = true;
      } else {
        piece.worker = std::make_unique<Worker>(models, methods, chunk);
      }
    }
  }
  state.Print();
  return state.findings() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace mbsbench

int main(int argc, char** argv) {
  mbsbench::Options options;
  CLI::App app{
      "Makes valid models from valid models and holds every method against accelerations in 113 "
      "bits. A crash, a hang,\nan exception that is no sentence and accelerations that are wrong "
      "by more than 1e-6 and by more than their\ncondition times 1e-14 are findings: each is kept "
      "as a model file. Goes on where the state's folder says."};
  app.footer("Exit codes: 0 nothing found; 1 something was; 2 bad usage.");
  app.add_option("--count", options.count, "Mutants in all")->capture_default_str();
  app.add_option("--seed", options.seed, "Of the mutants")->capture_default_str();
  CLI::Option* only = app.add_option(
      "--only", options.only, "Numbers of mutants: these alone are judged, and no state is kept");
  app.add_option("--minutes", options.minutes, "Of this sitting (as long as it takes)");
  app.add_option("--time-limit", options.time_limit, "Seconds of one method on one model")
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "Processes at a time (one per processor)");
  app.add_option("--state", options.state, "Folder of the state and of the findings")
      ->capture_default_str();
  app.add_option("--models", options.models, "Model files or folders of them, in place of mutants")
      ->excludes(only);
  app.add_option("--plugin", options.plugins, "Methods besides ours");
  app.add_option("--show", options.shown, "Print the model file of this mutant, and do nothing");
  app.add_flag("--verbose", options.is_verbose, "Refusals too");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return mbsbench::Campaign(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "mutated_models: {}\n", error.what());
    return 2;
  }
}
