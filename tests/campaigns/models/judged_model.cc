#include "tests/campaigns/models/judged_model.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "harness/metrics/acceleration_error.h"
#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/measured_condition.h"
#include "harness/support/support.h"
#include "problems/io/check.h"
#include "problems/io/model_file.h"
#include "reference/reference.h"

namespace mbsbench {

const char* Name(Judgement::Kind kind) {
  switch (kind) {
    case Judgement::Kind::kRight: return "right";
    case Judgement::Kind::kIllConditioned: return "ill-conditioned";
    case Judgement::Kind::kRefused: return "refused";
    case Judgement::Kind::kUnsupported: return "unsupported";
    case Judgement::Kind::kNotJudged: return "not judged";
    case Judgement::Kind::kWrong: return "wrong";
    case Judgement::Kind::kInternalError: return "internal error";
    case Judgement::Kind::kOutOfMemory: return "out of memory";
    case Judgement::Kind::kCrashed: return "crashed";
    case Judgement::Kind::kHung: return "hung";
  }
  return "";
}

std::vector<MethodChoice> AccelerationMethods(const std::vector<MethodEntry>& methods) {
  std::vector<MethodChoice> choices;
  for (const MethodEntry& entry : methods) {
    for (MethodChoice& choice : VariantsOf(entry)) {
      if (choice.form() != Form::kAlgebraic) choices.push_back(std::move(choice));
    }
  }
  return choices;
}

ModelUnderTest::ModelUnderTest(std::string text, const std::vector<MethodChoice>& methods)
    : text_(std::move(text)), methods_(methods) {}

std::string ModelUnderTest::StepName(int step) const {
  switch (step) {
    case kReading: return "reading";
    case kCheck: return "check";
    case kTruth: return "reference";
    default: return methods_[static_cast<std::size_t>(step - kFirstMethod)].spec;
  }
}

Judgement ModelUnderTest::Take(int step) try {
  switch (step) {
    case kReading: return Read();
    case kCheck: CheckReport(prepared_->problem, {}); return {};
    case kTruth: return Truth();
    default: return Method(methods_[static_cast<std::size_t>(step - kFirstMethod)]);
  }
} catch (const ModelError& refused) {
  return {Judgement::Kind::kRefused, NAN, NAN, refused.what()};
} catch (const std::bad_alloc&) {
  return {Judgement::Kind::kOutOfMemory, NAN, NAN, "memory is exhausted"};
} catch (const std::exception& error) {
  return {Judgement::Kind::kInternalError, NAN, NAN, error.what()};
}

Judgement ModelUnderTest::Read() {
  Problem problem = ParseModel(text_, "model.json");
  if (const std::string written = WriteModel(problem);
      WriteModel(ParseModel(written, "written.json")) != written)
    return {Judgement::Kind::kWrong, NAN, NAN, "what is written and read again differs"};
  SystemState initial = InitialState(problem);
  scale_ = AccelerationScaleOf(problem, initial.bodies);
  prepared_ =
      std::make_unique<PreparedCell>(PreparedCell{{}, std::move(problem), std::move(initial), {}});
  return {};
}

Judgement ModelUnderTest::Truth() {
  std::vector<BodyAcceleration> truth;
  for (const ReferenceAcceleration& a :
       ReferenceAccelerations(prepared_->problem.system, prepared_->initial.joints).accelerations)
    truth.push_back({a.acceleration, a.angular_acceleration});
  std::vector<double> numbers = AccelerationNumbers(prepared_->problem.system, truth);
  for (double number : numbers) {
    if (!std::isfinite(number))
      return {Judgement::Kind::kRefused, NAN, NAN, "its accelerations are not finite"};
  }
  truth_ = std::move(numbers);
  return {};
}

Judgement ModelUnderTest::Method(const MethodChoice& method) {
  const Problem& problem = prepared_->problem;
  if (const Verdict verdict = VerdictOf(*method.entry, problem.system, method.options);
      !verdict.supported)
    return {Judgement::Kind::kUnsupported, NAN, NAN, verdict.reason};
  PreparedCell prepared = *prepared_;
  prepared.method = method;
  const Observation observation = ObserveAt(prepared, prepared.initial, Detail::kReactions);
  if (truth_.empty()) return {Judgement::Kind::kNotJudged, NAN, NAN, ""};
  Judgement judgement;
  judgement.error = AccelerationError(
      AccelerationNumbers(problem.system, observation.accelerations), truth_, scale_);
  if (judgement.error <= kWrongAbove) return judgement;
  const MeasuredCondition condition = MeasureCondition(prepared, observation);
  judgement.condition = condition.measured() ? condition.number() : NAN;
  if (judgement.error <= kRoundOff * judgement.condition || condition.no_digit_left() ||
      condition.is_alone) {
    judgement.kind = Judgement::Kind::kIllConditioned;
    return judgement;
  }
  judgement.kind = Judgement::Kind::kWrong;
  judgement.sentence =
      fmt::format("error {:.3g}, condition {:.3g}{}{}", judgement.error, judgement.condition,
                  condition.why_not.empty() ? "" : ": ", condition.why_not);
  return judgement;
}

}  // namespace mbsbench
