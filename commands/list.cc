// mbsbench list: the methods, engines, problems and integrators.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands/commands.h"
#include "commands/support_matrix.h"
#include "commands/text.h"
#include "harness/integrate/integrate.h"
#include "harness/metrics/attainable.h"
#include "harness/plugins/engines.h"
#include "harness/records/json_codec.h"
#include "harness/runner/documents.h"
#include "harness/runner/plan/plan.h"
#include "harness/verdict/verdict.h"
#include "problems/catalog/catalog.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

// A family, represented by its smallest instance.
struct Family {
  const ProblemFamily* family;
  Problem smallest;
  MaybeNumber digits_allowed;  // of the smallest
};

std::vector<Family> Families() {
  std::vector<Family> families;
  for (const ProblemFamily& f : AllProblems()) {
    Problem smallest = MakeProblem(f.name);
    const std::optional<Reference> reference = FindReference(smallest);
    families.push_back(
        {&f, std::move(smallest), reference ? DigitsAllowed(*reference) : MaybeNumber{}});
  }
  return families;
}

std::vector<std::string> IntegratorsFor(const MethodChoice& method) {
  std::vector<std::string> keys;
  for (const IntegratorEntry& entry : AllIntegrators()) {
    if (IntegratorFor(method, entry)) keys.push_back(entry.key);
  }
  return keys;
}

Json MethodsDocument(const std::vector<MethodEntry>& methods) {
  Json list = Json::array();
  for (const MethodEntry& entry : methods) {
    Json options = Json::array();
    for (const MethodOption& o : entry.options) {
      options.push_back({{"name", o.name},
                         {"meaning", o.meaning},
                         {"group", o.group},
                         {"default", o.is_default}});
    }
    Json numbers = Json::array();
    for (const NumericOption& n : entry.numbers) {
      numbers.push_back({{"name", n.name},
                         {"meaning", n.meaning},
                         {"unit", n.unit},
                         {"default", n.by_default},
                         {"least", n.least},
                         {"most", n.most},
                         {"with", n.with}});
    }
    Json variants = Json::array();
    for (const MethodChoice& variant : VariantsOf(entry)) {
      variants.push_back({{"name", variant.spec},
                          {"form", Name(variant.form())},
                          {"cost_exponent", variant.cost_exponent()},
                          {"shared_parts", SharedPartsOf(entry, variant.options)},
                          {"integrators", IntegratorsFor(variant)}});
    }
    list.push_back({{"name", entry.key},
                    {"title", entry.title},
                    {"source", entry.source},
                    {"description", entry.description},
                    {"form", Name(entry.form)},
                    {"cost_exponent", entry.cost_exponent},
                    {"origin", Name(entry.origin)},
                    {"limits", ToJson(RecordsOf(entry.limits))},
                    {"options", std::move(options)},
                    {"numbers", std::move(numbers)},
                    {"variants", std::move(variants)},
                    {"own_integrator",
                     entry.own_integration ? Json(entry.own_integration->title) : Json(nullptr)},
                    {"integrators", IntegratorsFor(ChooseMethod(entry.key, methods))}});
  }
  return list;
}

Json ProblemsDocument(const std::vector<Family>& families) {
  Json list = Json::array();
  for (const Family& f : families) {
    const Problem& p = f.smallest;
    Json options = Json::array();
    for (const ProblemOption& o : f.family->options)
      options.push_back({{"name", o.name}, {"meaning", o.meaning}});
    list.push_back({{"name", f.family->name},
                    {"title", f.family->title},
                    {"description", p.description},
                    {"source", p.source},
                    {"options", std::move(options)},
                    {"instances", f.family->instances},
                    {"plugin", f.family->plugin.empty() ? Json(nullptr) : Json(f.family->plugin)},
                    {"stands_for", p.name},
                    {"bodies", p.system.bodies.size()},
                    {"end_time", p.end_time},
                    {"digits_allowed", NumberOrNull(f.digits_allowed)},
                    {"tags", TagsOf(p)}});
  }
  return list;
}

