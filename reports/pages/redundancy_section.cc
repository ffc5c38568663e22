// Mechanisms whose constraints depend on each other: which components of their reactions are unique, what methods find and choose,
// the rank along their motions, and the branches that solutions follow after singular positions.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// Below this gap the rank is unclear.
constexpr double kClearGap = 1e3;

std::optional<int> FreedomAt(const ProblemResults& problem, int rank) {
  return problem.record.bodies ? std::optional(6 * *problem.record.bodies - rank) : std::nullopt;
}

TableCell GapCell(MaybeNumber gap) {
  if (!gap || *gap >= kClearGap) return ErrorCell(gap);
  return {"rank unclear, " + FormatError(gap), *gap, "weak"};
}

// What a method finds about a mechanism, compared with the classes in 113 bits.
struct FoundUnique {
  const Comparison* comparison;
  const ProblemResults* problem;
  const MethodAgreementRecord* method;
  int wrong = 0;            // components
  std::string first_wrong;  // "force x of 'hinge'"

  FoundUnique(const Comparison& all, const ProblemResults& of, const RedundancyRecord& truth,
              const MethodAgreementRecord& record)
      : comparison(&all), problem(&of), method(&record) {
    for (std::size_t j = 0; j < std::min(record.unique.size(), truth.joints.size()); ++j) {
      const std::string &mine = record.unique[j], &classes = truth.joints[j].classes;
      for (std::size_t k = 0; k < std::min(mine.size(), classes.size()); ++k) {
        if ((mine[k] == 'U') == (classes[k] == 'U')) continue;
        if (++wrong == 1)
          first_wrong = fmt::format("{} {} of '{}'", k < 3 ? "force" : "moment", "xyz"[k % 3],
                                    truth.joints[j].joint);
      }
    }
  }
  const std::string& Choice() const {
    return comparison->MethodRecordOf(method->method).reaction_choice;
  }
  std::string ChoiceInWords() const { return Choice().empty() ? "-" : Choice(); }
  bool Tells() const { return !method->unique.empty(); }
  // Joints with the same components: "'B1', 'B2': force z, moment about x of its frame".
  std::string Dropped() const {
    Groups<std::vector<std::string>, std::string> joints;
    for (const DroppedRowsRecord& one : method->dropped)
      GroupOf(one.rows, joints).push_back("'" + one.joint + "'");
    std::string text;
    for (const auto& [rows, of] : joints)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(of, ", "),
                          fmt::join(rows, ", "));
    if (!text.empty()) return text;
    return Tells() && Choice() == "dropped-rows" ? "not known" : "-";
  }
  TableCell Verdict() const {
    if (Tells() && wrong == 0) return {"agrees", nullptr, "best"};
    if (wrong == 1) return {"differs: " + first_wrong, nullptr, "bad"};
    if (wrong > 1)
      return {fmt::format("differs: {} and {} more", first_wrong, wrong - 1), nullptr, "bad"};
    if (!method->reason.empty())
      return {method->reason.substr(0, method->reason.find(':')), nullptr, "weak"};
    return {Choice().empty() ? "not reported" : "no reactions", nullptr, "weak"};
  }
};

struct RedundantMechanism {
  const ProblemResults* problem;
  const RedundancyRecord* truth;
  std::vector<FoundUnique> methods = {};

  int Redundant() const { return truth->rows - truth->rank; }
  std::optional<int> Freedom() const { return FreedomAt(*problem, truth->rank); }
  TableCell Gap() const { return GapCell(truth->gap); }
  // The 2-norm condition of the scaled rows that count.
  std::optional<double> LargestCondition() const {
    const auto least = std::ranges::min_element(truth->path, {}, &RankRecord::least);
    return least == truth->path.end() ? std::nullopt : std::optional(1 / least->least);
  }
  TableCell Agreeing() const {
    const auto tell = std::ranges::count_if(methods, &FoundUnique::Tells);
    const auto agree = std::ranges::count_if(
        methods, [](const FoundUnique& one) { return one.Tells() && one.wrong == 0; });
    return {fmt::format("{} of {}", agree, tell), agree, agree == tell ? "" : "bad"};
  }
};

