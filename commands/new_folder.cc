// mbsbench new-method, new-problem: a folder to start from, which builds and passes its tests as it is.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "commands/options.h"
#include "commands/text.h"
#include "harness/plugins/plugins.h"
#include "harness/runner/cells/shell_word.h"
#include "harness/store/embedded_file.h"
#include "harness/store/files.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"

// The folders are examples, which the tests build under other names.
MBSBENCH_EMBED(new_method_source, MBSBENCH_EXAMPLES "/new_method/new-method.cc");
MBSBENCH_EMBED(new_method_absolute_dae, MBSBENCH_EXAMPLES "/new_method/absolute_dae.cc");
MBSBENCH_EMBED(new_method_absolute_stepper, MBSBENCH_EXAMPLES "/new_method/absolute_stepper.cc");
MBSBENCH_EMBED(new_method_build, MBSBENCH_EXAMPLES "/new_method/CMakeLists.txt");
MBSBENCH_EMBED(new_problem_model, MBSBENCH_EXAMPLES "/new_problem/new-problem.json");
MBSBENCH_EMBED(new_problem_build, MBSBENCH_EXAMPLES "/new_problem/CMakeLists.txt");
MBSBENCH_EMBED(new_problem_certify, MBSBENCH_EXAMPLES "/new_problem/certify.sh");

namespace mbsbench {

namespace {

namespace fs = std::filesystem;

struct NewFile {
  std::string name;
  std::string_view text;
  bool is_program = false;
};

struct NewFolder {
  std::string command;  // also the placeholder of the user's name in the files
  std::string what;
  std::vector<NewFile> files;
};

std::string Renamed(std::string_view text, const std::string& from, const std::string& to) {
  std::string renamed(text);
  for (std::size_t at = 0; (at = renamed.find(from, at)) != std::string::npos; at += to.size())
    renamed.replace(at, from.size(), to);
  return renamed;
}

// The prefix of the installation; empty: this program is not installed.
fs::path Installed() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  return fs::is_directory(prefix / "share/mbsbench") ? prefix : fs::path();
}

void WriteFolder(const NewFolder& folder, const std::string& name, const fs::path& parent) {
  if (!IsKey(name)) {
    throw ModelError(fmt::format(
        "'{}' is not a valid name of a {}: give at most 50 lower-case letters, digits and hyphens, "
        "beginning with a letter and not ending with a hyphen.",
        name, folder.what));
  }
  if (!fs::is_directory(parent))
    throw ModelError(fmt::format("there is no folder '{}'.", parent.string()));
  const fs::path path = (parent / name).lexically_normal();
  if (std::error_code ignored; fs::exists(path, ignored)) {
    throw ModelError(fmt::format("'{}' exists: choose another name, or another folder by --dir.",
                                 path.string()));
  }
  MakeFolder(path, "--dir");
  for (const NewFile& file : folder.files) {
    const fs::path to = path / Renamed(file.name, folder.command, name);
    WriteFile(to, Renamed(file.text, folder.command, name), "--dir");
    if (file.is_program)
      fs::permissions(to, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add);
    Print("wrote {}\n", to.string());
  }
  const std::string source = ShellWord(path.string()), build = ShellWord((path / "build").string());
  const fs::path prefix = Installed();
  Print("\ncmake -S {} -B {} -DCMAKE_PREFIX_PATH={}\ncmake --build {}\nctest --test-dir {}\n",
        source, build,
        prefix.empty() ? "<where mbsbench is installed>" : ShellWord(prefix.string()), build,
        build);
}

// `complete` refuses a name that is taken, and may choose the files.
CLI::App* AddNewCommand(CLI::App& app, CommandContext& context, const NewFolder& folder,
                        const std::string& help, const std::string& footer,
                        std::function<void(const std::string&, NewFolder&)> complete) {
  CLI::App* command = AddCommand(app, folder.command, help, footer);
  struct Options {
    std::string name, parent = ".";
  };
  const auto options = std::make_shared<Options>();
  AddArgument(*command, "NAME", options->name, "Lower-case letters, digits and hyphens");
  AddOption(*command, "--dir", options->parent, "FOLDER", "Where the folder NAME is made");
  command->callback([&context, options, folder, complete = std::move(complete)] {
    NewFolder chosen = folder;
    complete(options->name, chosen);
    WriteFolder(chosen, options->name, options->parent);
  });
  return command;
}

struct MethodKind {
  std::string coordinates = "joint", form = "ode";
};

std::string_view SourceOf(const MethodKind& kind) {
  if (kind.coordinates == "joint" && kind.form == "ode")
    return MBSBENCH_EMBEDDED(new_method_source);
  if (kind.coordinates == "absolute" && kind.form == "dae")
    return MBSBENCH_EMBEDDED(new_method_absolute_dae);
  if (kind.coordinates == "absolute" && kind.form == "stepper")
    return MBSBENCH_EMBEDDED(new_method_absolute_stepper);
  throw ModelError(fmt::format(
      "there is no template with --coordinates {} and --form {}: give joint and ode, absolute and "
      "dae, or absolute and stepper; docs/add_a_method.md says which headers serve the others.",
      kind.coordinates, kind.form));
}

}  // namespace

