// Pages of the repository that a test writes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace mbsbench {

inline std::string TextOfFile(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Writes the page where the environment variable is set; otherwise the committed one has to be the same.
inline void ExpectPage(const std::string& file, const std::string& page, const char* variable) {
  if (std::getenv(variable) != nullptr) std::ofstream(file) << page;
  EXPECT_EQ(TextOfFile(file), page)
      << "where the change is meant, write the page anew as the test's file says at its head";
}

}  // namespace mbsbench
