// mbsbench list: the methods, engines, problems and integrators.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "commands/commands.h"
#include "commands/support_matrix.h"
#include "commands/text.h"
#include "harness/integrate/integrate.h"
#include "harness/metrics/attainable.h"
#include "harness/plugins/engines.h"
#include "harness/records/json_codec.h"
#include "harness/runner/documents.h"
#include "harness/runner/plan/plan.h"
#include "harness/runner/plan/policy.h"
#include "harness/runner/plan/quick_cells.h"
#include "harness/support/support.h"
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

// "quick": it has cells in the quick run.
std::vector<std::string> TagsOf(const Problem& problem) {
  std::vector<std::string> tags{problem.planar ? "planar" : "spatial",
                                problem.conservative ? "conservative" : "dissipative",
                                problem.system.loop_joints.empty() ? "tree" : "loops"};
  if (IsQuick(problem.name)) tags.emplace_back("quick");
  return tags;
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
    const MethodChoice by_default = ChooseMethod(entry.key, methods);
    const OwnIntegration* const own = by_default.own_integration();
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
                    {"own_integrator", own != nullptr ? Json(own->title) : Json(nullptr)},
                    {"integrators", IntegratorsFor(by_default)}});
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

// An option as the overview and the details show it.
struct ShownOption {
  std::string name, meaning;  // ":paper"; one line
  bool operator==(const ShownOption&) const = default;
};

std::vector<ShownOption> OptionsOf(const MethodEntry& entry) {
  std::vector<ShownOption> options;
  std::string before;  // "order=" of "order=2"
  for (const MethodOption& o : entry.options) {
    const std::string meaning = o.meaning + (o.form ? fmt::format(" ({})", Name(*o.form)) : "") +
                                (o.is_default ? " (default)" : "");
    const std::size_t value = o.name.find('=') + 1;
    const std::string name = value > 0 ? o.name.substr(0, value) : "";
    if (!name.empty() && name == before) {
      options.back().name += "|" + o.name.substr(value);
      options.back().meaning += "; " + meaning;
    } else {
      options.push_back({":" + o.name, meaning});
    }
    before = name;
  }
  for (const NumericOption& n : entry.numbers) {
    options.push_back(
        {":" + n.name + "=", fmt::format("{}, {} to {}{}{} (default {})", n.meaning, n.least,
                                         n.most, n.unit.empty() ? "" : " ", n.unit, n.by_default)});
  }
  return options;
}

// The options that several methods have with one meaning.
std::vector<ShownOption> SharedOptions(const std::vector<MethodEntry>& methods) {
  std::vector<ShownOption> seen, shared;
  for (const MethodEntry& entry : methods) {
    for (const ShownOption& option : OptionsOf(entry)) {
      if (std::ranges::find(seen, option) == seen.end()) {
        seen.push_back(option);
      } else if (std::ranges::find(shared, option) == shared.end()) {
        shared.push_back(option);
      }
    }
  }
  return shared;
}

void PrintOption(const ShownOption& option) {
  PrintWrapped(fmt::format("    {:<14} ", option.name), option.meaning);
}

enum class Listing { kOverview, kAll };
// In one line, then the options. The overview only names those that are numbers or in `explained_elsewhere`.
void PrintMethod(const std::string& number, const MethodEntry& entry, Listing listing,
                 const std::vector<ShownOption>& explained_elsewhere = {}) {
  std::string named;
  std::vector<ShownOption> own;
  for (const ShownOption& option : OptionsOf(entry)) {
    const bool is_number = option.name.ends_with('=');
    const bool is_named_only =
        (listing == Listing::kOverview && is_number) ||
        std::ranges::find(explained_elsewhere, option) != explained_elsewhere.end();
    if (is_named_only)
      named += " " + option.name;
    else
      own.push_back(option);
  }
  // The only variant of a method is its title's.
  if (listing == Listing::kOverview && own.size() == 1 && own[0].meaning.ends_with("(default)")) {
    named += " " + own[0].name;
    own.clear();
  }
  Print("{}{:<20} {} ({}){}\n", number, entry.key, entry.title, Name(entry.form), named);
  for (const ShownOption& option : own) PrintOption(option);
}

void PrintProblem(const Family& f) {
  Print("  {:<20} {} [{}]{}\n", f.family->name, f.family->title,
        fmt::join(TagsOf(f.smallest), ", "), f.family->plugin.empty() ? "" : " (plug-in)");
  for (const ProblemOption& o : f.family->options) PrintOption({":" + o.name + "=", o.meaning});
}

