#include "harness/runner/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "harness/runner/plan/plan.h"
#include "harness/store/printable.h"

namespace mbsbench {

namespace {

constexpr double kRewriteSeconds = 0.2;  // on a terminal
constexpr double kPlainSeconds = 30;     // elsewhere

}  // namespace

std::string RoughDuration(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  if (s < 90) return fmt::format("{} s", s);
  if (s < 5400) return fmt::format("{} min", (s + 30) / 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

std::string ProgressLine(int pass, const PassRecord& steps, double budget_left,
                         const std::string& what) {
  std::string line =
      fmt::format("[pass {} of {}, {}/{}]", pass, kPasses, steps.done, steps.planned);
  const double left = steps.seconds_left;
  if (std::isfinite(left)) line += fmt::format(" about {} left", RoughDuration(left));
  if (std::isfinite(budget_left) && !(budget_left >= left)) {
    line += fmt::format("{} this call stops in {}", std::isfinite(left) ? "," : "",
                        RoughDuration(std::max(0., budget_left)));
  }
  return line + ": " + what;
}

Progress::Progress(std::FILE* stream, std::function<double()> now)
    : stream_(stream),
      now_(std::move(now)),
      terminal_(stream != nullptr && isatty(fileno(stream)) == 1),
      // Without a terminal the first line is delayed, so that a short run prints none.
      last_shown_(terminal_ ? -INFINITY : now_()) {}

Progress::~Progress() { Clear(); }

void Progress::Say(const std::string& sentence) {
  if (stream_ == nullptr) return;
  Clear();
  Put(Printable(sentence) + "\n");
}

void Progress::ShowEnd(const std::string& text) {
  if (terminal_)
    Show([&text] { return text; });
  else
    Say(PrintableLine(text));
}

void Progress::Show(const std::function<std::string()>& text) {
  if (stream_ == nullptr) return;
  const double now = now_();
  if (now - last_shown_ < (terminal_ ? kRewriteSeconds : kPlainSeconds)) return;
  last_shown_ = now;
  std::string line = PrintableLine(text());
  if (!terminal_) {
    Put(line + "\n");
  } else {
    winsize window{};
    const bool known = ioctl(fileno(stream_), TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    line.resize(std::min<std::size_t>(line.size(), known ? window.ws_col - 1u : 79u));
    Put("\r\033[K" + line);
    line_shown_ = true;
  }
}

void Progress::Clear() {
  if (!line_shown_) return;
  Put("\r\033[K");
  line_shown_ = false;
}

// Errors are ignored: a run does not end because a line cannot be written.
void Progress::Put(const std::string& text) {
  std::fputs(text.c_str(), stream_);
  std::fflush(stream_);
}

}  // namespace mbsbench
