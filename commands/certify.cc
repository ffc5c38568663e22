// mbsbench certify: the reference of a problem, and its error estimate.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/metrics/attainable.h"
#include "harness/runner/progress.h"
#include "harness/store/files.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "reference/reference.h"
#include "reference/steady_state.h"

namespace mbsbench {

namespace {

struct CertifyOptions {
  std::string problem;
  bool json = false, recompute = false, second = false, sensitivity = false, write = false;
};

// Calls solve(progress) and shows the progress.
template <class Solve>
auto WithProgress(const Problem& problem, const Solve& solve) {
  Progress progress(stderr);
  return solve([&](double done) {
    progress.Show([&] { return fmt::format("certifying {}: {:.0f} %", problem.name, 100 * done); });
  });
}

// A new solution, and its difference from the stored reference, if there is one.
struct Recomputed {
  Reference reference;
  MaybeNumber difference;
  bool agrees = true;  // within the error estimates of both
};
Recomputed RecomputeAndCompare(const Problem& problem, bool second_formulation_alone) {
  std::string why_not;
  const std::optional<Reference> held = FindReference(problem, &why_not);
  if (second_formulation_alone) {
    if (!held) throw ModelError(why_not + " Use --recompute.");
    const SecondOpinion opinion = WithProgress(problem, [&](const auto& progress) {
      return CertifyBySecondFormulation(problem, *held, progress);
    });
    return {opinion.reference, opinion.difference, opinion.difference <= held->error_estimate};
  }
  Recomputed r{CertifyWithProgress(problem), {}, true};
  if (!held) return r;
  r.difference = DifferenceBetween(problem, *held, r.reference);
  r.agrees = *r.difference <= held->error_estimate + r.reference.error_estimate;
  return r;
}

// The coordinates at rest of a certified equilibrium, by joint.
Json UnknownsOf(const Problem& problem, const SteadyReference& steady) {
  const JointOffsets at = OffsetsOf(problem.system);
  const std::vector<bool> driven = DrivenJoints(problem.system);
  Json unknowns = Json::object();
  for (std::size_t j = 0; j < problem.system.joints.size(); ++j) {
    const Joint& joint = problem.system.joints[j];
    if (driven[j] || CoordinateCount(joint.type) != 1) continue;
    unknowns[joint.name] = steady.coordinates[static_cast<std::size_t>(at.q[j])];
  }
  return unknowns;
}

// The certified steady state as one sample without a time, followed by the samples of the motion if a certificate of
// it is stored.
void ShowSteadyState(const Problem& problem, const SteadyReference& steady,
                     const std::optional<Reference>& motion, bool json) {
  const Json unknowns = UnknownsOf(problem, steady);
  if (json) {
    Json sample = SampleDocument(NAN, problem.system, steady.bodies);
    sample["unknowns"] = unknowns;
    Json samples = Json::array({std::move(sample)}), bodies = Json::array();
    for (const Body& body : problem.system.bodies) bodies.push_back(body.name);
    if (motion) {
      for (const ReferenceSample& s : motion->samples)
        samples.push_back(SampleDocument(s.time, problem.system, s.bodies, &motion->bodies));
    }
    PrintJson({{"problem", problem.name},
               {"how", steady.how},
               {"certified_by", steady.certified_by},
               {"error_estimate", steady.error_estimate},
               {"bodies", std::move(bodies)},
               {"samples", std::move(samples)}});
    return;
  }
  Print(
      "problem         {}, steady state\nhow             {}\ncertified by    {}\nerror estimate  "
      "{:.2g}\n",
      problem.name, steady.how, steady.certified_by, steady.error_estimate);
  constexpr std::size_t kMostShown = 20;
  std::size_t shown = 0;
  for (const auto& [name, value] : unknowns.items()) {
    if (shown++ == kMostShown) break;
    Print("{:<15} {:.16g}\n", name, value.get<double>());
  }
  if (unknowns.size() > kMostShown) Print("... and {} more\n", unknowns.size() - kMostShown);
  if (motion) {
    Print("motion          {} samples held, error estimate {:.2g}\n", motion->samples.size(),
          motion->error_estimate);
  }
}

// Both parts, one number per sample.
Json SensitivityDocument(const Reference& reference) {
  if (reference.sensitivity_how.empty()) return nullptr;
  const bool data = reference.data_left_out.empty();
  Json of_state = Json::array(), of_data = data ? Json::array() : Json(nullptr);
  for (const ReferenceSample& sample : reference.samples) {
    of_state.push_back(sample.state_sensitivity);
    if (data) of_data.push_back(sample.data_sensitivity);
  }
  return {{"how", reference.sensitivity_how},
          {"of_state", std::move(of_state)},
          {"of_data", std::move(of_data)},
          {"data_left_out", data ? Json(nullptr) : Json(reference.data_left_out)}};
}

int RunCertify(const CertifyOptions& options) {
  const Problem problem = LoadProblem(options.problem);
  PrintWarnings(problem.warnings, stderr);
  std::string why_not;
  const bool anew = options.recompute || options.second || options.sensitivity;
  if (!anew && RunsAtConstantRates(problem.system)) {
    if (const std::optional<SteadyReference> steady = FindSteadyReference(problem, &why_not)) {
      ShowSteadyState(problem, *steady, FindReference(problem), options.json);
      return kExitOk;
    }
  }
  std::optional<Reference> reference;
  MaybeNumber difference;
  int exit_code = kExitOk;
  if (options.sensitivity) {
    reference = FindReference(problem, &why_not);
    if (!reference) throw ModelError(why_not + " Use --recompute.");
    WithProgress(problem, [&](const auto& progress) {
      RenewSensitivity(problem, *reference, progress);
      return 0;
    });
  } else if (anew) {
    Recomputed recomputed = RecomputeAndCompare(problem, options.second);
    reference = std::move(recomputed.reference);
    difference = recomputed.difference;
    if (!recomputed.agrees) exit_code = kExitWorse;
  } else {
    reference = FindReference(problem, &why_not);
    if (!reference) {
      if (why_not.empty()) why_not = "there is no reference.";
      Print(stderr, "{}: {} One is computed now.\n", problem.name, why_not);
      reference = CertifyWithProgress(problem);
    }
  }
  if (options.write && options.second && exit_code != kExitOk) {
    Print(stderr, "{}: not written, because the two formulations disagree.\n", problem.name);
  } else if (options.write) {
    const std::filesystem::path file = CertificatePath(problem);
    MakeFolder(file.parent_path(), "MBSBENCH_REFERENCE_DIR");
    WriteCertificate(*reference, problem, file);
    Print(stderr, "written to {}\n", file.string());
  }
  if (options.json) {
    Json samples = Json::array(), bodies = Json::array();
    for (int b : reference->bodies)
      bodies.push_back(problem.system.bodies[static_cast<std::size_t>(b)].name);
    for (const ReferenceSample& s : reference->samples)
      samples.push_back(SampleDocument(s.time, problem.system, s.bodies, &reference->bodies));
    const MaybeNumber digits = DigitsAllowed(*reference);
    PrintJson({{"problem", problem.name},
               {"how", reference->how},
               {"certified_by", reference->certified_by},
               {"error_estimate", reference->error_estimate},
               {"velocity_error_estimate", reference->velocity_error_estimate},
               {"sensitivity", SensitivityDocument(*reference)},
               {"digits_allowed", NumberOrNull(digits)},
               {"difference_from_held", NumberOrNull(difference)},
               {"bodies", std::move(bodies)},
               {"samples", std::move(samples)}});
    return exit_code;
  }
  Print(
      "problem         {}\nhow             {}\ncertified by    {}\nerror estimate  {:.2g} "
      "(velocities {:.2g})\n",
      problem.name, reference->how, reference->certified_by, reference->error_estimate,
      reference->velocity_error_estimate);
  if (const MaybeNumber digits = DigitsAllowed(*reference)) {
    const LargestSensitivity largest = *LargestSensitivityOf(*reference);
    Print(
        "sensitivity     {:.3g} to the initial state ({}),\n                {} to the data; "
        "largest "
        "at {:g} s\n"
        "digits allowed  {:.1f}: -log10(1.1e-16 x their sum), what double precision can do\n",
        largest.of_state, reference->sensitivity_how,
        ShownNumber(largest.of_data, "not known (" + reference->data_left_out + ")"), largest.time,
        *digits);
  }
  const std::vector<ReferenceSample>& samples = reference->samples;
  Print("samples         {} of {} bodies, {:g} to {:g} s\n", samples.size(),
        reference->bodies.size(), samples.empty() ? 0 : samples.front().time,
        samples.empty() ? 0 : samples.back().time);
  if (difference) {
    Print("compared        differs by {:.2g} from the stored reference{}\n", *difference,
          exit_code == kExitOk ? "" : ": more than the error estimates");
  }
  return exit_code;
}

}  // namespace

Reference CertifyWithProgress(const Problem& problem) {
  return WithProgress(problem, [&](const auto& progress) { return Certify(problem, progress); });
}

void AddCertifyCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "certify", "Show a problem's reference and its error estimate, or compute it anew",
      R"(Shows the stored reference. If none is stored, or with --recompute, the reference is computed
in extended precision and certified by further solutions, which may take minutes.
For a driven system the steady state is shown (one sample without a time), and the motion if one is
stored; --recompute computes the motion.
A new reference is compared with the stored one: exit code 1 if they differ by more than the error
estimates.

Examples:
  mbsbench certify branch4
  mbsbench certify branch4 --recompute --write
  mbsbench certify mixed12 --second
  mbsbench certify caraxis --sensitivity --write
  mbsbench certify dpend18 --json

Exit codes: 0 ok; 1 the new reference differs from the stored one; 2 bad usage or input; 4 internal
error; 130 interrupted.)");
  const auto options = std::make_shared<CertifyOptions>();
  AddProblem(*command, options->problem);
  command->add_flag("--json", options->json,
                    "As one JSON document: samples as solve gives them, error_estimate");
  CLI::Option* recompute =
      command->add_flag("--recompute", options->recompute, "Recompute it even if one is stored");
  command
      ->add_flag(
          "--second", options->second,
          "Check the stored reference by the second formulation alone, in a fraction of the time")
      ->excludes(recompute);
  command
      ->add_flag("--sensitivity", options->sensitivity,
                 "Recompute only the sensitivities of the stored reference")
      ->excludes(recompute)
      ->excludes("--second");
  command->add_flag("--write", options->write, "Store it as the problem's certificate");
  command->callback([&context, options] { context.exit_code = RunCertify(*options); });
}

}  // namespace mbsbench
