#include "harness/runner/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace mbsbench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kRewriteSeconds = 0.1;  // on a terminal
constexpr double kPlainSeconds = 10;     // elsewhere
constexpr double kGuessSeconds = 0.3;    // of a trial before any of its kind has been seen

std::string Duration(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  if (s < 90) return fmt::format("{} s", s);
  if (s < 5400) return fmt::format("{} min", (s + 30) / 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

}  // namespace

std::string_view Name(TrialKind kind) {
  switch (kind) {
    case TrialKind::kAgreement: return "agreement";
    case TrialKind::kAccuracy: return "accuracy";
    case TrialKind::kEvaluation: return "evaluation";
    case TrialKind::kTime: return "time";
  }
  return "";
}

Progress::Progress(std::FILE* stream)
    : stream_(stream), terminal_(stream != nullptr && isatty(fileno(stream)) == 1) {}

Progress::~Progress() { Clear(); }

void Progress::Expect(TrialKind kind, std::int64_t trials) {
  tallies_[static_cast<std::size_t>(kind)].expected += trials;
}

void Progress::Did(TrialKind kind, const std::string& what, double seconds) {
  Tally& tally = tallies_[static_cast<std::size_t>(kind)];
  ++tally.done;
  if (seconds > 0) {
    ++tally.timed;
    tally.seconds += seconds;
  }
  Show(fmt::format("{}, {}", what, Name(kind)));
}

void Progress::Say(const std::string& sentence) {
  if (stream_ == nullptr) return;
  Clear();
  fmt::print(stream_, "{}\n", sentence);
  std::fflush(stream_);
}

double Progress::SecondsLeft() const {
  double seconds = 0;
  for (const Tally& t : tallies_) {
    const double each = t.timed > 0 ? t.seconds / static_cast<double>(t.timed) : kGuessSeconds;
    seconds += each * static_cast<double>(std::max<std::int64_t>(0, t.expected - t.done));
  }
  return seconds;
}

void Progress::Show(const std::string& what) {
  if (stream_ == nullptr) return;
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_shown_).count();
  if (since < (terminal_ ? kRewriteSeconds : kPlainSeconds)) return;
  last_shown_ = now;
  std::int64_t done = 0, expected = 0;
  for (const Tally& t : tallies_) {
    done += t.done;
    expected += t.expected;
  }
  std::string line =
      fmt::format("[{}/{}] about {} left: {}", done, expected, Duration(SecondsLeft()), what);
  if (!terminal_) {
    fmt::print(stream_, "{}\n", line);
  } else {
    winsize window{};
    const bool known = ioctl(fileno(stream_), TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    line.resize(std::min<std::size_t>(line.size(), known ? window.ws_col - 1u : 79u));
    fmt::print(stream_, "\r\033[K{}", line);
    line_shown_ = true;
  }
  std::fflush(stream_);
}

void Progress::Clear() {
  if (!line_shown_) return;
  fmt::print(stream_, "\r\033[K");
  std::fflush(stream_);
  line_shown_ = false;
}

}  // namespace mbsbench
