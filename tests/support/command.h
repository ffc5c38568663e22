// Runs an executable as a user would and returns its output.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace mbsbench {

// A folder that its owner removes.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    char name[] = "/tmp/mbsbench-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Starts an executable with its output in two files of `folder`.
inline pid_t StartCommand(const std::string& executable, const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder) {
  const std::string out = folder / "out", err = folder / "err";
  std::vector<std::string> words{executable};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
    dup2(open(out.c_str(), kFlags, 0644), STDOUT_FILENO);
    dup2(open(err.c_str(), kFlags, 0644), STDERR_FILENO);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  return pid;
}

struct CommandResult {
  int exit_code = -1;  // -1: ended by a signal
  std::string out, err;
};

inline CommandResult RunCommand(const std::string& executable,
                                const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const pid_t pid = StartCommand(executable, arguments, folder.path());
  int status = 0;
  waitpid(pid, &status, 0);
  CommandResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  for (auto [name, text] : {std::pair{"out", &result.out}, std::pair{"err", &result.err}}) {
    std::ostringstream all;
    all << std::ifstream(folder.path() / name).rdbuf();
    *text = all.str();
  }
  return result;
}

}  // namespace mbsbench