std::vector<RedundantMechanism> RedundantMechanisms(const Comparison& comparison) {
  std::vector<RedundantMechanism> all;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.agreement) continue;
    const AgreementRecord& record = OrNone(problem.agreement->record.agreement);
    if (!record.redundancy) continue;
    RedundantMechanism& one = all.emplace_back(RedundantMechanism{&problem, &*record.redundancy});
    for (const MethodAgreementRecord& method : record.methods)
      one.methods.emplace_back(comparison, problem, *record.redundancy, method);
  }
  return all;
}

Table MechanismTable(const std::vector<RedundantMechanism>& mechanisms) {
  return TableOf<RedundantMechanism>(
      "Mechanisms with redundant constraints at the initial state",
      {{{"problem"}, [](auto& m) { return ProblemCell(*m.problem); }},
       {CountColumn("bodies"), [](auto& m) { return m.problem->record.bodies; }},
       {CountColumn("rows"), [](auto& m) { return m.truth->rows; }},
       {CountColumn("rank"), [](auto& m) { return m.truth->rank; }},
       {CountColumn("degrees of freedom"), &RedundantMechanism::Freedom},
       {CountColumn("redundant rows"), &RedundantMechanism::Redundant},
       {{"gap", true}, &RedundantMechanism::Gap},
       {DigitsColumn("largest condition along the motion", 2),
        &RedundantMechanism::LargestCondition},
       {{"methods that agree", true}, &RedundantMechanism::Agreeing}},
      mechanisms);
}

struct RedundantJoint {
  const ProblemResults* problem;
  const JointRedundancyRecord* joint;
};

Table JointTable(const std::vector<RedundantMechanism>& mechanisms) {
  std::vector<RedundantJoint> joints;
  for (const RedundantMechanism& m : mechanisms) {
    for (const JointRedundancyRecord& joint : m.truth->joints)
      joints.push_back({m.problem, &joint});
  }
  return TableOf<RedundantJoint>(
      "Reactions in 113 bits: force x y z, moment x y z",
      {{FileColumn("problem"), [](auto& j) { return j.problem->name; }},
       {{"joint"}, [](auto& j) { return j.joint->joint; }},
       {{"in inertial axes"}, [](auto& j) { return j.joint->classes; }},
       {{"in the joint's axes"}, [](auto& j) { return j.joint->in_joint_axes; }},
       {CountColumn("dimension not determined"), [](auto& j) { return j.joint->undetermined; }}},
      joints);
}

struct RankOfMotion {
  const ProblemResults* problem;
  const RankRecord* at;
};

Table RankTable(const std::vector<RedundantMechanism>& mechanisms) {
  std::vector<RankOfMotion> ranks;
  for (const RedundantMechanism& m : mechanisms) {
    for (const RankRecord& at : m.truth->path) ranks.push_back({m.problem, &at});
  }
  return TableOf<RankOfMotion>(
      "Rank along the motion of the reference",
      {{FileColumn("problem"), [](auto& r) { return r.problem->name; }},
       {DigitsColumn("time", 4, "time_s", " s"), [](auto& r) { return r.at->time; }},
       {CountColumn("rank"), [](auto& r) { return r.at->rank; }},
       {CountColumn("degrees of freedom"),
        [](auto& r) { return FreedomAt(*r.problem, r.at->rank); }},
       {ErrorColumn("least singular value"), [](auto& r) { return r.at->least; }},
       {{"gap", true}, [](auto& r) { return GapCell(r.at->gap); }}},
      ranks);
}

