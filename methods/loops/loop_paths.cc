#include "methods/loops/loop_paths.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace mbsbench {

namespace {

void Append(int begin, int end, int side, std::size_t first_own, std::vector<RowRun>& runs) {
  if (runs.size() > first_own && runs.back().end == begin && runs.back().side == side) {
    runs.back().end = end;
  } else {
    runs.push_back({begin, end, side});
  }
}

}  // namespace

LoopPaths::LoopPaths(const System& system, std::span<const int> parents,
                     std::span<const int> child_elements, std::span<const int> parent_elements) {
  const auto loop_count = static_cast<int>(system.loop_joints.size());
  std::vector<int> first_row{0};
  for (const Joint& joint : system.loop_joints) {
    first_row.push_back(first_row.back() + ConstraintCount(joint.type));
  }
  stop_of_end_.resize(2 * system.loop_joints.size());
  // Sides present at an element: bit 0 the child's, bit 1 the parent's.
  struct Present {
    std::map<int, int> sides;               // by loop
    std::vector<std::pair<int, int>> ends;  // loop, side
    std::vector<int> children;              // stops
  };
  std::map<int, Present, std::greater<>> elements;  // tips first
  elements[0];
  const auto reach = [&](int element, int loop, int side) {
    elements[element].ends.push_back({loop, side});
    for (int e = element; e != 0; e = parents[static_cast<std::size_t>(e)]) elements[e];
  };
  for (int l = 0; l < loop_count; ++l) {
    reach(child_elements[static_cast<std::size_t>(l)], l, 0);
    reach(parent_elements[static_cast<std::size_t>(l)], l, 1);
  }
  for (auto& [element, present] : elements) {
    const auto stop_index = static_cast<int>(stops_.size());
    Stop stop{};
    stop.element = element;
    stop.parent = -1;
    stop.first_merge = static_cast<int>(merges_.size());
    stop.first_run = static_cast<int>(runs_.size());
    for (const auto& [loop, side] : present.ends) {
      stop_of_end_[static_cast<std::size_t>(2 * loop + side)] = stop_index;
      present.sides[loop] |= 1 << side;
    }
    for (int child : present.children) stops_[static_cast<std::size_t>(child)].parent = stop_index;
    for (auto& [loop, sides] : present.sides) {
      const int begin = first_row[static_cast<std::size_t>(loop)];
      const int end = first_row[static_cast<std::size_t>(loop) + 1];
      if (sides == 3) {
        Append(begin, end, 1, static_cast<std::size_t>(stop.first_merge), merges_);
        sides = 1;
      }
      Append(begin, end, sides == 1 ? 0 : 1, static_cast<std::size_t>(stop.first_run), runs_);
    }
    if (element != 0) {
      Present& parent = elements[parents[static_cast<std::size_t>(element)]];
      parent.children.push_back(stop_index);
      for (const auto& [loop, sides] : present.sides) parent.sides[loop] |= sides;
    }
    stop.last_merge = static_cast<int>(merges_.size());
    stop.last_run = static_cast<int>(runs_.size());
    stops_.push_back(stop);
  }
}

double WorkOfColumns(const LoopPaths& paths, int rows) {
  double work = std::pow(rows, 3) / 3;
  for (const LoopPaths::Stop& stop : paths.stops()) {
    double passing = 0;
    for (const RowRun& run : paths.runs(stop)) passing += run.end - run.begin;
    work += 40 * passing + passing * passing;
  }
  return work;
}

}  // namespace mbsbench
