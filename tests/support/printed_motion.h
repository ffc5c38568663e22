// A motion in 113 bits against the values that are printed for its first time.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "problems/catalog/catalog.h"
#include "reference/reference.h"

namespace mbsbench {

inline void ExpectMotionAsPrinted(const std::string& name, double bound) {
  Problem p = MakeProblem(name);
  p.end_time = p.published.at(0).time;
  p.sample_times = {0, p.end_time};
  const ReferenceSample end = SolveUncertified(p).samples.back();
  for (const PublishedValue& v : p.published) {
    const Observable& of = p.observables[static_cast<std::size_t>(v.observable)];
    EXPECT_NEAR(Difference(of, Evaluate(of, end.bodies), v.value), 0, bound)
        << name << ' ' << of.name;
  }
}

}  // namespace mbsbench
