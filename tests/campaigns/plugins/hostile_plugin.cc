// A plug-in that does one thing wrong. The name of its file states place and fault:
// "supports-exit.so" calls exit(0) in `supports`, "load-hang.so" hangs in a static initialiser. Each
// place that calls ApplyFaultAt can have each of its faults.
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "examples/compound_pendulum/compound_pendulum.h"
#include "methods/interface/plugin.h"
#include "problems/model/problem_options.h"

namespace {

using namespace mbsbench;

const std::string& FaultName() {
  static const std::string name = [] {
    Dl_info self{};
    dladdr(reinterpret_cast<void*>(&mbsbench_plugin), &self);
    return std::filesystem::path(self.dli_fname).stem().string();
  }();
  return name;
}

[[noreturn]] void Hang() {
  for (;;) pause();
}

volatile int depth = 0;
int Recurse(int n) {
  volatile char page[4096];
  page[0] = static_cast<char>(n);
  depth = n;
  return n < 0 ? 0 : Recurse(n + 1) + page[0];
}

void ApplyFaultAt(const std::string& place) {
  if (FaultName().rfind(place + "-", 0) != 0) return;
  const std::string fault = FaultName().substr(place.size() + 1);
  if (fault == "exit") std::exit(0);
  if (fault == "abort") std::abort();
  if (fault == "throw") throw std::runtime_error("thrown by a plug-in");
  if (fault == "throw-int") throw 42;
  if (fault == "hang") Hang();
  if (fault == "kill") raise(SIGKILL);
  if (fault == "stack") Recurse(0);
  if (fault == "segfault") {
    signal(SIGSEGV, SIG_DFL);  // also where a sanitizer catches it
    raise(SIGSEGV);
  }
  if (fault == "memory") {
    for (static std::vector<char*> kept;;) kept.push_back(new char[64 << 20]);
  }
  if (fault == "deaf") {
    signal(SIGTERM, SIG_IGN);
    Hang();
  }
  // From here on the method continues normally.
  if (static bool has_printed = false; fault == "print" && !has_printed) {
    has_printed = true;
    const std::string line(1000, 'x');
    for (int i = 0; i < 4000; ++i) std::fprintf(i % 2 ? stdout : stderr, "%s\n", line.c_str());
  }
  if (fault == "close") {
    for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(descriptor);
  }
  if (fault == "rounding") std::fesetround(FE_UPWARD);
#ifdef __SSE2__
  if (fault == "subnormals") _mm_setcsr(_mm_getcsr() | 0x8040);  // as -ffast-math does
#endif
  if (fault == "chdir" && chdir("/") != 0) std::abort();
  if (fault == "handlers") {
    for (int s : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGPIPE, SIGCHLD}) signal(s, SIG_IGN);
  }
}

struct AtLoad {
  AtLoad() { ApplyFaultAt("load"); }
  ~AtLoad() { ApplyFaultAt("end"); }
} at_load;

class Hostile : public OdeFormulation {
 public:
  explicit Hostile(const System& system)
      : inner_(CompoundPendulumEntry().prepare(system, {})),
        sound_(static_cast<OdeFormulation&>(*inner_)) {}
  ~Hostile() override { ApplyFaultAt("destroy"); }

  std::size_t state_size() const override { return sound_.state_size(); }
  Status Initialise(double t, const SystemState& state, std::span<double> y) override {
    ApplyFaultAt("initialise");
    return sound_.Initialise(t, state, y);
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    ApplyFaultAt("evaluate");
    const Status status = sound_.Evaluate(t, y, ydot);
    if (FaultName() == "evaluate-nan") ydot[1] = NAN;
    if (FaultName() == "evaluate-infinity") ydot[1] = INFINITY;
    if (FaultName() == "evaluate-beyond") std::fill_n(ydot.data(), 4096, 1.);
    return status;
  }
  Status Observe(double t, std::span<const double> y, Detail detail,
                 Observation& observation) override {
    ApplyFaultAt("observe");
    const Status status = sound_.Observe(t, y, detail, observation);
    const std::string& fault = FaultName();
    if (fault == "observe-nothing") observation = {};
    if (fault == "observe-nan") observation.bodies[0].position.x = NAN;
    if (detail == Detail::kMotion) return status;
    if (fault == "observe-no-accelerations") observation.accelerations.clear();
    if (fault == "observe-infinity") observation.accelerations[0].acceleration.y = -INFINITY;
    if (fault == "observe-nan-accelerations") observation.accelerations[0].acceleration.x = NAN;
    return status;
  }

