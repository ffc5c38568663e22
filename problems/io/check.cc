#include "problems/io/check.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <span>

#include "problems/io/vocabulary.h"
#include "problems/model/kinematics.h"
#include "problems/model/loop_rows.h"
#include "problems/model/topology.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr int kMostListed = 20;  // joints and force elements of one kind

std::string Text(const Vector3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

// Round-off relative to `scale` is shown as 0.
double Cleaned(double value, double scale) {
  return std::abs(value) <= 1e-13 * scale ? 0.0 : value;
}

std::string NameOfBody(const System& system, int body) {
  return body == kGround ? "ground" : system.bodies[static_cast<std::size_t>(body)].name;
}

// Rank of the loop joints' constraints in the space of the tree joints' rates. The constraints of tree
// joints are independent of each other and of these, so the rank of all is theirs plus this one.
std::optional<int> RankOfLoops(const Problem& problem, const SystemState& state) {
  constexpr double kMostEntries = 1e6;  // dense QR within seconds
  constexpr double kMostWork = 1e8;     // rates x bodies
  // A remainder that is far above round-off, for a row whose arms are about L long.
  const double dependent = std::max(1e-10, kDependentPerPrecision * problem.system.loop_precision);
  const System& system = problem.system;
  int rows = 0;
  for (const Joint& joint : system.loop_joints) rows += ConstraintCount(joint.type);
  const auto columns = static_cast<int>(state.joints.u.size());
  if (rows == 0 || columns == 0) return 0;
  if (static_cast<double>(rows) * columns > kMostEntries ||
      static_cast<double>(columns) * static_cast<double>(system.bodies.size()) > kMostWork) {
    return std::nullopt;
  }
  std::vector<int> all(static_cast<std::size_t>(columns));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<double> entries = LoopJacobian(system, state.joints, all);
  Eigen::MatrixXd jacobian = Eigen::Map<const Eigen::MatrixXd>(entries.data(), rows, columns);
  const std::vector<bool> is_length = LoopRows(system, state.joints).is_length;
  for (int r = 0; r < rows; ++r) {
    if (is_length[static_cast<std::size_t>(r)]) jacobian.row(r) /= problem.length;
  }
  // Driven joints cannot close a loop.
  const JointOffsets at = OffsetsOf(system);
  for (const Driver& d : system.drivers) {
    jacobian.col(at.u[static_cast<std::size_t>(d.joint)]).setZero();
  }
  // With lengths in units of L, translations and rotations are comparable.
  Eigen::Index column = 0;
  for (const Joint& joint : system.joints) {
    const int n = RateCount(joint.type);
    int slides = 0;  // before what turns
    while (IsLength(joint.type, slides)) ++slides;
    jacobian.middleCols(column, slides) *= problem.length;
    column += n;
  }
  if (!jacobian.allFinite()) return std::nullopt;
  // Not relative to the largest pivot: if the tree blocks all rows, that is round-off.
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(jacobian);
  int rank = 0;
  while (rank < qr.nonzeroPivots() && std::abs(qr.matrixQR()(rank, rank)) > dependent) ++rank;
  return rank;
}

// Draws the subtrees of the ground or of a body, without recursion: chains may be long.
class TreeDrawing {
 public:
  TreeDrawing(const System& system, int most_lines)
      : system_(system), tree_(TopologyOf(system)), most_lines_(most_lines) {}

  std::string Draw() {
    Line("ground");
    Push(tree_.roots, "");
    while (!stack_.empty()) {
      const Branch branch = stack_.back();
      stack_.pop_back();
      if (lines_ >= most_lines_) {
        left_out_ += 1 + Descendants(branch.body);
        continue;
      }
      DrawBranch(branch);
    }
    if (left_out_ > 0) Line(fmt::format("... and {} more", left_out_));
    return text_;
  }

 private:
  struct Branch {
    int body;
    std::string indent;
    bool is_last;
  };

  std::span<const int> ChildrenOf(int body) const {
    return tree_.children[static_cast<std::size_t>(body)];
  }
  const Joint& JointOf(int body) const {
    return system_.joints[static_cast<std::size_t>(tree_.joint[static_cast<std::size_t>(body)])];
  }

  void Line(const std::string& text) {
    text_ += text + "\n";
    ++lines_;
  }

  void Push(std::span<const int> bodies, const std::string& indent) {
    for (auto b = bodies.rbegin(); b != bodies.rend(); ++b) {
      stack_.push_back({*b, indent, b == bodies.rbegin()});
    }
  }

  int Descendants(int body) const {
    int count = 0;
    std::vector<int> open{body};
    while (!open.empty()) {
      const int b = open.back();
      open.pop_back();
      const std::span<const int> children = ChildrenOf(b);
      count += static_cast<int>(children.size());
      open.insert(open.end(), children.begin(), children.end());
    }
    return count;
  }

  void DrawBranch(const Branch& branch) {
    const std::string under = branch.indent + (branch.is_last ? "    " : "|   ");
    DrawBody(branch.body, branch.indent + (branch.is_last ? "`-- " : "|-- "));
    // An unbranched stretch of one joint type: its first and last bodies, and how many are between.
    constexpr int kShort = 8, kKept = 2;
    std::vector<int> stretch;
    for (int b = branch.body; ChildrenOf(b).size() == 1; b = stretch.back()) {
      const int child = ChildrenOf(b).front();
      if (JointOf(child).type != JointOf(branch.body).type) break;
      stretch.push_back(child);
    }
    const auto length = static_cast<int>(stretch.size());
    if (length < kShort) {
      Push(ChildrenOf(branch.body), under);
      return;
    }
    std::string indent = under;
    for (int k = 0; k < kKept; ++k, indent += "    ") {
      DrawBody(stretch[static_cast<std::size_t>(k)], indent + "`-- ");
    }
    Line(fmt::format("{}: {} more in a row, by {} joints", indent, length - kKept - 1,
                     Name(JointOf(branch.body).type)));
    const int last = stretch.back();
    DrawBody(last, indent + "`-- ");
    Push(ChildrenOf(last), indent + "    ");
  }

  void DrawBody(int body, const std::string& prefix) {
    const Joint& joint = JointOf(body);
    const Body& b = system_.bodies[static_cast<std::size_t>(body)];
    Line(fmt::format("{}{} ({}) -> {}, {:g} kg", prefix, joint.name, Name(joint.type), b.name,
                     b.mass));
  }

  const System& system_;
  const Topology tree_;
  const int most_lines_;
  std::vector<Branch> stack_;
  std::string text_;
  int lines_ = 0, left_out_ = 0;
};

// "1 body", "2 bodies"
std::string Counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "2 spring-dampers: 'a' (ground to 'b'), ...", each by `describe`.
template <typename Thing, typename Describe>
std::string Listed(const char* one, const char* many, const std::vector<Thing>& things,
                   const Describe& describe) {
  if (things.empty()) return "";
  std::string text = "  " + Counted(things.size(), one, many) + "\n";
  for (std::size_t i = 0; i < things.size() && i < kMostListed; ++i) {
    text += fmt::format("    {}\n", describe(things[i]));
  }
  if (things.size() > kMostListed) {
    text += fmt::format("    ... and {} more\n", things.size() - kMostListed);
  }
  return text;
}

// "ground to bob, 100 N/m, 3 N s/m, free length 0.4 m": the fields of a force element but its points.
class FieldText : public FieldVisitor {
 public:
  explicit FieldText(const System& system) : system_(system) {}
  const std::string& text() const { return text_; }

  void BodyOrGround(std::string_view, int body) {
    text_ += (text_.empty() ? "" : " to ") + NameOfBody(system_, body);
  }
  void Body(std::string_view, int body) { text_ += "on " + NameOfBody(system_, body); }
  void Joint(int j) {
    const mbsbench::Joint& joint = system_.joints[static_cast<std::size_t>(j)];
    turns_ = joint.type != JointType::kPrismatic;
    text_ += joint.name;
  }
  void Direction(std::string_view, const Vector3& direction) {
    text_ += " along " + Text(direction);
  }
  void Vector(std::string_view key, Quantity quantity, int, const Vector3& v) {
    text_ += fmt::format(", {} {} {}", Words(key), Text(v), UnitOf(quantity, turns_));
  }
  void Number(std::string_view key, Quantity quantity, double value) {
    const bool known_by_unit = IsStiffness(quantity) || IsDamping(quantity);
    text_ += fmt::format(", {}{:g} {}", known_by_unit ? "" : Words(key) + " ", value,
                         UnitOf(quantity, turns_));
  }
  void PerAxis(std::string_view, Quantity quantity, const Vector3& v) {
    text_ += fmt::format(", {} {}", Text(v), UnitOf(quantity, turns_));
  }
  void Flag(std::string_view key, bool value) {
    if (value) text_ += " " + Words(key);
  }
  void Effort(bool turns, const EffortOverTime& effort) {
    const std::string_view unit = UnitOf(turns ? Quantity::kMoment : Quantity::kForce, turns);
    if (!effort.table.empty()) {
      const auto &first = effort.table.front(), &last = effort.table.back();
      text_ += fmt::format(", {:g} {} at {:g} s to {:g} {} at {:g} s in {} knots", first.value,
                           unit, first.time, last.value, unit, last.time, effort.table.size());
      return;
    }
    text_ += fmt::format(", a function of kind {}, {:g} {} at the start",
                         WordOf(effort.function.kind).name, effort.At(0), unit);
  }

 private:
  static std::string Words(std::string_view key) {
    std::string words(key);
    std::ranges::replace(words, '_', ' ');
    return words;
  }
  const System& system_;
  bool turns_ = false;
  std::string text_;
};

std::string ForceText(const System& system) {
  std::string text =
      Norm(system.gravity) > 0 ? fmt::format("  gravity {} m/s^2\n", Text(system.gravity)) : "";
  system.forces.ForEachList([&]<class Law>(const std::vector<Law>& list) {
    const std::string one(Law::kWords), many = one + "s";
    text += Listed(one.c_str(), many.c_str(), list, [&system](const Law& element) {
      FieldText fields(system);
      VisitFields(element, fields);
      return element.name + ": " + fields.text();
    });
  });
  if (system.rope_flight) {
    const RopeFlight& f = *system.rope_flight;
    text += fmt::format(
        "  rope flight {}: a rail of {:g} m along {}, {:g} N for {:g} s, {:g} kg of propellant; "
        "links of {:g} m and {:g} kg join while it flies\n",
        f.name, f.rail_length, Text(f.rail_direction), f.thrust, f.burn_time, f.propellant_mass,
        f.link_length, f.link_length * f.line_density);
  }
  return text.empty() ? "  none\n" : text;
}

std::string DriverText(const System& system) {
  return Listed("joint is driven", "joints are driven", system.drivers, [&](const Driver& d) {
    const Joint& joint = system.joints[static_cast<std::size_t>(d.joint)];
    if (d.motion.kind == MotionKind::kConstantRate) {
      return fmt::format("{}: {} at {:g} {}", d.name, joint.name, d.motion.rate,
                         joint.type == JointType::kPrismatic ? "m/s" : "rad/s");
    }
    const MovedCoordinate<double> start = MotionAt(d.motion, 0);
    return fmt::format("{}: {} by a motion of kind {}, at {:g} {} and {:g} {}/s at the start",
                       d.name, joint.name, WordOf(d.motion.kind).name, start.position,
                       joint.type == JointType::kPrismatic ? "m" : "rad", start.rate,
                       joint.type == JointType::kPrismatic ? "m" : "rad");
  });
}

std::string JointCounts(const std::vector<Joint>& joints) {
  std::map<std::string, int> count;
  for (const Joint& joint : joints) ++count[std::string(Name(joint.type))];
  std::string text;
  for (const auto& [type, n] : count) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, type);
  }
  return text;
}

