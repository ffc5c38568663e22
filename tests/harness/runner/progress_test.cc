// The progress of a run as users see it, on a terminal (read from the other end of a pseudo-terminal) and elsewhere.
#include "harness/runner/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/support/command.h"

namespace mbsbench {
namespace {

std::string LineAt(const std::string& what) {
  return ProgressLine(2, {.planned = 3000, .done = 120, .seconds_left = 1500}, 200, what);
}

std::function<std::string()> At(const std::string& what) {
  return [what] { return LineAt(what); };
}

TEST(Progress, StatesPassTrialsTimeLeftAndTheCurrentTrial) {
  const std::string line = LineAt("branch4 by kane-huston");
  for (const char* part : {"2 of 8", "120/3000", "25 min", "3 min", "branch4 by kane-huston"})
    EXPECT_THAT(line, testing::HasSubstr(part));
  EXPECT_THAT(ProgressLine(1, {.seconds_left = 10}, INFINITY, "x"),
              testing::Not(testing::HasSubstr("stops")));
}

// A terminal of so many columns and what has been written to it.
class Terminal {
 public:
  explicit Terminal(unsigned short columns) : columns_(columns) {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = columns;
    int writer = -1;
    EXPECT_EQ(0, openpty(&reader_, &writer, nullptr, nullptr, &size));
    fcntl(reader_, F_SETFL, O_NONBLOCK);
    stream_ = fdopen(writer, "w");
  }
  ~Terminal() {
    fclose(stream_);
    close(reader_);
  }
  std::FILE* stream() { return stream_; }

  // Shows what has come since the last call.
  void Read() {
    char buffer[4096];
    for (ssize_t n; (n = read(reader_, buffer, sizeof buffer)) > 0;) {
      bytes_ += static_cast<std::size_t>(n);
      for (ssize_t i = 0; i < n; ++i) Take(buffer[i]);
    }
  }
  // Those that stay, and the one that the cursor is on.
  const std::vector<std::string>& lines() const { return lines_; }
  const std::string& line() const { return line_; }
  bool has_wrapped() const { return has_wrapped_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void Take(char c) {
    if (!escape_.empty() || c == '\033') {
      escape_ += c;
      if (std::isalpha(static_cast<unsigned char>(c))) {
        EXPECT_EQ("\033[K", escape_) << "all that is needed: erase to the end of the line";
        line_.resize(std::min(line_.size(), column_));
        escape_.clear();
      }
    } else if (c == '\r') {
      column_ = 0;
    } else if (c == '\n') {
      lines_.push_back(line_);
      line_.clear();
      column_ = 0;
    } else {
      line_.resize(std::max(line_.size(), column_ + 1), ' ');
      line_[column_++] = c;
      has_wrapped_ = has_wrapped_ || column_ >= columns_;
    }
  }

  std::size_t columns_, column_ = 0, bytes_ = 0;
  int reader_ = -1;
  std::FILE* stream_ = nullptr;
  std::vector<std::string> lines_;
  std::string line_, escape_;
  bool has_wrapped_ = false;
};

const std::string kLong =
    "a_model_file_with_a_name_that_is_longer_than_any_line by riccati-mstmm:general,baumgarte, "
    "fehlberg8 1e-12, accuracy";

TEST(ProgressOnATerminal, IsOneLineThatIsRewrittenInPlaceAndNeverWraps) {
  Terminal terminal(80);
  double now = 1000;
  {
    Progress progress(terminal.stream(), [&now] { return now; });
    progress.Show(At(kLong));
    terminal.Read();
    EXPECT_THAT(terminal.line(), testing::StartsWith("[pass 2 of 8, 120/3000] about 25 min left"));
    for (int i = 0; i < 50; ++i) {
      now += 1;
      progress.Show(At(i % 2 ? "short" : kLong));
      terminal.Read();
      EXPECT_TRUE(terminal.lines().empty()) << "no line but the one";
      EXPECT_LT(terminal.line().size(), 80u);
    }
    EXPECT_THAT(terminal.line(), testing::EndsWith(": short")) << "nothing is left of a longer one";
    progress.Say("DISAGREEMENT on x");
    terminal.Read();
    EXPECT_EQ(std::vector<std::string>{"DISAGREEMENT on x"}, terminal.lines())
        << "in the line's place";
    now += 1;
    progress.Show(At(kLong));
  }
  terminal.Read();
  EXPECT_EQ("", terminal.line()) << "it is cleared in the end";
  EXPECT_EQ(1u, terminal.lines().size());
  EXPECT_FALSE(terminal.has_wrapped());
}

TEST(ProgressOnATerminal, FitsANarrowWindow) {
  Terminal terminal(30);
  Progress progress(terminal.stream());
  progress.Show(At(kLong));
  terminal.Read();
  EXPECT_EQ(29u, terminal.line().size());
  EXPECT_FALSE(terminal.has_wrapped());
}

TEST(ProgressOnATerminal, IsLimitedInItsRateOfOutput) {
  Terminal terminal(80);
  double now = 0;
  int states = 0;
  Progress progress(terminal.stream(), [&now] { return now; });
  for (int i = 0; i < 10'000; ++i) {  // trials of a millisecond
    now += 1e-3;
    progress.Show([&] { return ++states, kLong; });
    terminal.Read();
  }
  EXPECT_NEAR(50, states, 1) << "five a second, and no line is made for nothing";
  EXPECT_LT(terminal.bytes(), 51u * 90);
}

TEST(ProgressElsewhere, IsAPlainLineEveryThirtySeconds) {
  const TemporaryFolder folder;
  const std::string file = folder.File("log");
  double now = 0;
  {
    std::FILE* const stream = fopen(file.c_str(), "w");
    Progress progress(stream, [&now] { return now; });
    for (int i = 0; i < 950; ++i) {
      now += 0.1;
      progress.Show(At("pendulum by kane-huston, time"));
    }
    fclose(stream);
  }
  std::ifstream written(file);
  int lines = 0;
  for (std::string line; std::getline(written, line); ++lines) {
    EXPECT_THAT(line, testing::EndsWith("this call stops in 3 min: pendulum by kane-huston, time"));
    EXPECT_THAT(line, testing::Not(testing::HasSubstr("\r")));
    EXPECT_THAT(line, testing::Not(testing::HasSubstr("\033")));
  }
  EXPECT_EQ(3, lines) << "in 95 s";
}

}  // namespace
}  // namespace mbsbench