// How the cells of a curve pass the singular positions of a motion. Those that were refused or skipped do not count.
struct BranchesOfCurve {
  const Comparison* comparison;
  const ProblemResults* problem;
  std::string method, integrator;
  int stay = 0, leave = 0, stop = 0, unknown = 0;
  const LeftBranch* first_left = nullptr;
  std::vector<std::string> motions = {};  // on other branches, where their names are known
  std::optional<double> first_stop = {};  // [s]

  void Add(const Cell& cell) {
    if (cell.accuracy == nullptr) return;
    const TrialRecord& record = RecordOf(cell);
    const LeftBranch* left =
        record.accuracy && record.accuracy->left_branch ? &*record.accuracy->left_branch : nullptr;
    if (left != nullptr) {
      ++leave;
      for (const std::string& motion : left->motions) AddOnce(motions, motion);
      if (first_left == nullptr || left->time < first_left->time) first_left = left;
    } else if (cell.finished()) {
      ++stay;
    } else if (cell.outcome == "singular") {
      ++stop;
      const MaybeNumber reached = record.TimeReached();
      if (reached && (!first_stop || *reached < *first_stop)) first_stop = reached;
    } else if (EndingOf(cell.outcome) == CellEnding::kFailed) {
      ++unknown;
    }
  }
  bool IsEmpty() const { return stay + leave + stop + unknown == 0; }
  std::string OtherBranch() const {
    if (first_left == nullptr) return "-";
    return fmt::format(
        "{} is {:.3g} at {:.4g} s, {:.3g} on the reference's{}{}", first_left->quantity,
        first_left->value, first_left->time, first_left->expected,
        first_left->others.empty() ? "" : "; also left: ", Listed(first_left->others, 3));
  }
};

Table BranchTable(const Comparison& comparison) {
  std::vector<BranchesOfCurve> curves;
  for (const ProblemResults& problem : comparison.problems) {
    if (problem.record.branch.empty()) continue;
    for (const Curve& curve : Curves(problem)) {
      BranchesOfCurve one{&comparison, &problem, curve.method, curve.integrator};
      for (const Cell* cell : curve.cells) one.Add(*cell);
      if (!one.IsEmpty()) curves.push_back(std::move(one));
    }
  }
  return TableOf<BranchesOfCurve>(
      "Branches after singular positions, in cells",
      {{{"problem"}, [](auto& c) { return ProblemCell(*c.problem); }},
       {{"method"}, [](auto& c) { return MethodCell(*c.comparison, c.method); }},
       {{"integrator"}, &BranchesOfCurve::integrator},
       {CountColumn("on the reference's branch"), &BranchesOfCurve::stay},
       {CountColumn("on another"), &BranchesOfCurve::leave},
       {CountColumn("stopped as singular"), &BranchesOfCurve::stop},
       {CountColumn("not known"), &BranchesOfCurve::unknown},
       {{"the other branch"}, &BranchesOfCurve::OtherBranch},
       {{"its motion"},
        [](auto& c) { return c.motions.empty() ? std::string("-") : Listed(c.motions, 2); }},
       {DigitsColumn("first stop", 4, "first_stop_s", " s"), &BranchesOfCurve::first_stop}},
      curves);
}

void AddBranches(const Comparison& comparison, Section& section, Document& document) {
  Table table = BranchTable(comparison);
  if (table.rows.empty()) return;
  std::string held;
  for (const ProblemResults& problem : comparison.problems) {
    if (!problem.record.branch.empty())
      held += fmt::format(" {}: {}.", Code(problem.name), Listed(problem.record.branch, 2));
  }
  section.blocks.push_back(Paragraph{
      "These motions pass positions in which the rank falls and other motions branch off. Some "
      "quantities are kept on the branch of the reference alone." +
      held +
      " The first cell of a curve to leave it is named with the quantity that shows it; one that "
      "failed otherwise on the way counts as not known. The motion on another branch is named "
      "where it has a closed form."});
  AddTable(std::move(table), "redundancy_branches.csv", section, document);
}

