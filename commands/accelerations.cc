// mbsbench accelerations: the initial state of a problem seen by one method, with reactions.
#include <fmt/compile.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "commands/options.h"
#include "commands/text.h"
#include "harness/records/json_codec.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/store/printable.h"
#include "harness/support/support.h"
#include "reference/redundancy.h"

namespace mbsbench {

namespace {

// Calls visit(name, reaction) for the tree joints, then the loop joints; never if an engine gives no reactions.
template <class Visit>
void ForReactions(const System& system, const Observation& observation, Visit visit) {
  if (observation.reactions.empty()) return;
  std::size_t r = 0;
  for (const Joint& joint : system.joints) visit(joint.name, observation.reactions[r++]);
  for (const Joint& joint : system.loop_joints) visit(joint.name, observation.reactions[r++]);
}

// "  (not unique: Fx Mz)"; empty: all components are unique.
std::string NotUnique(const UniqueComponents& unique) {
  if (unique.all()) return "";
  std::string names;
  for (std::size_t k = 0; k < 6; ++k) {
    if (!unique[k]) names += {' ', "FM"[k / 3], "xyz"[k % 3]};
  }
  return "  (not unique:" + names + ")";
}

// Text for standard output that is written in blocks, because there may be a million entries.
class LongText {
 public:
  std::string& text() { return text_; }
  // To be called after each entry.
  void EndEntry() {
    if (text_.size() > kBlock) Flush();
  }
  void Flush() {
    WriteAsItIs(stdout, text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t kBlock = 1 << 16;

  std::string text_;
};

bool IsPlain(const std::string& name) {
  return std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
}

// Writes the long lists of a document field by field, without building a tree of values.
class ListWriter {
 public:
  void Begin(const char* name) {
    fmt::format_to(std::back_inserter(text_), ",\"{}\":[", name);
    is_first_ = true;
  }
  void Entry(const std::string& name) {
    text_ += is_first_ ? "{\"name\":" : ",{\"name\":";
    if (IsPlain(name) && name.find_first_of("\"\\") == std::string::npos) {
      text_ += '"', text_ += name, text_ += '"';
    } else {
      text_ += Printable(TextOf(Json(name)));
    }
    is_first_ = false;
  }
  void Field(const char* name, double value) {
    BeginField(name);
    Number(value);
  }
  void Field(const char* name, const Vector3& v) {
    BeginField(name);
    text_ += '[', Number(v.x), text_ += ',', Number(v.y), text_ += ',', Number(v.z);
    text_ += ']';
  }
  void Field(const char* name, bool value) {
    BeginField(name);
    Truth(value);
  }
  void Field(const char* name, int value) {
    BeginField(name);
    text_ += std::to_string(value);
  }
  void Field(const char* name, const UniqueComponents& unique) {
    BeginField(name);
    for (std::size_t k = 0; k < 6; ++k) text_ += k == 0 ? '[' : ',', Truth(unique[k]);
    text_ += ']';
  }
  void EndEntry() {
    text_ += '}';
    long_text_.EndEntry();
  }
  void End() {
    text_ += ']';
    long_text_.Flush();
  }

 private:
  void BeginField(const char* name) { text_ += ",\"", text_ += name, text_ += "\":"; }
  void Truth(bool value) { text_ += value ? "true" : "false"; }
  // As Json prints numbers: whole numbers end in ".0", and numbers that are not finite become null.
  void Number(double value) {
    if (!std::isfinite(value)) {
      text_ += "null";
      return;
    }
    const std::size_t begin = text_.size();
    fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{}"), value);
    if (text_.find_first_of(".e", begin) == std::string::npos) text_ += ".0";
  }

  LongText long_text_;
  std::string& text_ = long_text_.text();
  bool is_first_ = true;
};

// MethodEntry::reaction_choice, or null.
Json ChoiceOf(const MethodEntry& entry) {
  return entry.reaction_choice.empty() ? Json() : Json(entry.reaction_choice);
}

bool TellsUniqueness(const Json& document, const System& system) {
  return system.loop_joints.empty() || !document.at("choice").is_null();
}

UniqueComponents InJointAxes(const JointRedundancy& joint) {
  UniqueComponents unique;
  for (std::size_t k = 0; k < 6; ++k) unique[k] = joint.in_joint_axes[k] == 'U';
  return unique;
}

void PrintResultAsJson(const Json& document, const System& system, const SystemState& initial,
                       const Observation& observation) {
  std::optional<Redundancy> redundancy;  // of the mechanism in 113 bits
  if (IsTestedForRedundancy(system)) redundancy = RedundancyOf(system, initial.joints);
  const bool tells_uniqueness = TellsUniqueness(document, system);
  const std::string fields = TextOf(document);
  Print("{}", fields.substr(0, fields.size() - 1));
  ListWriter list;
  list.Begin("bodies");
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    list.Entry(system.bodies[b].name);
    list.Field("acceleration", observation.accelerations[b].acceleration);
    list.Field("angular_acceleration", observation.accelerations[b].angular_acceleration);
    list.EndEntry();
  }
  list.End();
  list.Begin("joints");
  std::size_t at = 0;
  ForReactions(system, observation, [&](const std::string& name, const JointReaction& reaction) {
    list.Entry(name);
    list.Field("force", reaction.force);
    list.Field("torque", reaction.torque);
    if (tells_uniqueness) {
      list.Field("unique", reaction.unique.all());
      list.Field("unique_components", reaction.unique);
    }
    if (redundancy) {
      list.Field("unique_components_joint_axes", InJointAxes(redundancy->joints[at]));
      list.Field("undetermined", redundancy->joints[at++].undetermined);
    }
    list.EndEntry();
  });
  list.End();
  list.Begin("drivers");
  for (std::size_t k = 0; k < observation.drivers.size(); ++k) {  // none: not reported
    const DriverObservation& d = observation.drivers[k];
    list.Entry(system.drivers[k].name);
    list.Field("position", d.position);
    list.Field("rate", d.rate);
    list.Field("acceleration", d.acceleration);
    list.Field("effort", d.effort);
    list.EndEntry();
  }
  list.End();
  Print("}}\n");
}

void PrintResult(const Json& document, const System& system, const Observation& observation) {
  LongText rows;
  const auto row = [&rows](const std::string& name, const Vector3& a, const Vector3& b,
                           const char* remark) {
    std::string& text = rows.text();
    const std::size_t begin = text.size();
    fmt::format_to(std::back_inserter(text),
                   FMT_COMPILE("  {:<16} {:>17.10g} {:>17.10g} {:>17.10g} {:>17.10g} {:>17.10g} "
                               "{:>17.10g}{}\n"),
                   name, a.x, a.y, a.z, b.x, b.y, b.z, remark);
    if (!IsPlain(name)) text.replace(begin, std::string::npos, Printable(text.substr(begin)));
    rows.EndEntry();
  };
  const auto number = [&document](const char* name, const char* missing) {
    return document.at(name).is_null() ? missing
                                       : fmt::format("{:.3g}", document.at(name).get<double>());
  };
  Print("condition {}, digits left {}, error against 113 bits {}\n",
        number("condition", "not measured"), number("digits_left", "not measured"),
        document.contains("error_missing")
            ? "not known: " + document.at("error_missing").get<std::string>()
            : number("error", "not finite"));
  if (document.contains("condition_missing"))
    Print("no condition: {}\n", document.at("condition_missing").get<std::string>());
  Print(
      "bodies: acceleration of the mass centre [m/s^2], angular acceleration [rad/s^2], inertial "
      "axes\n");
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const BodyAcceleration& a = observation.accelerations[b];
    row(system.bodies[b].name, a.acceleration, a.angular_acceleration, "");
  }
  rows.Flush();
  Print(
      "joints: constraint force [N] and torque [N m] on the child about the child's joint frame, "
      "inertial axes\n");
  ForReactions(system, observation, [&row](const std::string& name, const JointReaction& reaction) {
    row(name, reaction.force, reaction.torque, NotUnique(reaction.unique).c_str());
  });
  rows.Flush();
  if (!TellsUniqueness(document, system)) Print("uniqueness: not reported\n");
  const auto is_unique = [](const JointReaction& r) { return r.unique.all(); };
  if (!std::ranges::all_of(observation.reactions, is_unique))
    Print("choice of what is not unique: {}\n", document.at("choice").is_null()
                                                    ? "not stated"
                                                    : document.at("choice").get<std::string>());
  if (observation.drivers.empty()) {
    if (!system.drivers.empty()) Print("drivers: not reported by the method\n");
    return;
  }
  Print(
      "drivers: coordinate [rad or m], its rate and acceleration, and the effort along it [N m or "
      "N]\n");
  for (std::size_t k = 0; k < observation.drivers.size(); ++k) {
    const DriverObservation& d = observation.drivers[k];
    Print("  {:<16} {:>17.10g} {:>17.10g} {:>17.10g} {:>17.10g}\n", system.drivers[k].name,
          d.position, d.rate, d.acceleration, d.effort);
  }
}

// Each formulation frees its memory and the next one allocates as much again. With a million bodies the kernel, which
// clears every page, would take a third of the time.
void KeepFreedMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

// The document of an outcome without accelerations.
Json WithoutResult(Json document, Outcome outcome, const std::string& reason) {
  document["outcome"] = Name(outcome);
  document["reason"] = reason;
  for (const char* list : {"bodies", "joints", "drivers"}) document[list] = Json::array();
  return document;
}

int Accelerations(const std::string& problem_name, const std::string& spec, bool as_json,
                  const std::vector<MethodEntry>& methods) {
  KeepFreedMemory();
  Cell cell;
  cell.problem = problem_name;
  cell.model_file = ModelFileOf(problem_name);
  cell.method = spec;
  PreparedCell prepared = [&] {
    try {
      return PrepareCell(cell, methods);
    } catch (const UnsupportedRobot& refused) {
      if (as_json) {
        PrintJson(WithoutResult(
            {{"problem", problem_name}, {"method", spec}, {"warnings", Json::array()}},
            Outcome::kUnsupported, refused.what()));
      }
      throw;
    }
  }();
  prepared.problem.initial = {};  // was moved to prepared.initial
  if (!as_json) PrintWarnings(prepared.problem.warnings, stderr);
  const System& system = prepared.problem.system;
  const Verdict verdict = VerdictOf(*prepared.method.entry, system, prepared.method.options);
  Json document{{"problem", prepared.problem.name},
                {"method", prepared.method.spec},
                {"time", 0.},
                {"choice", ChoiceOf(*prepared.method.entry)},
                {"warnings", prepared.problem.warnings}};
  Ending ending;
  if (!verdict.supported) {
    ending = {Outcome::kUnsupported, verdict.reason};
  } else {
    try {
      const JudgedEvaluation judged = JudgeInitialStateInPlace(prepared, Detail::kReactions);
      ending = judged.ending;
      document["outcome"] = Name(ending.outcome);
      document.update(ToJson(RecordOf(judged.condition)));
      document["error"] = NumberOrNull(judged.error);
      if (!judged.error) document["error_missing"] = judged.why_no_error;
      if (ending.outcome == Outcome::kOk) {
        as_json ? PrintResultAsJson(document, system, prepared.initial, judged.observation)
                : PrintResult(document, system, judged.observation);
        return kExitOk;
      }
    } catch (const EvaluationFailed& failed) {
      ending = failed.ending;
    }
  }
  if (as_json) {
    PrintJson(WithoutResult(std::move(document), ending.outcome, ending.reason));
  } else {
    Print(stderr, "{}: {}\n", Name(ending.outcome), ending.reason);
  }
  return kExitCellFailed;
}

}  // namespace

void AddAccelerationsCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "accelerations",
      "Print accelerations and joint reactions of a problem's initial state by one method",
      R"(Also printed: the condition (the relative change of the accelerations per relative change of
the data, measured by repeating the evaluation with data changed in the last place), the decimal
digits left after round-off, and the error against the reference's equations in 113 bits. The
outcome is ill_conditioned if no digit is left, wrong_equations if the error is more than round-off
explains, and singular if the state determines no accelerations.

Examples:
  mbsbench accelerations branch4 riccati-mstmm
  mbsbench accelerations branchN:bodies=12 cartesian-dae --json
  mbsbench accelerations robot.urdf articulated-body --state state.json --json)");
  struct Options {
    std::string problem, method;
    bool json = false;
    RobotOptions robot;
  };
  const auto options = std::make_shared<Options>();
  AddProblem(*command, options->problem);
  AddMethod(*command, options->method);
  command->add_flag("--json", options->json, "As one JSON document");
  AddRobotOptions(*command, options->robot);
  command->callback([&context, options] {
    AskForEngines({options->method}, context);
    context.exit_code = Accelerations(RobotOrProblem(options->problem, options->robot),
                                      options->method, options->json, context.methods);
  });
}

}  // namespace mbsbench
