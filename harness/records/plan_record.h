// A plan as each of its shards holds it, and how far a run has come with its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mbsbench {

struct PlannedProblemRecord {
  std::string name = {};
  int shard = 0;
  std::int64_t cells = 0;

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("name", r.name);
    field("shard", r.shard);
    field("cells", r.cells);
  }
};

// In the order of the whole plan; with cells that are never run.
struct PlanRecord {
  std::vector<PlannedProblemRecord> problems = {};

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("problems", r.problems);
  }
};

// How much of a plan has been done.
struct Covered {
  std::int64_t planned = 0, done = 0;

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("planned", r.planned);
    field("done", r.done);
  }
};

struct PassRecord {
  std::string title = {};
  std::int64_t planned = 0, done = 0;  // trials
  double seconds_left = 0;             // wall, as trials run side by side

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field("title", r.title);
    field("planned", r.planned);
    field("done", r.done);
    field("seconds_left", r.seconds_left);
  }
};

struct CoverageRecord {
  std::optional<Covered> families = {}, problems = {}, methods = {}, cells = {};
  std::vector<PassRecord> passes = {};  // in their order
  std::vector<std::vector<std::string>> open =
      {};  // problem, method, integrator of curves that lack a cell or its time

  template <class Self, class Field>
  static void Fields(Self& r, Field& field) {
    field.IfAny("families", r.families);
    field("problems", r.problems);
    field.IfAny("methods", r.methods);
    field("cells", r.cells);
    field("passes", r.passes);
    field("open", r.open);
  }
};

}  // namespace mbsbench
