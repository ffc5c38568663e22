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

std::string ShownDigits(MaybeNumber digits) {
  return digits ? fmt::format("{:.1f}", *digits) : "-";
}

// A table in Markdown of the rows that have only this name.
void PrintRows(const std::string& title, std::string HealthRow::*name, const HealthCard& card) {
  std::string HealthRow::*const other =
      name == &HealthRow::method ? &HealthRow::kind : &HealthRow::method;
  std::size_t width = title.size();
  for (const HealthRow& row : card.rows) width = std::max(width, (row.*name).size());
  Print(
      "\n| {:<{}} | models | refused | crashed | hung | explained | unexplained |  p50 | "
      " p99 | worst |\n|{:-<{}}|-------:|--------:|--------:|-----:|----------:|"
      "------------:|-----:|-----:|------:|\n",
      title, width, "", width + 2);
  for (const HealthRow& row : card.rows) {
    if ((row.*name).empty() || !(row.*other).empty()) continue;
    Print("| {:<{}} | {:>6} | {:>7} | {:>7} | {:>4} | {:>9} | {:>11} | {:>4} | {:>4} | {:>5} |\n",
          row.*name, width, row.models, row.refused, row.crashed, row.hung, row.explained,
          row.unexplained, ShownDigits(row.digits_p50), ShownDigits(row.digits_p99),
          ShownDigits(row.digits_worst));
  }
}

// As Markdown; docs/health.md ends with one.
void PrintCard(const HealthCard& card) {
  Print(
      "{} random models of seed {} against 113 bits: errors above 1e-6 that round-off explains or "
      "not, and the digits that\nhalf of the answers, 99 % of them and the worst one have.\n",
      card.models, card.seed);
  PrintRows("method", &HealthRow::method, card);
  PrintRows("kind of models", &HealthRow::kind, card);
  if (!card.engines.empty()) Print("\n");
  for (const auto& [method, title] : card.engines.list)
    PrintWrapped(fmt::format("- `{}`: ", method), title);
  if (card.cases.empty()) return;
  Print(
      "\nThe first error of each kind that round-off does not explain, and a small model of it:\n\n"
      "| method                   | kind         | model |   error | file |\n"
      "|--------------------------|--------------|------:|--------:|------|\n");
  for (const HealthCase& found : card.cases)
    Print("| {:<24} | {:<12} | {:>5} | {:>7} | {} |\n", found.method, found.kind, found.model,
          ShownNumber(found.error), found.file);
}

HealthPlan PlanOf(const HealthOptions& o, CommandContext& context) {
  RefuseUnknownKeys(o.methods, context);
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
  const HealthCard card = CardOf(plan);
  if (o.json)
    PrintJson(ToJson(card));
  else
    PrintCard(card);
  return std::ranges::any_of(card.rows, &HealthRow::is_ill) ? kExitCellFailed : kExitOk;
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
in the folder; the same command with more models continues them. The card is Markdown, or a document
that 'mbsbench report --health' shows (docs/health.md).

Examples:
  mbsbench health
  mbsbench health --models 10000 --seed 7 --method mujoco --method 'articulated-body*'
  mbsbench health --json > card.json

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