Json IntegratorsDocument() {
  Json list = Json::array();
  for (const IntegratorEntry& e : AllIntegrators()) {
    list.push_back({{"name", e.key},
                    {"title", e.title},
                    {"form", Name(e.form)},
                    {"fixed_step", e.fixed_step},
                    {"adaptive", e.adaptive},
                    {"order", e.order}});
  }
  return list;
}

using Failures = std::map<std::string, std::string>;

// Why the plug-in of an engine was left out; empty: it was not.
std::string FailureOf(const Engine& engine, const Failures& failures) {
  const auto found = failures.find(engine.key);
  return found == failures.end() ? "" : found->second;
}

// The known engines: whether their plug-ins were built and can be loaded, and how to get the missing ones.
Json EnginesDocument(const Failures& failures) {
  Json list = Json::array();
  for (const Engine& engine : KnownEngines()) {
    const std::filesystem::path file = PluginOf(engine);
    list.push_back({{"name", engine.key},
                    {"title", engine.title},
                    {"package", engine.package},
                    {"present", !file.empty()},
                    {"plugin", file.empty() ? Json(nullptr) : Json(file.string())},
                    {"failure", FailureOf(engine, failures)},
                    {"hint", file.empty() ? HowToGet(engine) : ""}});
  }
  return list;
}

void PrintMethod(const MethodEntry& entry) {
  Print("  {:<20} {} ({}; {})\n", entry.key, entry.title, Name(entry.form), entry.source);
  for (const MethodOption& o : entry.options) {
    Print("  {:<20}   :{:<12} {}{}{}\n", "", o.name, o.meaning,
          o.form ? fmt::format(" ({})", Name(*o.form)) : "", o.is_default ? " (default)" : "");
  }
  for (const NumericOption& n : entry.numbers) {
    Print("  {:<20}   :{:<12} {}, {} to {}{}{} (default {})\n", "", n.name + "=", n.meaning,
          n.least, n.most, n.unit.empty() ? "" : " ", n.unit, n.by_default);
  }
  if (entry.own_integration)
    Print("  {:<20}   own integrator: {}\n", "", entry.own_integration->title);
}

void PrintProblem(const Family& f) {
  Print("  {:<20} {} [{}]{}\n", f.family->name, f.family->title,
        fmt::join(TagsOf(f.smallest), ", "), f.family->plugin.empty() ? "" : " (plug-in)");
  for (const ProblemOption& o : f.family->options)
    Print("  {:<20}   :{}=  {}\n", "", o.name, o.meaning);
}

// What the overview leaves out: integrators, shared parts and every declared limit.
void PrintMethodInDetail(const MethodEntry& entry) {
  PrintMethod(entry);
  PrintWrapped("  ", entry.description);
  for (const MethodChoice& variant : VariantsOf(entry)) {
    PrintWrapped(fmt::format("  {}: integrators ", variant.spec),
                 fmt::format("{}", fmt::join(IntegratorsFor(variant), ", ")));
    const std::vector<std::string>& shared = SharedPartsOf(entry, variant.options);
    if (shared.empty()) continue;
    PrintWrapped(fmt::format("  {}: shared with other methods: ", variant.spec),
                 fmt::format("{}", fmt::join(shared, ", ")));
  }
  for (const DeclaredLimit& limit : entry.limits) {
    PrintWrapped(
        "  limit: ",
        fmt::format("{}{} {}: {}", limit.with.empty() ? "" : limit.with + ": ",
                    fmt::join(limit.promises, ", "),
                    std::isinf(limit.bound) ? "not kept" : fmt::format("kept to {:g}", limit.bound),
                    limit.reason));
  }
}

// What the overview leaves out: size, source, instances and refusals.
void PrintProblemInDetail(const Family& f, const std::vector<MethodEntry>& methods) {
  PrintProblem(f);
  const Problem& p = f.smallest;
  PrintWrapped("  ", p.description);
  PrintWrapped("  source: ", p.source);
  Print("  {}: {} bodies, {:g} s{}\n", p.name, p.system.bodies.size(), p.end_time,
        f.digits_allowed ? fmt::format(", digits allowed {:.1f}", *f.digits_allowed) : "");
  if (f.digits_allowed) PrintWrapped("  ", kDigitsAllowedMeaning);
  PrintWrapped("  instances: ", fmt::format("{}", fmt::join(f.family->instances, " ")));
  for (const MethodEntry& entry : methods) {
    for (const MethodChoice& variant : VariantsOf(entry)) {
      const Verdict verdict = VerdictOf(*variant.entry, p.system, variant.options);
      if (!verdict.supported) PrintWrapped("  " + variant.spec + ": ", verdict.reason);
    }
  }
}

