// mbsbench accelerations: the initial state of a problem seen by one method, with reactions.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "harness/commands/commands.h"
#include "harness/commands/robot_options.h"
#include "harness/commands/text.h"
#include "harness/runner/judged_evaluation.h"
#include "harness/verdict/verdict.h"

namespace mbsbench {

namespace {

// visit(name, the reaction): tree joints, then loop joints; none from an engine that has none.
template <class Visit>
void ForReactions(const System& system, const Observation& observation, Visit visit) {
  if (observation.reactions.empty()) return;
  std::size_t r = 0;
  for (const Joint& joint : system.joints) visit(joint.name, observation.reactions[r++]);
  for (const Joint& joint : system.loop_joints) visit(joint.name, observation.reactions[r++]);
}

// The document, and after its fields the long lists, which are written entry by entry: there may be a million.
void PrintResultAsJson(const Json& document, const System& system, const Observation& observation) {
  const std::string fields = TextOf(document);
  Print("{}", fields.substr(0, fields.size() - 1));
  bool is_first = true;
  const auto put = [&is_first](const Json& entry) {
    Print("{}{}", is_first ? "" : ",", TextOf(entry));
    is_first = false;
  };
  const auto begin = [&is_first](const char* name) {
    Print(",\"{}\":[", name);
    is_first = true;
  };
  begin("bodies");
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    put({{"name", system.bodies[b].name},
         {"acceleration", ToJson(observation.accelerations[b].acceleration)},
         {"angular_acceleration", ToJson(observation.accelerations[b].angular_acceleration)}});
  }
  Print("]");
  begin("joints");
  ForReactions(system, observation, [&put](const std::string& name, const JointReaction& reaction) {
    put({{"name", name},
         {"force", ToJson(reaction.force)},
         {"torque", ToJson(reaction.torque)},
         {"unique", reaction.unique}});
  });
  Print("]");
  begin("drivers");
  for (std::size_t k = 0; k < observation.drivers.size(); ++k) {  // none: an engine
    const DriverObservation& d = observation.drivers[k];
    put({{"name", system.drivers[k].name},
         {"position", d.position},
         {"rate", d.rate},
         {"acceleration", d.acceleration},
         {"effort", d.effort}});
  }
  Print("]}}\n");
}

void PrintResult(const Json& document, const System& system, const Observation& observation) {
  const auto row = [](const std::string& name, const Vector3& a, const Vector3& b,
                      const char* remark) {
    Print("  {:<16} {:>17.10g} {:>17.10g} {:>17.10g} {:>17.10g} {:>17.10g} {:>17.10g}{}\n", name,
          a.x, a.y, a.z, b.x, b.y, b.z, remark);
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
  Print(
      "joints: constraint force [N] and torque [N m] on the child about the child's joint frame, "
      "inertial axes\n");
  ForReactions(system, observation, [&row](const std::string& name, const JointReaction& reaction) {
    row(name, reaction.force, reaction.torque, reaction.unique ? "" : "  (not unique)");
  });
  if (observation.drivers.empty()) return;
  Print(
      "drivers: coordinate [rad or m], its rate and acceleration, and the effort along it [N m or "
      "N]\n");
  for (std::size_t k = 0; k < observation.drivers.size(); ++k) {
    const DriverObservation& d = observation.drivers[k];
    Print("  {:<16} {:>17.10g} {:>17.10g} {:>17.10g} {:>17.10g}\n", system.drivers[k].name,
          d.position, d.rate, d.acceleration, d.effort);
  }
}

int Accelerations(const std::string& problem_name, const std::string& spec, bool as_json,
                  const std::vector<MethodEntry>& methods) {
  Cell cell;
  cell.problem = problem_name;
  cell.model_file = ModelFileOf(problem_name);
  cell.method = spec;
  const PreparedCell prepared = [&] {
    try {
      return PrepareCell(cell, methods);
    } catch (const UnsupportedRobot& refused) {
      if (as_json) {
        PrintJson({{"problem", problem_name},
                   {"method", spec},
                   {"outcome", Name(Outcome::kUnsupported)},
                   {"reason", refused.what()},
                   {"bodies", Json::array()},
                   {"joints", Json::array()},
                   {"drivers", Json::array()},
                   {"warnings", Json::array()}});
      }
      throw;
    }
  }();
  if (!as_json) PrintWarnings(prepared.problem);
  const System& system = prepared.problem.system;
  const Verdict verdict = VerdictOf(*prepared.method.entry, system, prepared.method.options);
  Json document{{"problem", prepared.problem.name},
                {"method", prepared.method.spec},
                {"time", 0.},
                {"warnings", prepared.problem.warnings}};
  Ending ending;
  if (!verdict.supported) {
    ending = {Outcome::kUnsupported, verdict.reason};
  } else {
    try {
      const JudgedEvaluation judged = JudgeInitialState(prepared, Detail::kReactions);
      ending = judged.ending;
      document["outcome"] = Name(ending.outcome);
      document.update(ToJson(judged.condition));
      document["error"] =
          judged.error && std::isfinite(*judged.error) ? Json(*judged.error) : Json(nullptr);
      if (!judged.error) document["error_missing"] = judged.why_no_error;
      if (ending.outcome == Outcome::kOk) {
        as_json ? PrintResultAsJson(document, system, judged.observation)
                : PrintResult(document, system, judged.observation);
        return kExitOk;
      }
    } catch (const EvaluationFailed& failed) {
      ending = failed.ending();
    }
  }
  if (as_json) {
    document["outcome"] = Name(ending.outcome);
    document["reason"] = ending.reason;
    document["bodies"] = Json::array();
    document["joints"] = Json::array();
    document["drivers"] = Json::array();
    PrintJson(document);
  } else {
    Print(stderr, "{}: {}\n", Name(ending.outcome), ending.reason);
  }
  return kExitCellFailed;
}

}  // namespace

void AddAccelerationsCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "accelerations",
      "Accelerations and joint reactions of a problem's initial state by one method");
  command->footer(
      std::string(
          "Printed with them: the condition (how much more the accelerations change than the "
          "data, in relative terms,\nmeasured by repeating the evaluation with data changed "
          "in the last place), the decimal digits that round-off\nleaves, and the error against "
          "the reference's equations in 113 bits. Where no digit is left the outcome is\n"
          "ill_conditioned; where the error is more than round-off explains, wrong_equations.\n\n"
          "Examples:\n  mbsbench accelerations branch4 riccati-mstmm\n"
          "  mbsbench accelerations branchN:bodies=12 cartesian-dae --json\n"
          "  mbsbench accelerations robot.urdf articulated-body --state state.json --json\n\n") +
      kExitCodesHelp);
  struct Options {
    std::string problem, method;
    bool json = false;
    RobotOptions robot;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("PROBLEM", options->problem, kProblemHelp)->required()->type_name("");
  command->add_option("METHOD", options->method, "Key of a method, with its options")
      ->required()
      ->type_name("");
  command->add_flag("--json", options->json, "As one JSON document");
  AddRobotOptions(*command, options->robot);
  command->callback([&context, options] {
    AskForEngines({options->method}, context);
    context.exit_code = Accelerations(RobotOrProblem(options->problem, options->robot),
                                      options->method, options->json, context.methods);
  });
}

}  // namespace mbsbench
