// mbsbench conform: holds one method to the promises that every method has to keep.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/conform/promise.h"
#include "harness/runner/cells/shell_word.h"
#include "harness/runner/plan/plan.h"
#include "harness/store/files.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

struct ConformOptions {
  std::string method;
  std::vector<std::string> promises;
  std::string folder = "mbsbench-results/conform";
  bool json = false;
};

std::vector<Promise> ChosenPromises(const std::vector<std::string>& globs) {
  if (globs.empty()) return AllPromises();
  std::vector<Promise> chosen;
  for (const std::string& glob : globs) {
    const auto matches = [&glob](const Promise& p) { return MatchesGlob(glob, p.name); };
    if (std::none_of(AllPromises().begin(), AllPromises().end(), matches)) {
      std::vector<std::string> names;
      for (const Promise& p : AllPromises()) names.push_back(p.name);
      throw ModelError("no promise matches '" + glob + "'." + Suggestion(glob, names));
    }
  }
  for (const Promise& p : AllPromises()) {
    if (std::any_of(globs.begin(), globs.end(),
                    [&p](const std::string& glob) { return MatchesGlob(glob, p.name); }))
      chosen.push_back(p);
  }
  return chosen;
}

// Without a trial where the method declares that it does not keep the promise at all, or not within `seconds` of CPU time.
std::optional<Finding> Untried(const std::optional<DeclaredLimit>& limit, double seconds) {
  if (!limit) return std::nullopt;
  const bool takes_longer = limit->seconds > seconds;
  if (!takes_longer && !std::isinf(limit->bound)) return std::nullopt;
  Finding finding = NotApplicable(limit->reason);
  finding.standing = takes_longer ? Standing::kNotTried : Standing::kNotKept;
  if (takes_longer)
    finding.reason += fmt::format("; --plugin-time-limit {:g} allows it", limit->seconds);
  return finding;
}

// Writes the model that breaks a promise. Returns its path.
std::filesystem::path WriteFailing(const Problem& model, const std::string& folder,
                                   const std::string& spec, const std::string& promise) {
  MakeFolder(folder, "--models");
  const std::filesystem::path file =
      std::filesystem::path(folder) / (FileNameOf(spec + "-" + promise) + ".json");
  WriteFile(file, WriteModel(model), "--models");
  return file;
}

std::string RepeatCommand(const CommandContext& context, const std::filesystem::path& model,
                          const std::string& spec) {
  std::string command = "mbsbench";
  for (const std::filesystem::path& plugin : context.plugins)
    command += " --plugin " + ShellWord(plugin.string());
  return command + " accelerations " + ShellWord(model.string()) + " " + ShellWord(spec);
}

std::string LineOf(const Promise& promise, const Finding& finding) {
  std::string line = fmt::format("{:<15} {:<26}", Name(finding.standing), promise.name);
  if (!promise.figure.empty() && !std::isnan(finding.bound) && finding.tried > 0)
    line += fmt::format(" {:>8.1e} of {:<6.0e}", finding.figure, finding.bound);
  else
    line += fmt::format(" {:18}", "");
  if (finding.tried > 0) {
    const int all = finding.tried + finding.refused;
    line += finding.refused > 0 ? fmt::format(" {} of {} systems", finding.tried, all)
                                : fmt::format(" {} system{}", all, all == 1 ? "" : "s");
  }
  if (!finding.reason.empty()) line += (finding.tried > 0 ? "; " : " ") + finding.reason;
  return line;
}

