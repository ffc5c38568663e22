// Mechanisms whose constraints depend on each other: which components of their reactions are unique, and what methods find.
#include <fmt/format.h>

#include <algorithm>

#include "reports/format/columns.h"
#include "reports/format/format.h"
#include "reports/pages/sections.h"

namespace mbsbench::reports {

namespace {

// Below this gap the rank is unclear.
constexpr double kClearGap = 1e3;

// What a method finds of a mechanism, against the classes in 113 bits.
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
  std::optional<int> Freedom() const {
    return problem->record.bodies ? std::optional(6 * *problem->record.bodies - truth->rank)
                                  : std::nullopt;
  }
  TableCell Gap() const {
    if (!truth->gap || *truth->gap >= kClearGap) return ErrorCell(truth->gap);
    return {"rank unclear, " + FormatError(truth->gap), *truth->gap, "weak"};
  }
  TableCell Agreeing() const {
    const auto tell = std::ranges::count_if(methods, &FoundUnique::Tells);
    const auto agree = std::ranges::count_if(
        methods, [](const FoundUnique& one) { return one.Tells() && one.wrong == 0; });
    return {fmt::format("{} of {}", agree, tell), agree, agree == tell ? "" : "bad"};
  }
  // "DDNDDU, 2 x UUDDDU": in the order of the joints.
  std::string Classes() const {
    std::vector<std::pair<std::string, int>> groups;
    for (const JointRedundancyRecord& joint : truth->joints) {
      if (groups.empty() || groups.back().first != joint.classes)
        groups.emplace_back(joint.classes, 0);
      ++groups.back().second;
    }
    std::string text;
    for (const auto& [classes, count] : groups)
      text += (text.empty() ? "" : ", ") + (count > 1 ? fmt::format("{} x ", count) : "") + classes;
    return text;
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
       {{"methods that agree", true}, &RedundantMechanism::Agreeing},
       {{"reactions"}, &RedundantMechanism::Classes}},
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
       {ErrorColumn("error of accelerations"), [](auto& f) { return f.method->error; }},
       {FileColumn("reason"), [](auto& f) { return f.method->reason; }}},
      found);
}

}  // namespace

Section RedundancySection(const Comparison& comparison, Document& document) {
  Section section{"redundancy", "Redundancy and singularity"};
  const std::vector<RedundantMechanism> mechanisms = RedundantMechanisms(comparison);
  if (mechanisms.empty()) return section;
  section.blocks.push_back(Paragraph{
      "Constraints of these mechanisms depend on each other at the initial state, so that their "
      "accelerations are unique and their reactions only in part. The rows of all joints and "
      "drivers act on the six rates of each body; their rank is computed in 113 bits. The gap is "
      "the least pivot that counts over the largest that does not, which the rounding of the data "
      "leaves; below 1,000 the rank is unclear. Mechanisms with too many rows for dense algebra "
      "are left out."});
  section.blocks.push_back(Paragraph{
      "A letter for each component of a joint's wrench on its child, force x y z, then moment x y "
      "z about the child's joint point: U is unique; N is not; D is not, and the choice of the "
      "least joint wrenches gives another value if moments are counted in N mm instead of N m."});
  AddTable(MechanismTable(mechanisms), "redundancy.csv", section, document);
  section.blocks.push_back(Paragraph{
      "Of each mechanism: its joints, and for every method whether the components that it finds "
      "unique are those, and how it chooses the values of the others. `least-multipliers`: the "
      "least sum of squares of the multipliers of its own scaled rows; `dropped-rows`: 0 for the "
      "multipliers of dependent rows. The error of accelerations is the largest against 113 bits "
      "over the states of the check before timing."});
  const std::string joints =
      AddFile(document, AsCsv("redundancy_joints.csv", JointTable(mechanisms)));
  const std::string methods =
      AddFile(document, AsCsv("redundancy_methods.csv", FoundTable(mechanisms)));
  for (const RedundantMechanism& m : mechanisms) {
    Section one{"redundancy-" + m.problem->stem, m.problem->name};
    const auto add = [&one](Table table, const std::string& csv) {
      KeepForPage(table);
      table.csv = csv;
      one.blocks.push_back(std::move(table));
    };
    add(FoundTable({m}), methods);
    add(JointTable({m}), joints);
    AddFolded(std::move(one), section);
  }
  return section;
}

}  // namespace mbsbench::reports
