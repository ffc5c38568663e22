// Published values as printed: the number and the unit of its last digit.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include "problems/model/problem.h"

namespace mbsbench {

// "-0.24996570856" or "4.52e-5".
inline PublishedValue Printed(int observable, double time, const std::string& text,
                              const std::string& source,
                              PublishedValue::Kind kind = PublishedValue::Kind::kComputed) {
  const std::size_t exponent = text.find('e'), point = text.find('.');
  const std::size_t end = exponent == std::string::npos ? text.size() : exponent;
  const auto decimals = point == std::string::npos ? 0 : static_cast<int>(end - point) - 1;
  const int power = exponent == std::string::npos ? 0 : std::atoi(text.c_str() + exponent + 1);
  return {observable, time,  std::strtod(text.c_str(), nullptr), std::pow(10, power - decimals),
          kind,       source};
}

// One row of a table: the values of the first observables at one time.
inline void AppendPrintedRow(Problem& problem, double time, const std::string& source,
                             std::initializer_list<const char*> values) {
  int observable = 0;
  for (const char* text : values) {
    problem.published.push_back(Printed(observable++, time, text, source));
  }
}

}  // namespace mbsbench