Table FoundTable(const std::vector<RedundantMechanism>& mechanisms) {
  std::vector<FoundUnique> found;
  for (const RedundantMechanism& m : mechanisms)
    found.insert(found.end(), m.methods.begin(), m.methods.end());
  return TableOf<FoundUnique>(
      "What methods find and choose",
      {{FileColumn("problem"), [](auto& f) { return f.problem->name; }},
       {{"method"}, [](auto& f) { return MethodCell(*f.comparison, f.method->method); }},
       {{"unique components"}, &FoundUnique::Verdict},
       {FileColumn("components that differ"), [](auto& f) { return f.wrong; }},
       {{"choice of the others"}, &FoundUnique::ChoiceInWords},
       {{"rows left out"}, &FoundUnique::Dropped},
       {ErrorColumn("error of accelerations"), [](auto& f) { return f.method->error; }},
       {FileColumn("reason"), [](auto& f) { return f.method->reason; }}},
      found);
}

void AddMechanisms(const std::vector<RedundantMechanism>& mechanisms, Section& section,
                   Document& document) {
  section.blocks.push_back(Paragraph{
      "Constraints of these mechanisms depend on each other at the initial state, so that their "
      "accelerations are unique and their reactions only in part. The rows of all joints and "
      "drivers act on the six rates of each body; their rank is computed in 113 bits. The gap is "
      "the least pivot that counts over the largest that does not; below 1,000 the rank is "
      "unclear. Mechanisms with too many rows for dense algebra are left out."});
  AddTable(MechanismTable(mechanisms), "redundancy.csv", section, document);
  section.blocks.push_back(Paragraph{
      "Of each mechanism: what every method finds and chooses, the joints, and the rank along the "
      "motion. A letter for each component of a joint's wrench on its child, force x y z, then "
      "moment x y z about the child's joint point: U is unique; N is not; D is not, and the choice "
      "of the least joint wrenches depends on the unit of length. `least-multipliers`: the least "
      "sum of squares of the multipliers of a method's own scaled rows; `dropped-rows`: 0 for "
      "those of dependent rows, which are named where reactions to general loads show as many as "
      "there are. Singular values of the scaled rows above 1e-9 of the largest count for the rank "
      "along the motion; the least of these falls to 0 towards a position where the rank falls, "
      "and the gap there is the least over the largest that does not count. Rows of pins are named "
      "along inertial axes, others in the axes of the joint's frame on the parent; of a method "
      "that leaves out sums of rows they are not known. The error of accelerations is against 113 "
      "bits, over the states before timing."});
  const std::string joints =
      AddFile(document, AsCsv("redundancy_joints.csv", JointTable(mechanisms)));
  const std::string methods =
      AddFile(document, AsCsv("redundancy_methods.csv", FoundTable(mechanisms)));
  const std::string ranks = AddFile(document, AsCsv("redundancy_ranks.csv", RankTable(mechanisms)));
  for (const RedundantMechanism& m : mechanisms) {
    Section one{"redundancy-" + m.problem->stem, m.problem->name};
    const auto add = [&one](Table table, const std::string& csv) {
      KeepForPage(table);
      table.csv = csv;
      one.blocks.push_back(std::move(table));
    };
    add(FoundTable({m}), methods);
    add(JointTable({m}), joints);
    if (m.truth->path.empty()) {
      one.blocks.push_back(Paragraph{
          "The rank along the motion is not known, since no reference holds all bodies."});
    } else {
      add(RankTable({m}), ranks);
    }
    AddFolded(std::move(one), section);
  }
}

}  // namespace

Section RedundancySection(const Comparison& comparison, Document& document) {
  Section section{"redundancy", "Redundancy and singularity"};
  const std::vector<RedundantMechanism> mechanisms = RedundantMechanisms(comparison);
  if (!mechanisms.empty()) AddMechanisms(mechanisms, section, document);
  AddBranches(comparison, section, document);
  return section;
}

}  // namespace mbsbench::reports