std::string FreedomText(const Problem& problem, const FreedomCount& freedom) {
  const System& system = problem.system;
  int tree = 0, loops = 0;
  for (const Joint& joint : system.joints) tree += ConstraintCount(joint.type);
  for (const Joint& joint : system.loop_joints) loops += ConstraintCount(joint.type);
  std::string text = fmt::format("  counted: {} = 6 x {} bodies - {} constraints of the tree",
                                 freedom.counted, system.bodies.size(), tree);
  if (loops > 0) text += fmt::format(" - {} of the loops", loops);
  const auto drivers = static_cast<int>(system.drivers.size());
  if (drivers > 0) text += fmt::format(" - {} driven", drivers);
  text += '\n';
  if (!freedom.by_rank) return text + "  by rank: not computed, the loops are too many\n";
  const int rank = tree + loops + drivers - (*freedom.by_rank - freedom.counted);
  text += fmt::format(
      "  by rank: {} (the constraint Jacobian of the initial state has {} rows and rank {})\n",
      *freedom.by_rank, tree + loops + drivers, rank);
  if (*freedom.by_rank > freedom.counted) {
    text += fmt::format("  {} redundant in this position: reactions of the loops are not unique\n",
                        Counted(static_cast<std::size_t>(*freedom.by_rank - freedom.counted),
                                "constraint is", "constraints are"));
  }
  return text;
}