int Conform(const ConformOptions& options, const CommandContext& context) {
  const MethodChoice method = ChooseMethod(options.method, context.methods);
  const std::vector<Promise> promises = ChosenPromises(options.promises);
  if (!options.json)
    Print("{}: worst figure of its bound, and systems tried, for each promise\n", method.spec);
  std::array<int, 7> count{};
  bool is_any_kept = false;  // by which it takes some system
  Json document{{"method", method.spec}, {"promises", Json::array()}};
  for (const Promise& promise : promises) {
    const std::optional<DeclaredLimit> limit = LimitOn(promise.name, method);
    const std::optional<Finding> untried = Untried(limit, context.plugin_seconds);
    Finding finding = untried ? *untried : TryOn(promise, method);
    if (finding.standing == Standing::kHeld && limit && !limit->by_chance)
      finding.reason = "the limit that its entry declares is not needed";
    ++count[static_cast<std::size_t>(finding.standing)];
    is_any_kept |= promise.name != "refusals" &&
                   (finding.standing == Standing::kHeld || finding.standing == Standing::kLimited);
    std::optional<std::filesystem::path> file;
    if (finding.standing == Standing::kBroken && finding.model)
      file = WriteFailing(*finding.model, options.folder, method.spec, promise.name);
    if (options.json) {
      Json entry = ToJson(finding);
      entry["name"] = promise.name;
      entry["statement"] = promise.statement;
      entry["measures"] = promise.figure;
      entry["model"] = file ? Json(file->string()) : Json(nullptr);
      document["promises"].push_back(std::move(entry));
      continue;
    }
    Print("{}\n", LineOf(promise, finding));
    if (file) Print("{:15} repeat: {}\n", "", RepeatCommand(context, *file, method.spec));
    std::fflush(stdout);
  }
  const auto number = [&count](Standing standing) {
    return count[static_cast<std::size_t>(standing)];
  };
  std::string closing;
  // What is not known to be kept is named in place of "0 broken".
  const bool is_kept = number(Standing::kNotKept) + number(Standing::kNotTried) == 0;
  for (Standing standing :
       {Standing::kHeld, Standing::kLimited, Standing::kNotKept, Standing::kNotTried,
        Standing::kBroken, Standing::kRefused, Standing::kNotApplicable}) {
    document[std::string(Name(standing))] = number(standing);
    const bool is_named_if_none =
        standing == Standing::kBroken
            ? is_kept
            : standing != Standing::kNotKept && standing != Standing::kNotTried;
    if (number(standing) == 0 && !is_named_if_none) continue;
    closing +=
        fmt::format("{}{} {}", closing.empty() ? "" : ", ", number(standing), Name(standing));
  }
  const bool takes_none =
      !is_any_kept && number(Standing::kBroken) == 0 && number(Standing::kRefused) > 0;
  if (options.json)
    PrintJson(document);
  else
    Print("{}{}\n", closing, takes_none ? ": the method takes none of these systems" : "");
  return number(Standing::kBroken) > 0 ? kExitWorse
         : is_kept && !takes_none      ? kExitOk
                                       : kExitNotKept;
}

}  // namespace

void AddConformCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = AddCommand(
      app, "conform", "Check whether a method keeps the promises of every method",
      R"(Prints one line per promise: held, limited (broken within a limit that the method's entry
declares), not kept (the entry declares a limit of infinity, and the promise is not tried), not
tried (the entry declares more CPU time than --plugin-time-limit allows), broken, refused (the
method supports none of its systems; the reason is that of the first) or not applicable; the worst
value measured and its bound; the systems tried. If accelerations, reactions or a function of the
contract are wrong, the smallest model that shows it is written to a file. docs/conform.md lists the
promises. For a plug-in, --plugin-time-limit limits the CPU time of each promise.

Examples:
  mbsbench conform articulated-body
  mbsbench --plugin libmy_method.so conform my-method
  mbsbench conform cartesian-dae:ggl --promise 'loop*' --promise jacobian --json

Exit codes: 0 no promise is broken beyond a declared limit; 1 one is; 2 bad usage or input; 4
internal error; 6 none is, but one is not kept at all or not tried, or all systems are refused.)");
  const auto options = std::make_shared<ConformOptions>();
  AddMethod(*command, options->method);
  AddOption(*command, "--promise", options->promises, "GLOB",
            "Only promises of this name, * for any text; may be repeated");
  AddOption(*command, "--models", options->folder, "FOLDER",
            "Folder for the models that break a promise");
  command->add_flag("--json", options->json, "As one JSON document");
  command->callback([&context, options] {
    AskForEngines({options->method}, context);
    context.exit_code = Conform(*options, context);
  });
}

}  // namespace mbsbench
