#include "harness/runner/method_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/model/error.h"

namespace mbsbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<MethodEntry> Methods() {
  MethodEntry sweep;
  sweep.key = "sweep";
  sweep.options = {{"paper", "as printed", "variant", false},
                   {"general", "all joints", "variant", true},
                   {"projected", "onto the constraints", "stabilisation", false},
                   {"verbose", "belongs to no group", "", false}};
  MethodEntry plain;
  plain.key = "plain";
  return {sweep, plain};
}

std::string Refusal(const std::string& spec) {
  try {
    ChooseMethod(spec, Methods());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(MethodChoice, CanonicalSpecNamesTheDefaultsInDeclaredOrder) {
  const std::vector<MethodEntry> methods = Methods();
  EXPECT_EQ("sweep:general", ChooseMethod("sweep", methods).spec);
  EXPECT_EQ("sweep:general", ChooseMethod("sweep:general", methods).spec);
  EXPECT_EQ("sweep:paper,projected", ChooseMethod("sweep:projected,paper", methods).spec);
  EXPECT_EQ("sweep:general,verbose", ChooseMethod("sweep:verbose", methods).spec);
  EXPECT_THROW(ChooseMethod("sweep:verbose,verbose", methods), ModelError);
  EXPECT_EQ("plain", ChooseMethod("plain", methods).spec);
  EXPECT_THAT(ChooseMethod("sweep:projected", methods).options,
              ElementsAre("general", "projected"));
}

TEST(MethodChoice, VariantsAreThoseOfTheVariantGroup) {
  const std::vector<MethodEntry> methods = Methods();
  std::vector<std::string> specs;
  for (const MethodEntry& entry : methods) {
    for (const MethodChoice& choice : VariantsOf(entry)) specs.push_back(choice.spec);
  }
  EXPECT_THAT(specs, ElementsAre("sweep:paper", "sweep:general", "plain"));
}

TEST(MethodChoice, WrongSpecsGetOneSentenceWithTheClosestNames) {
  EXPECT_THAT(Refusal("sweeep"), HasSubstr("there is no method 'sweeep'. Did you mean 'sweep'?"));
  EXPECT_THAT(Refusal("sweep:genral"),
              HasSubstr("has no option 'genral'. Did you mean 'general'?"));
  EXPECT_THAT(Refusal("sweep:paper,general"), HasSubstr("exclude each other"));
  EXPECT_THAT(Refusal("plain:paper"), HasSubstr("has no options"));
  EXPECT_THAT(Refusal(""), HasSubstr("there is no method ''"));
}

TEST(MethodChoice, TheDefaultStabilisationIsNotSpelled) {
  std::vector<MethodEntry> methods = Methods();
  methods[0].options[2].is_default = true;
  methods[0].options.push_back({"none", "drift", "stabilisation", false});
  EXPECT_EQ(ChooseMethod("sweep:projected", methods).spec, "sweep:general");
  EXPECT_THAT(ChooseMethod("sweep", methods).options, ElementsAre("general", "projected"));
  const MethodChoice none = ChooseMethod("sweep:paper,none", methods);
  EXPECT_EQ(none.spec, "sweep:paper,none");
  EXPECT_EQ(WithDefaultStabilisation(none).spec, "sweep:paper");
  const std::vector<MethodChoice> others = OtherStabilisationsOf(ChooseMethod("sweep", methods));
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].spec, "sweep:general,none");
}

}  // namespace
}  // namespace mbsbench