std::string LoopText(const Problem& problem, const Assembly& assembly) {
  const System& system = problem.system;
  if (system.loop_joints.empty()) return "  none: the joints form a tree\n";
  std::string text = Listed("joint closes a loop", "joints close loops", system.loop_joints,
                            [&](const Joint& joint) {
                              ConstraintRows rows;
                              AppendConstraintRows(joint, assembly.state.bodies, rows);
                              double worst = 0;
                              for (double r : rows.position) worst = std::max(worst, std::abs(r));
                              return fmt::format("{} ({}): {} to {}, open by {:.2g}", joint.name,
                                                 Name(joint.type), NameOfBody(system, joint.parent),
                                                 NameOfBody(system, joint.child), worst);
                            });
  std::string names;
  const std::vector<int>& dependent = problem.initial.dependent_joints;
  for (std::size_t i = 0; i < dependent.size() && i < kMostListed; ++i) {
    names += (i > 0 ? ", " : "") + system.joints[static_cast<std::size_t>(dependent[i])].name;
  }
  if (dependent.size() > kMostListed) names += ", ...";
  text += fmt::format("  dependent joints: {}\n", names.empty() ? "none" : names);
  text += fmt::format(
      "  moved by the assembly: coordinates by at most {:.3g} m or rad, rates by at most "
      "{:.3g} m/s or rad/s\n",
      assembly.largest_position_correction, assembly.largest_velocity_correction);
  return text;
}