void PrintDetails(const std::vector<std::string>& names, const std::vector<MethodEntry>& methods,
                  const std::vector<Family>& families) {
  std::vector<std::string> known;
  for (const MethodEntry& entry : methods) known.push_back(entry.key);
  for (const Family& f : families) known.push_back(f.family->name);
  for (const std::string& name : names) {
    if (&name != &names.front()) Print("\n");
    const auto method =
        std::ranges::find_if(methods, [&](const MethodEntry& entry) { return entry.key == name; });
    const auto family =
        std::ranges::find_if(families, [&](const Family& f) { return f.family->name == name; });
    if (method != methods.end()) {
      PrintMethodInDetail(*method);
    } else if (family != families.end()) {
      PrintProblemInDetail(*family, methods);
    } else {
      throw ModelError("there is no method and no problem '" + name + "'." +
                       Suggestion(name, known));
    }
  }
}

void PrintText(const std::vector<MethodEntry>& methods, const std::vector<Family>& families,
               const Failures& failures) {
  Print("methods\n");
  for (const MethodEntry& entry : methods) PrintMethod(entry);
  Print("\nengines\n");
  for (const Engine& engine : KnownEngines()) {
    Print("  {:<20} {}: {}\n", engine.key, engine.title,
          PluginOf(engine).empty()              ? "absent: " + HowToGet(engine)
          : FailureOf(engine, failures).empty() ? "present"
                                                : "damaged: it cannot be loaded");
  }
  Print("\nproblems\n");
  for (const Family& f : families) PrintProblem(f);
  Print("\n");
  PrintWrapped("headline problems, with which a run begins: ",
               fmt::format("{}", fmt::join(HeadlineProblems(), " ")));
  Print("\nintegrators\n");
  for (const IntegratorEntry& e : AllIntegrators()) {
    Print("  {:<20} {} ({}; {})\n", e.key, e.title, Name(e.form),
          e.adaptive && e.fixed_step ? "tolerance or step"
          : e.adaptive               ? "tolerance"
                                     : "step");
  }
  Print("\nwhich method solves which problem\n{}", ToText(SupportMatrixOf(methods, kEnoughBodies)));
  Print(
      "\nmbsbench list NAME shows one method or problem in detail: integrators, declared limits, "
      "instances.\n");
}

}  // namespace

void AddListCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "list",
      "Show methods, engines, problems and integrators, and which method solves which problem",
      R"(Examples:
  mbsbench list
  mbsbench list fourbar riccati-mstmm
  mbsbench list --json)");
  const auto names = std::make_shared<std::vector<std::string>>();
  const auto json = std::make_shared<bool>(false);
  CLI::Option* named =
      command->add_option("NAME", *names, "Show these methods and problems in detail")
          ->type_name("");
  command
      ->add_flag(
          "--json", *json,
          "As one JSON document: methods, engines, problems, integrators, support (which method "
          "solves which instance of a problem, and why not)")
      ->excludes(named);
  command->callback([&context, names, json] {
    AskForEngines({}, context);
    const std::vector<Family> families = Families();
    if (*json) {
      PrintJson({{"methods", MethodsDocument(context.methods)},
                 {"engines", EnginesDocument(context.engine_failures)},
                 {"problems", ProblemsDocument(families)},
                 {"integrators", IntegratorsDocument()},
                 {"support", ToJson(SupportMatrixOf(context.methods))}});
    } else if (!names->empty()) {
      PrintDetails(*names, context.methods, families);
    } else {
      PrintText(context.methods, families, context.engine_failures);
    }
  });
}

}  // namespace mbsbench
