// Tells a user how far a run is: one line rewritten on a terminal, plain lines now and then
// elsewhere.
#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <string>

namespace mbsbench {

enum class TrialKind { kAgreement, kAccuracy, kEvaluation, kTime };
std::string_view Name(TrialKind kind);  // as in the store

class Progress {
 public:
  explicit Progress(std::FILE* stream);  // nullptr: silent
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Trials to come, and trials that turned out not to be needed.
  void Expect(TrialKind kind, std::int64_t trials);
  // One trial is over; `seconds` 0 where it was found or needed no process.
  void Did(TrialKind kind, const std::string& what, double seconds);
  // A line that stays.
  void Say(const std::string& sentence);

 private:
  struct Tally {
    std::int64_t expected = 0, done = 0, timed = 0;
    double seconds = 0;
  };
  double SecondsLeft() const;
  void Show(const std::string& what);
  void Clear();

  std::FILE* stream_;
  bool terminal_ = false, line_shown_ = false;
  std::array<Tally, 4> tallies_;
  std::chrono::steady_clock::time_point last_shown_;
};

}  // namespace mbsbench