std::string MassText(const System& system, const std::vector<BodyState>& bodies, double length) {
  const MassProperties total = MassPropertiesOf(system, bodies);
  const double size = length + Norm(total.centre);
  const Vector3 centre{Cleaned(total.centre.x, size), Cleaned(total.centre.y, size),
                       Cleaned(total.centre.z, size)};
  std::string text =
      fmt::format("  mass {:.9g} kg, centre {} m\n  inertia about the centre [kg m^2]\n",
                  total.mass, Text(centre));
  for (int i = 0; i < 3; ++i) {
    text += "   ";
    const double scale = total.inertia(0, 0) + total.inertia(1, 1) + total.inertia(2, 2);
    for (int j = 0; j < 3; ++j) {
      text += fmt::format(" {:>13.6g}", Cleaned(total.inertia(i, j), scale));
    }
    text += '\n';
  }
  std::size_t massless = 0, points = 0;
  for (const Body& body : system.bodies) {
    massless += body.mass == 0;
    points += body.is_point;
  }
  if (massless > 0)
    text += "  " + Counted(massless, "body without mass", "bodies without mass") + "\n";
  if (points > 0) text += "  " + Counted(points, "body is a point", "bodies are points") + "\n";
  return text;
}

}  // namespace

FreedomCount CountFreedoms(const Problem& problem, const SystemState& state) {
  const System& system = problem.system;
  FreedomCount freedom;
  int rates = 0;  // of the tree: 6 per body less the constraints of its joints
  for (const Joint& joint : system.joints) rates += RateCount(joint.type);
  rates -= static_cast<int>(system.drivers.size());
  freedom.counted = rates;
  for (const Joint& joint : system.loop_joints) freedom.counted -= ConstraintCount(joint.type);
  if (const std::optional<int> rank = RankOfLoops(problem, state)) freedom.by_rank = rates - *rank;
  return freedom;
}