// One line: marks of the methods, the title, the first options as far as there is room.
void PrintMarkedProblem(const Family& f, std::size_t name_width, const std::string& marks) {
  constexpr std::size_t kMostOptions = 3, kRoom = 122;  // characters, without " ..."
  std::string line = fmt::format("  {:<{}}", f.family->name, name_width);
  for (const char mark : marks) line += {' ', mark};
  line += "  " + f.family->title;
  const std::vector<ProblemOption>& options = f.family->options;
  std::size_t shown = 0;
  for (; shown < std::min(options.size(), kMostOptions); ++shown) {
    const std::string option = " :" + options[shown].name + "=";
    if (line.size() + option.size() > kRoom) break;
    line += option;
  }
  Print("{}{}{}\n", line, options.size() > shown ? " ..." : "",
        f.family->plugin.empty() ? "" : " (plug-in)");
}

// The numbers 1 ... count from top to bottom, above the marks; the title is in their first line.
void PrintColumnNumbers(const std::string& title, std::size_t name_width, std::size_t count) {
  const std::size_t digits = std::to_string(count).size();
  for (std::size_t d = 0; d < digits; ++d) {
    std::string line = fmt::format("{:<{}}", d == 0 ? title : "", 2 + name_width);
    for (std::size_t k = 1; k <= count; ++k) line += {' ', fmt::format("{:>{}}", k, digits)[d]};
    Print("{}\n", line);
  }
}

// What the overview leaves out: source, integrators, shared parts and every declared limit.
void PrintMethodInDetail(const MethodEntry& entry) {
  PrintMethod("  ", entry, Listing::kAll);
  std::set<std::string> own;
  for (const MethodChoice& variant : VariantsOf(entry)) {
    if (variant.own_integration() != nullptr) own.insert(variant.own_integration()->title);
  }
  for (const std::string& title : own) PrintOption({"own integrator", title});
  PrintWrapped("  source: ", entry.source);
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
    PrintWrapped("  limit: ",
                 fmt::format("{}{} {}: {}", limit.with.empty() ? "" : limit.with + ": ",
                             fmt::join(limit.promises, ", "),
                             limit.seconds > 0 ? fmt::format("{:g} s of CPU time", limit.seconds)
                             : std::isinf(limit.bound) ? "not kept"
                                                       : fmt::format("kept to {:g}", limit.bound),
                             limit.reason));
  }
}

// What the overview leaves out: tags, meanings of options, size, source, instances and refusals.
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
  const std::vector<ShownOption> shared = SharedOptions(methods);
  Print("methods\n");
  for (std::size_t k = 0; k < methods.size(); ++k)
    PrintMethod(fmt::format("{:>2} ", k + 1), methods[k], Listing::kOverview, shared);
  for (const Engine& engine : KnownEngines()) {
    if (PluginOf(engine).empty()) {
      PrintWrapped("   " + engine.key + ": ", "absent: " + HowToGet(engine));
    } else if (!FailureOf(engine, failures).empty()) {
      Print("   {}: damaged: it cannot be loaded\n", engine.key);
    }
  }
  PrintWrapped("   a newer engine: ", kHowToGetNewer);
  if (!shared.empty()) Print("\noptions of several methods\n");
  for (const ShownOption& option : shared) PrintOption(option);
  Print("\n");
  std::size_t name_width = 0;
  for (const Family& f : families) name_width = std::max(name_width, f.family->name.size());
  PrintColumnNumbers("problems by method", name_width, methods.size());
  const std::map<std::string, std::string> marks = MarksOf(SupportMatrixOf(methods, kEnoughBodies));
  for (const Family& f : families) PrintMarkedProblem(f, name_width, marks.at(f.family->name));
  PrintWrapped("  ",
               "x: all variants solve it; o: some, or some sizes up to 5,000 bodies; .: none. list "
               "NAME says why.");
  PrintWrapped("  A run begins with ", fmt::format("{}.", fmt::join(HeadlineProblems(), ", ")));
  Print("\nintegrators\n");
  for (const IntegratorEntry& e : AllIntegrators()) {
    Print("  {:<20} {} ({}; {})\n", e.key, e.title, Name(e.form),
          e.adaptive && e.fixed_step ? "tolerance or step"
          : e.adaptive               ? "tolerance"
                                     : "step");
  }
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
