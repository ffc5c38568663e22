// A few threads that repeat one piece of work together, microseconds apart: helpers spin for a
// while, then sleep.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace mbsbench {

class ThreadTeam {
 public:
  explicit ThreadTeam(int helpers);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Calls work(0) on this thread and work(1), work(2), ... on the helpers; returns when all are done.
  // `work` throws nothing.
  template <class Work>
  void Run(const Work& work) {
    task_ = [](const void* context, int k) { (*static_cast<const Work*>(context))(k); };
    context_ = &work;
    Start();
    work(0);
    WaitForHelpers();
  }

 private:
  void Start();
  void WaitForHelpers();
  void Help(int k);

  void (*task_)(const void*, int) = nullptr;
  const void* context_ = nullptr;
  bool ends_ = false;
  // The variables on which helpers wait and those that they change are on separate cache lines.
  alignas(64) std::atomic<unsigned> started_ = 0;
  alignas(64) std::atomic<unsigned> working_ = 0;
  std::vector<std::jthread> helpers_;
};

}  // namespace mbsbench
