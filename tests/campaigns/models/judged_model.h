// Judges every method on one model: the result of each step.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "harness/runner/cells/trial.h"
#include "methods/interface/method.h"

namespace mbsbench {

struct Judgement {
  enum class Kind {
    kRight,
    kIllConditioned,  // wrong, and the condition explains it
    kRefused,         // by a sentence
    kUnsupported,
    kNotJudged,  // no truth is known
    // Findings:
    kWrong,
    kInternalError,  // an exception that is not a ModelError: exit code 4
    kOutOfMemory,
    kCrashed,
    kHung,
  };
  Kind kind = Kind::kRight;
  double error = NAN;      // AccelerationError against 113 bits
  double condition = NAN;  // where it was needed
  std::string sentence;
};
const char* Name(Judgement::Kind kind);
inline bool IsFinding(Judgement::Kind kind) { return kind >= Judgement::Kind::kWrong; }

// Accelerations further from the truth than this, and than kRoundOff times their condition, are wrong.
inline constexpr double kWrongAbove = 1e-6, kRoundOff = 1e-14;

// All variants that give accelerations, of these methods.
std::vector<MethodChoice> AccelerationMethods(const std::vector<MethodEntry>& methods);

// A model from reading to verdicts. Steps: reading (and writing: the same bits), the report of `check`,
// the truth, then one per method. Steps may be taken in any order, and any may be omitted.
class ModelUnderTest {
 public:
  static constexpr int kReading = 0, kCheck = 1, kTruth = 2, kFirstMethod = 3;

  // `text`: of the model file.
  ModelUnderTest(std::string text, const std::vector<MethodChoice>& methods);

  int steps() const { return kFirstMethod + static_cast<int>(methods_.size()); }
  std::string StepName(int step) const;
  // Crashes or hangs if the called code does.
  Judgement Take(int step);
  bool is_read() const { return prepared_ != nullptr; }

 private:
  Judgement Read();
  Judgement Truth();
  Judgement Method(const MethodChoice& method);

  std::string text_;
  const std::vector<MethodChoice>& methods_;
  std::unique_ptr<PreparedCell> prepared_;  // without a method
  AccelerationScale scale_;
  std::vector<double> truth_;  // AccelerationNumbers; empty: not known
};

}  // namespace mbsbench