 private:
  std::unique_ptr<Formulation> inner_;
  OdeFormulation& sound_;
};

MethodEntry Entry() {
  MethodEntry entry = CompoundPendulumEntry();
  const std::string& fault = FaultName();
  entry.key = fault;
  entry.supports = [](const System& system, const MethodOptions& options) {
    ApplyFaultAt("supports");
    return CompoundPendulumEntry().supports(system, options);
  };
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    ApplyFaultAt("prepare");
    if (FaultName() == "prepare-nothing") return nullptr;
    return std::make_unique<Hostile>(system);
  };
  if (fault == "entry-empty-key") entry.key = "";
  if (fault == "entry-key-with-spaces") entry.key = "my method";
  if (fault == "entry-key-in-upper-case") entry.key = "MyMethod";
  if (fault == "entry-key-with-escapes") entry.key = "\x1b[31mred";
  if (fault == "entry-key-with-a-colon") entry.key = "my:method";
  if (fault == "entry-key-of-ours") entry.key = "toy-pendulum";
  if (fault == "entry-option-in-upper-case") entry.options = {{"Fast", "", "variant"}};
  if (fault == "entry-option-twice") entry.options = {{"fast", "", ""}, {"fast", "", ""}};
  if (fault == "entry-title-with-escapes") entry.title = "\x1b]0;owned\x07";
  if (fault == "entry-no-prepare") entry.prepare = nullptr;
  if (fault == "entry-cost-infinite") entry.cost_exponent = INFINITY;
  if (fault == "entry-form-of-another") entry.form = Form::kDae;
  return entry;
}

// Correct below 1 m, so that it loads; it misbehaves at 2 m.
Problem BuildPoint(const ProblemOptions& options) {
  if (NumberOption(options, "length", 0.5, 0.1, 2) > 1) ApplyFaultAt("build");
  Problem p;
  p.name = FaultName() == "problem-name-of-another" ? "other" : "hostile-point";
  p.title = "Point";
  Body body;
  body.name = FaultName() == "problem-invalid" ? "" : "bob";
  body.mass = 1;
  body.is_point = true;
  p.system.bodies = {body};
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child_frame.position = {-1, 0, 0};
  p.system.joints = {pin};
  p.initial.joints = {{0}, {0}};
  p.end_time = 1;
  p.energy_reference = 1;
  SetSampleTimes(p);
  return p;
}

ProblemFamily Family() {
  const std::string& fault = FaultName();
  ProblemFamily family{
      "hostile-point", "Point", {{"length", "of its rod"}}, {"hostile-point"}, BuildPoint};
  if (fault == "problem-name-of-ours") family.name = "pendulum", family.instances = {"pendulum"};
  if (fault == "problem-name-with-spaces") family.name = "hostile point";
  if (fault == "problem-name-with-escapes") family.name = "hostile\x1b[2J";
  if (fault == "problem-no-build") family.build = nullptr;
  if (fault == "problem-no-instance") family.instances = {};
  if (fault == "problem-no-title") family.title = "";
  if (fault == "problem-title-with-escapes") family.title = "\x1b]0;owned\x07";
  return family;
}

void Add(PluginParts& parts) {
  ApplyFaultAt("add");
  if (FaultName() == "entry-no-method") return;
  parts.Add(Entry());
  if (FaultName() == "entry-key-twice") parts.Add(Entry());
  if (FaultName().rfind("problem-", 0) == 0 || FaultName().rfind("build-", 0) == 0)
    parts.Add(Family());
}

}  // namespace

const PluginInfo* mbsbench_plugin() {
  static PluginInfo info{
      kPluginAbi, kPluginBuild, sizeof(System), sizeof(MethodEntry), sizeof(Problem),
      "hostile",  Add};
  if (FaultName() == "entry-no-description") return nullptr;
  if (FaultName() == "entry-wrong-abi") info.abi = -1;
  if (FaultName() == "entry-wrong-build") info.build = "another compiler";
  if (FaultName() == "entry-no-build") info.build = nullptr;
  if (FaultName() == "entry-wrong-size") info.entry_size = 1;
  if (FaultName() == "entry-no-function") info.add = nullptr;
  return &info;
}