void AddNewMethodCommand(CLI::App& app, CommandContext& context) {
  const NewFolder folder{"new-method",
                         "method",
                         {{"new-method.cc", MBSBENCH_EMBEDDED(new_method_source)},
                          {"CMakeLists.txt", MBSBENCH_EMBEDDED(new_method_build)}}};
  const auto kind = std::make_shared<MethodKind>();
  CLI::App* command = AddNewCommand(
      app, context, folder, "Write a plug-in with a method to start from",
      R"(The folder NAME contains a working formulation, a CMakeLists.txt for the installed package, and
a test that runs 'mbsbench conform'. The formulation is an ODE in joint coordinates (trees, by their
mass matrix), a DAE of index 2 in absolute coordinates (trees and loops), or a time stepper in
absolute coordinates (trees and loops, by the midpoint rule with projection). An existing folder is
refused. docs/add_a_method.md explains the code.

Examples:
  mbsbench new-method my-method --dir ~/methods
  mbsbench new-method my-dae --coordinates absolute --form dae
  mbsbench new-method my-stepper --coordinates absolute --form stepper)",
      [&context, kind](const std::string& name, NewFolder& chosen) {
        for (const MethodEntry& method : context.methods) {
          if (method.key == name)
            throw ModelError("there is a method '" + name + "' already: choose another name.");
        }
        chosen.files.front().text = SourceOf(*kind);
      });
  AddOption(*command, "--coordinates", kind->coordinates, "WHICH", "joint (default) or absolute");
  AddOption(*command, "--form", kind->form, "FORM", "ode (default), dae or stepper");
}

void AddNewProblemCommand(CLI::App& app, CommandContext& context) {
  const NewFolder folder{"new-problem",
                         "problem",
                         {{"new-problem.json", MBSBENCH_EMBEDDED(new_problem_model)},
                          {"certify.sh", MBSBENCH_EMBEDDED(new_problem_certify), true},
                          {"CMakeLists.txt", MBSBENCH_EMBEDDED(new_problem_build)}}};
  AddNewCommand(
      app, context, folder, "Write a problem to start from",
      R"(The folder NAME contains a model file, the command that computes its reference in 113 bits, and
tests that check the model, certify it and compare two methods with the reference. An existing
folder is refused. docs/model_files.md lists the fields of the file.

Example:
  mbsbench new-problem my-mechanism --dir ~/problems)",
      [](const std::string& name, NewFolder&) {
        for (const ProblemFamily& family : AllProblems()) {
          if (family.name == name)
            throw ModelError("there is a problem '" + name + "' already: choose another name.");
        }
      });
}

}  // namespace mbsbench
