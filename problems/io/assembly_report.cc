#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/io/rough_model.h"
#include "problems/io/vocabulary.h"
#include "problems/model/state.h"

namespace mbsbench {

namespace {

constexpr double kNoise = 1e-14;  // [rad, m, rad/s or m/s]; not shown as a change

std::string Text(const double* values, int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text +=
        fmt::format("{}{:.10g}", i > 0 ? ", " : "", std::abs(values[i]) <= kNoise ? 0 : values[i]);
  return n == 1 ? text : "(" + text + ")";
}

}  // namespace

std::string AssemblyReport(const AssembledProblem& assembled) {
  constexpr int kMostListed = 50;
  const System& system = assembled.problem.system;
  const RoughAssembly& a = assembled.assembly;
  std::string text = fmt::format(
      "Assembly\n  largest residual of a loop {:.3g} L before, {:.2g} L after {} iterations; "
      "coordinates moved by at most {:.3g} rad or L\n",
      a.residual_before, a.residual, a.iterations, a.farthest);
  const JointOffsets at = OffsetsOf(system);
  int listed = 0, moved = 0;
  std::string lines;
  const auto list = [&](const Joint& joint, std::string_view field, int size, const double* before,
                        const double* after) {
    const auto is_noise = [](double x, double y) { return std::abs(x - y) <= kNoise; };
    if (std::equal(before, before + size, after, is_noise) || ++moved > kMostListed) return;
    ++listed;
    lines += fmt::format("  {:<24} {:<24} {:>24} -> {}\n", joint.name, field, Text(before, size),
                         Text(after, size));
  };
  const JointState &before = assembled.guess.joints, &after = a.closed.joints;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const CoordinateFields& fields = CoordinateFieldsOf(system.joints[j].type);
    for (const bool of_rates : {false, true}) {
      const auto offset = static_cast<std::size_t>(of_rates ? at.u[j] : at.q[j]);
      const double* x = (of_rates ? before.u : before.q).data() + offset;
      const double* y = (of_rates ? after.u : after.q).data() + offset;
      for (const CoordinateField& field : of_rates ? fields.u : fields.q) {
        list(system.joints[j], field.name, field.size, x, y);
        x += field.size, y += field.size;
      }
    }
  }
  text += lines.empty() ? "  nothing had to move\n" : lines;
  if (moved > listed) text += fmt::format("  ... and {} more\n", moved - listed);
  if (a.chose_dependent && !a.closed.dependent_joints.empty()) {
    text += "  marked dependent:";
    for (std::size_t i = 0; i < a.closed.dependent_joints.size(); ++i) {
      const auto j = static_cast<std::size_t>(a.closed.dependent_joints[i]);
      text += (i > 0 ? ", " : " ") + system.joints[j].name;
    }
    text += "\n";
  }
  return text;
}

}  // namespace mbsbench
