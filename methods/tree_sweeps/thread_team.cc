#include "methods/tree_sweeps/thread_team.h"

namespace mbsbench {

namespace {

// About 10 microseconds, the cost of waking a sleeping thread.
constexpr int kLooksAwake = 300;

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Waits until `value` is no longer `old`, first spinning, then sleeping. Returns the new value.
unsigned Await(const std::atomic<unsigned>& value, unsigned old) {
  for (int i = 0; i < kLooksAwake; ++i) {
    const unsigned now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    Pause();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(int helpers) {
  for (int k = 1; k <= helpers; ++k) helpers_.emplace_back([this, k] { Help(k); });
}

ThreadTeam::~ThreadTeam() {
  ends_ = true;
  Start();
}

void ThreadTeam::Start() {
  working_.store(static_cast<unsigned>(helpers_.size()), std::memory_order_relaxed);
  started_.fetch_add(1, std::memory_order_release);
  started_.notify_all();
}

void ThreadTeam::WaitForHelpers() {
  for (unsigned left = working_.load(std::memory_order_acquire); left != 0;) {
    left = Await(working_, left);
  }
}

void ThreadTeam::Help(int k) {
  for (unsigned seen = 0;;) {
    seen = Await(started_, seen);
    if (ends_) return;
    task_(context_, k);
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_one();
  }
}

}  // namespace mbsbench
