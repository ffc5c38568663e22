// The engines whose plug-ins were built, for tests of their promises.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "harness/plugins/engines.h"
#include "harness/plugins/plugins.h"

namespace mbsbench {

// The method of an engine, loaded once; empty if its plug-in was not built.
inline const MethodEntry* EngineMethod(const std::string& key) {
  static std::map<std::string, std::vector<MethodEntry>> loaded;
  const auto file = std::filesystem::path(MBSBENCH_ENGINES) / ("mbsbench_" + key + ".so");
  if (!std::filesystem::exists(file)) return nullptr;
  if (!loaded.contains(key)) loaded[key] = LoadPlugin(file).methods;
  return &loaded[key].front();
}

// Tests of one engine, named by its key.
class OfEngine : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    method_ = EngineMethod(GetParam());
    if (method_ == nullptr)
      GTEST_SKIP() << "engine " << GetParam() << " is not installed: nothing to test";
  }
  const MethodEntry* method_ = nullptr;
};

inline std::vector<std::string> EngineKeys() {
  std::vector<std::string> keys;
  for (const Engine& engine : KnownEngines()) keys.push_back(engine.key);
  return keys;
}

inline std::string NameOfEngine(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace mbsbench