MassProperties MassPropertiesOf(const System& system, const std::vector<BodyState>& bodies) {
  MassProperties total;
  total.inertia = Diagonal(0, 0, 0);
  Vector3 moment;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    total.mass += system.bodies[b].mass;
    moment = moment + system.bodies[b].mass * bodies[b].position;
  }
  if (total.mass > 0) total.centre = (1 / total.mass) * moment;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    const Matrix3 r = DirectionCosineMatrix(bodies[b].orientation);
    const Vector3 arm = bodies[b].position - total.centre;
    const double a[3] = {arm.x, arm.y, arm.z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double entry =
            -body.mass * a[i] * a[j] + (i == j ? body.mass * Dot(arm, arm) : 0);  // Steiner
        for (int k = 0; k < 3; ++k) {
          for (int l = 0; l < 3; ++l) entry += r(i, k) * body.inertia(k, l) * r(j, l);
        }
        total.inertia.m[static_cast<std::size_t>(3 * i + j)] += entry;
      }
    }
  }
  return total;
}

std::string TopologyTree(const System& system, int most_lines) {
  return TreeDrawing(system, most_lines).Draw();
}

std::string CheckReport(const Problem& problem, const std::vector<MethodVerdict>& verdicts) {
  Validate(problem);
  const System& system = problem.system;
  const Assembly assembly = Assemble(system, problem.initial, problem.length);
  const std::vector<BodyState>& bodies = assembly.state.bodies;
  const Energy energy = EnergyOf(system, bodies, assembly.state.joints);

  std::string text = fmt::format("{}: {}\n", problem.name, problem.title);
  text += fmt::format("{}; joints: {}", Counted(system.bodies.size(), "body", "bodies"),
                      JointCounts(system.joints));
  if (!system.loop_joints.empty()) {
    text += fmt::format("; closing loops: {}", JointCounts(system.loop_joints));
  }
  text += fmt::format("\n\nTopology: joint (type) -> body, mass\n{}", TopologyTree(system));
  if (!problem.warnings.empty()) {
    text += "\nWarnings\n";
    for (const std::string& warning : problem.warnings) text += fmt::format("  {}\n", warning);
  }
  text += fmt::format("\nLoops\n{}", LoopText(problem, assembly));
  text += fmt::format("\nDegrees of freedom\n{}",
                      FreedomText(problem, CountFreedoms(problem, assembly.state)));
  text += fmt::format("\nMass properties in the initial state, inertial axes\n{}",
                      MassText(system, bodies, problem.length));
  text += fmt::format("\nForces\n{}", ForceText(system));
  if (!system.drivers.empty()) text += fmt::format("\nDrivers\n{}", DriverText(system));
  text += fmt::format(
      "\nInitial state and scales\n  kinetic energy {:.9g} J, potential energy {:.9g} J, energy "
      "reference {:.9g} J\n  end {:g} s, characteristic length {:g} m, characteristic time {:g} "
      "s\n  "
      "stated to be {}conservative{}\n",
      energy.kinetic, energy.potential, problem.energy_reference, problem.end_time, problem.length,
      problem.time, problem.conservative ? "" : "not ", problem.planar ? " and planar" : "");
  if (!verdicts.empty()) {
    std::size_t width = 0;
    for (const auto& [method, verdict] : verdicts) width = std::max(width, method.size());
    text += "\nMethods\n";
    for (const auto& [method, verdict] : verdicts) {
      text += fmt::format("  {:{}}  {}\n", method, width, verdict);
    }
  }
  return text;
}

}  // namespace mbsbench
