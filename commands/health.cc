// mbsbench health: random models by every method and engine, and how many digits of their accelerations are right.
#include "harness/conform/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands/commands.h"
#include "commands/options.h"
#include "commands/text.h"
#include "harness/records/json_codec.h"
#include "harness/runner/plan/plan.h"
#include "harness/runner/process/supervisor.h"
#include "harness/runner/progress.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

struct HealthOptions {
  std::vector<std::string> methods;
  std::string folder = "mbsbench-results/health";
  std::uint64_t models = 200, seed = 1;
  bool json = false;
};

using LinesByName = std::vector<std::pair<std::string, std::vector<HealthLine>>>;

// The lines of all methods by the kinds of models, in the order in which these appear.
LinesByName ByKind(const LinesByName& by_method) {
  LinesByName by_kind;
  for (const auto& [method, lines] : by_method) {
    for (const HealthLine& line : lines) {
      auto found = std::ranges::find(by_kind, line.kind, &LinesByName::value_type::first);
      if (found == by_kind.end())
        found = by_kind.emplace(found, line.kind, std::vector<HealthLine>{});
      found->second.push_back(line);
    }
  }
  return by_kind;
}

std::string ShownDigits(MaybeNumber digits) {
  return digits ? fmt::format("{:.1f}", *digits) : "-";
}

// A table in Markdown.
void PrintRows(const std::string& title, const LinesByName& all) {
  std::size_t width = title.size();
  for (const auto& [name, lines] : all) width = std::max(width, name.size());
  Print(
      "| {:<{}} | models | refused | crashed | hung | explained | unexplained |  p50 | "
      " p99 | worst |\n|{:-<{}}|-------:|--------:|--------:|-----:|----------:|"
      "------------:|-----:|-----:|------:|\n",
      title, width, "", width + 2);
  for (const auto& [name, lines] : all) {
    const HealthRow row = RowOf(lines);
    Print("| {:<{}} | {:>6} | {:>7} | {:>7} | {:>4} | {:>9} | {:>11} | {:>4} | {:>4} | {:>5} |\n",
          name, width, row.models, row.refused, row.crashed, row.hung, row.explained,
          row.unexplained, ShownDigits(row.digits_p50), ShownDigits(row.digits_p99),
          ShownDigits(row.digits_worst));
  }
}

Json RowsByName(const LinesByName& all) {
  Json rows = Json::object();
  for (const auto& [name, lines] : all) rows[name] = ToJson(RowOf(lines));
  return rows;
}

void PrintCard(const HealthPlan& plan, const LinesByName& by_method,
               const std::vector<HealthCase>& cases) {
  Print(
      "{} random models of seed {} against 113 bits: errors above 1e-6 that round-off explains or "
      "not, and the digits that\nhalf of the answers, 99 % of them and the worst one have\n\n",
      plan.models, plan.seed);
  PrintRows("method", by_method);
  Print("\n");
  PrintRows("kind of models", ByKind(by_method));
  Print("\n");
  for (const MethodChoice& method : plan.methods) {
    if (method.entry->origin == Origin::kEngine)
      PrintWrapped(method.spec + ": ", method.entry->title);
  }
  if (cases.empty()) return;
  Print(
      "\nthe first error of each kind that round-off does not explain, and a small model of it\n");
  for (const HealthCase& found : cases)
    Print("  {:<24} {:<12} model {:>5}, error {:.2g}: {}\n", found.method, found.line.kind,
          found.line.model, *found.line.error, found.model.string());
}

void PrintCardAsJson(const HealthPlan& plan, const LinesByName& by_method,
                     const std::vector<HealthCase>& cases) {
  Json methods = Json::object(), found = Json::array();
  for (const auto& [method, lines] : by_method) {
    methods[method] = ToJson(RowOf(lines));
    methods[method]["kinds"] = RowsByName(ByKind({{method, lines}}));
  }
  for (const HealthCase& one : cases) {
    Json document = ToJson(one.line);
    document["method"] = one.method;
    document["file"] = one.model.string();
    found.push_back(std::move(document));
  }
  PrintJson({{"models", plan.models},
             {"seed", plan.seed},
             {"methods", std::move(methods)},
             {"cases", std::move(found)}});
}

HealthPlan PlanOf(const HealthOptions& o, CommandContext& context) {
  AskForEngines(o.methods, context);
  HealthPlan plan;
  plan.methods = SelectMethods(o.methods, context.methods);
  std::erase_if(plan.methods, [&](const MethodChoice& method) {
    return method.form() == Form::kAlgebraic || (o.methods.empty() && !IsDefaultVariant(method));
  });
  if (plan.methods.empty())
    throw ModelError("--method names only methods of steady states, which give no accelerations.");
  plan.models = o.models;
  plan.seed = o.seed;
  plan.folder = std::filesystem::path(o.folder) / fmt::format("seed-{}", o.seed);
  plan.seconds = context.plugin_seconds;
  return plan;
}

int Health(const HealthOptions& o, CommandContext& context) try {
  const HealthPlan plan = PlanOf(o, context);
  const SignalsInterrupt interruptible;
  {
    Progress progress(stderr);
    JudgeRandomModels(plan, [&](std::uint64_t done) {
      progress.Show([&] { return fmt::format("{} of {} models", done, plan.models); });
    });
  }
  const std::vector<HealthCase> cases = ReducedCases(plan);
  LinesByName by_method;
  bool is_ill = false;
  for (const MethodChoice& method : plan.methods) {
    by_method.emplace_back(method.spec, HealthLinesOf(plan, method));
    const HealthRow row = RowOf(by_method.back().second);
    is_ill = is_ill || row.unexplained + row.crashed + row.hung > 0;
  }
  (o.json ? PrintCardAsJson : PrintCard)(plan, by_method, cases);
  return is_ill ? kExitCellFailed : kExitOk;
} catch (const Interrupted&) {
  throw Interrupted("the same command goes on with the models that it had not judged");
}

}  // namespace

void AddHealthCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "health", "Try all methods and engines on many random models",
      R"(Random models (trees, loops, chains of up to 1,000 bodies, mass ratios of up to 1e9, tiny and thin
inertias, fast spins, hard springs, drivers) are evaluated by each method and engine in processes of
its own and compared with the reference's equations in 113 bits. The card counts refusals, crashes,
hangs (longer than --plugin-time-limit) and errors above 1e-6, with those that round-off explains
apart, and states the digits that are right. The first unexplained error of each method on each kind
of models is reduced to a small model, which 'mbsbench settle' takes. The results are lines of JSON
in the folder; the same command with more models continues them.

Examples:
  mbsbench health
  mbsbench health --models 10000 --seed 7 --method mujoco --method 'articulated-body*'

Exit codes: 0 no unexplained errors, crashes or hangs; 2 bad usage or input; 3 there are some;
4 internal error; 130 interrupted.)");
  const auto options = std::make_shared<HealthOptions>();
  AddNumber(*command, "--models", options->models, "N", WholeNumber(1, 1000000), "Random models");
  AddNumber(*command, "--seed", options->seed, "N", WholeNumber(0, UINT64_MAX),
            "Seed of the models");
  AddOption(*command, "--method,--engine", options->methods, "GLOB",
            "Methods and engines (the default variant of each); may be repeated");
  AddOption(*command, "--output", options->folder, "DIR", "Folder of the results of all seeds");
  command->add_flag("--json", options->json, "As one JSON document");
  command->callback([&context, options] { context.exit_code = Health(*options, context); });
}

}  // namespace mbsbench
