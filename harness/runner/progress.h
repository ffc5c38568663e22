// Shows the progress of a command: one line that is rewritten on a terminal, or a plain line every 30 seconds elsewhere.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "harness/records/plan_record.h"
#include "harness/runner/cells/wall_clock.h"

namespace mbsbench {

// "[pass 1 of 8, 12/345] about 20 min left, this call stops in 3 min: pendulum by kane-huston, round 1"; the time left is stated
// once it is known. `steps`: of the whole run; `budget_left`: of this call, infinite without a limit.
std::string ProgressLine(int pass, const PassRecord& steps, double budget_left,
                         const std::string& what);

// "45 s", "12 min", "2 h 5 min"
std::string RoughDuration(double seconds);

class Progress {
 public:
  // No output if `stream` is null. `now`: seconds since any fixed moment.
  explicit Progress(std::FILE* stream, std::function<double()> now = WallSeconds);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `text` is only called if a line is due.
  void Show(const std::function<std::string()>& text);
  // A step has ended: always a line where there is no terminal, where Show would leave it out.
  void ShowEnd(const std::string& text);
  // A line that stays.
  void Say(const std::string& sentence);

 private:
  void Clear();
  void Put(const std::string& text);

  std::FILE* stream_;
  std::function<double()> now_;
  bool terminal_ = false, line_shown_ = false;
  double last_shown_;  // time of the last line; initially the time that delays the first one
};

}  // namespace mbsbench
