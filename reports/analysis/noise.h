// How far the ratios of the map scatter over their paired rounds. A slow moment of the machine strikes both times of a pair, so
// single times may scatter more.
#pragma once

#include <string>

#include "reports/analysis/mechanism_map.h"

namespace mbsbench::reports {

struct Noise {
  long long ratios = 0,
            noisy = 0;  // those of several rounds, and those with an interval wider than 10 %

  // Fewer ratios say nothing about the machine.
  static constexpr long long kFewestRatios = 20;
  bool IsKnown() const { return ratios >= kFewestRatios; }
  bool IsNoisy() const { return 10 * noisy > ratios; }  // more than one ratio in ten
  std::string InShort() const;  // "quiet", "noisy: 27 of 536 ratios", "not known yet"
  std::string Sentence() const;
};

Noise NoiseOf(const MechanismMap& map);

}  // namespace mbsbench::reports
