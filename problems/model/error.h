#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace mbsbench {

// Bad input: one sentence that states the fault, its place and the remedy. It is shown to the user
// unchanged.
class ModelError : public std::runtime_error {
 public:
  // The body, joint or field that the sentence names, if any; with it the model reader finds the
  // line.
  enum class Subject { kNone, kBody, kJoint, kForceElement, kObservable, kLibraryMeasure, kField };

  using std::runtime_error::runtime_error;
  ModelError(const std::string& sentence, Subject subject, std::string name)
      : std::runtime_error(sentence), subject_(subject), name_(std::move(name)) {}

  Subject subject() const { return subject_; }
  const std::string& name() const { return name_; }

 private:
  Subject subject_ = Subject::kNone;
  std::string name_;
};

}  // namespace mbsbench
