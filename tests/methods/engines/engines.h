// The engines whose plug-ins were built, for tests of their promises.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

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
class WithEngine : public testing::Test {
 protected:
  explicit WithEngine(std::string key) : key_(std::move(key)) {}
  void SetUp() override {
    method_ = EngineMethod(key_);
    if (method_ == nullptr)
      GTEST_SKIP() << "engine " << key_ << " is not installed: nothing to test";
  }
  const MethodEntry* method_ = nullptr;

 private:
  std::string key_;
};

// The same tests of each engine.
class OfEngine : public WithEngine, public testing::WithParamInterface<std::string> {
 protected:
  OfEngine() : WithEngine(GetParam()) {}
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
