// Failure as a value: its kind and its place.
#pragma once

namespace mbsbench {

struct Status {
  // kNotConverged: an iteration, with the body or joint of the largest residual. kStepFailed: a scheme that cannot continue.
  enum class Code { kOk, kSingular, kNotFinite, kNotConverged, kStepFailed };
  Code code = Code::kOk;
  // Indices into System::joints, where loop joints follow the tree joints, and System::bodies; -1: not tied to one.
  int joint = -1;
  int body = -1;
  // A static sentence without names: "no inertia about the joint's free axes".
  const char* what = "";

  bool ok() const { return code == Code::kOk; }
};

}  // namespace mbsbench
