// Failure as a value: its kind and its place.
#pragma once

namespace mbsbench {

struct Status {
  // kNotConverged: an iteration, with the body or joint of the largest residual. kStepFailed: a scheme that cannot continue.
  enum class Code { kOk, kSingular, kNotFinite, kNotConverged, kStepFailed };
  Code code = Code::kOk;
  int joint =
      -1;  // index into System::joints, loop joints follow the tree joints; -1: not tied to one
  int body = -1;  // index into System::bodies; -1: not tied to one
  const char* what =
      "";  // a static sentence without names: "no inertia about the joint's free axes"

  bool ok() const { return code == Code::kOk; }
};

}  // namespace mbsbench
