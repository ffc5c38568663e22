#include "harness/runner/cells/method_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/runner/cells/trial.h"
#include "problems/model/error.h"
#include "tests/support/everything.h"

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
  MethodEntry damped;
  damped.key = "damped";
  damped.options = {{"projected", "onto the constraints", "stabilisation", true},
                    {"baumgarte", "pulled back", "stabilisation", false}};
  damped.numbers = {{"rho", "damping at infinity", "", 0.8, 0, 1},
                    {"rate", "of the pull", "1/s", 33.25, 0, 1e6, "baumgarte"}};
  return {sweep, plain, damped};
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
  EXPECT_THAT(specs, ElementsAre("sweep:paper", "sweep:general", "plain", "damped"));
}

// One spelling per choice, because the spec is the key of a cell.
TEST(NumericOptions, AreWrittenInDeclaredOrderAsShortestDecimalsUnlessDefault) {
  const std::vector<MethodEntry> methods = Methods();
  EXPECT_EQ("damped", ChooseMethod("damped:rho=0.80", methods).spec);
  EXPECT_EQ("damped:rho=0.1", ChooseMethod("damped:rho=1.000e-1", methods).spec);
  const MethodChoice both = ChooseMethod("damped:rate=5,rho=0.25,baumgarte", methods);
  EXPECT_EQ("damped:baumgarte,rho=0.25,rate=5", both.spec);
  EXPECT_EQ(both.spec, ChooseMethod(both.spec, methods).spec);
}

TEST(NumericOptions, AreReadBackToTheSameDoubleOrTheDefault) {
  const std::vector<MethodEntry> methods = Methods();
  const NumericOption& rho = methods[2].numbers[0];
  const double third = 1. / 3;
  EXPECT_EQ(third, Number(ChooseMethod("damped:rho=0.3333333333333333", methods).options, rho));
  EXPECT_EQ(0.8, Number(ChooseMethod("damped", methods).options, rho));
  EXPECT_EQ(0.8, Number({}, rho));
}

TEST(NumericOptions, AreRefusedWithAReasonIfUnknownOutOfRangeOrOutOfPlace) {
  EXPECT_THAT(
      Refusal("damped:rho=1.5"),
      HasSubstr("option 'rho' of method 'damped' is '1.5': a number from 0 to 1 is needed"));
  EXPECT_THAT(Refusal("damped:baumgarte,rate=-1"), HasSubstr("from 0 to 1000000 1/s is needed"));
  for (const char* text : {"damped:rho=", "damped:rho=half", "damped:rho=nan", "damped:rho=0.5x"})
    EXPECT_THAT(Refusal(text), HasSubstr("a number from 0 to 1 is needed")) << text;
  EXPECT_THAT(Refusal("damped:roh=0.5"), HasSubstr("has no number 'roh'. Did you mean 'rho'?"));
  EXPECT_THAT(Refusal("plain:rho=0.5"), HasSubstr("has no number 'rho'. It takes none."));
  EXPECT_THAT(Refusal("damped:rho=0.5,rho=0.6"), HasSubstr("given more than once"));
  EXPECT_THAT(Refusal("damped:rate=5"), HasSubstr("has no effect without 'baumgarte': give both"));
}

TEST(NumericOptions, ArePreservedWhenTheStabilisationChangesUnlessTheyBelongToIt) {
  const std::vector<MethodEntry> methods = Methods();
  const MethodChoice choice = ChooseMethod("damped:baumgarte,rho=0.25,rate=5", methods);
  EXPECT_EQ("damped:rho=0.25", WithDefaultStabilisation(choice).spec);
  const auto others = OtherStabilisationsOf(ChooseMethod("damped:rho=0.25", methods));
  ASSERT_EQ(1u, others.size());
  EXPECT_EQ("damped:baumgarte,rho=0.25", others[0].spec);
}

// rho has no unit; the rate is one by the characteristic time.
TEST(NumericOptions, InUnitsOfOneOverTAreConvertedToOneOverSeconds) {
  std::vector<MethodEntry> methods = Methods();
  MethodEntry& damped = methods[2];
  damped.numbers[1].unit = "1/T";
  damped.numbers[1].by_default = 10;
  MethodOptions given;
  damped.prepare = [&given](const System&, const MethodOptions& options) {
    given = options;
    return std::unique_ptr<Formulation>();
  };
  const auto prepared = [&](const char* spec, double time) {
    Prepare(ChooseMethod(spec, methods), GivenSystem(System{}, {.time = time}));
    return given;
  };
  EXPECT_THAT(prepared("damped:baumgarte", 0.001), ElementsAre("baumgarte", "rate=10000"));
  EXPECT_EQ(10 / 0.3, Number(prepared("damped:baumgarte", 0.3), damped.numbers[1]));
  EXPECT_THAT(prepared("damped:baumgarte,rate=3,rho=0.25", 0.5),
              ElementsAre("baumgarte", "rho=0.25", "rate=6"));
  EXPECT_THAT(prepared("damped:rho=0.25", 0.5), ElementsAre("projected", "rho=0.25"));
}

TEST(Scales, OfTheProblemAndItsHeaviestBodyReachAMethodThatIsPrepared) {
  std::vector<double> echoed;
  MethodEntry echo;
  echo.key = "echo";
  echo.capabilities = Everything();
  const auto keep = [&echoed](const GivenSystem& given) {
    echoed = {given.scales().length, given.scales().time, given.mass()};
  };
  echo.prepare = [&keep](const GivenSystem& given, const MethodOptions&) {
    keep(given);
    return std::unique_ptr<Formulation>();
  };
  echo.prepare_batch = [&keep](const GivenSystem& given, const MethodOptions&) {
    keep(given);
    return std::unique_ptr<BatchFormulation>();
  };
  PreparedCell cell;
  cell.problem.system.bodies = {{"light", 2, {}, false, {}}, {"heavy", 7, {}, false, {}}};
  cell.problem.length = 0.25;
  cell.problem.time = 3;
  cell.method = ChooseMethod("echo", {echo});
  cell.method.entry = &echo;
  EXPECT_THROW(cell.MakeFormulation(), EvaluationFailed) << "it prepares nothing";
  EXPECT_THAT(echoed, ElementsAre(0.25, 3, 7));
  echoed.clear();
  EXPECT_THROW(cell.MakeFormulation(/*lends=*/true), EvaluationFailed);
  EXPECT_THAT(echoed, ElementsAre(0.25, 3, 7));
  echoed.clear();
  PrepareBatch(cell.method, cell.problem);
  EXPECT_THAT(echoed, ElementsAre(0.25, 3, 7));
  EXPECT_EQ(GivenSystem(System{}).mass(), 1) << "no body has mass";
  EXPECT_EQ(GivenSystem(System{}).scales().time, Problem{}.time);
}

TEST(MethodChoice, WrongSpecsAreRefusedWithTheClosestNames) {
  EXPECT_THAT(Refusal("sweeep"), HasSubstr("there is no method 'sweeep'. Did you mean 'sweep'?"));
  EXPECT_THAT(Refusal("sweep:genral"),
              HasSubstr("has no option 'genral'. Did you mean 'general'?"));
  EXPECT_THAT(Refusal("sweep:paper,general"), HasSubstr("exclude each other"));
  EXPECT_THAT(Refusal("plain:paper"), HasSubstr("has no options"));
  EXPECT_THAT(Refusal(""), HasSubstr("there is no method ''"));
}

TEST(MethodChoice, AVariantHasTheSchemeThatItStatesWhateverItsName) {
  MethodEntry steps;
  steps.key = "steps";
  steps.form = Form::kTimeStepper;
  steps.own_integration = OwnIntegration{.title = "its own", .order = 2};
  steps.options = {
      {.name = "order=2", .meaning = "two stages", .group = "variant", .is_default = true},
      {.name = "order=4",
       .meaning = "five stages",
       .group = "variant",
       .own_integration = OwnIntegration{"five", true, true, 4}},
      {.name = "fine",
       .meaning = "seven stages",
       .group = "variant",
       .own_integration = OwnIntegration{"seven", true, false, 5}}};
  const std::vector<MethodEntry> methods{steps};
  const auto order = [&](const char* spec) {
    return IntegratorFor(ChooseMethod(spec, methods), *FindIntegrator("own"))->order;
  };
  EXPECT_EQ(order("steps"), 2);
  EXPECT_EQ(order("steps:order=2"), 2);
  EXPECT_EQ(order("steps:order=4"), 4);
  EXPECT_EQ(order("steps:fine"), 5);
  const MethodChoice four = ChooseMethod("steps:order=4", methods);
  EXPECT_TRUE(IntegratorFor(four, *FindIntegrator("own"))->adaptive);
  EXPECT_EQ(four.own_integration()->title, "five");
  EXPECT_FALSE(
      IntegratorFor(ChooseMethod("steps:fine", methods), *FindIntegrator("own"))->adaptive);
  try {
    ChooseMethod("steps:order=7", methods);
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "method 'steps' has no option 'order=7'. Did you mean 'order=2' or 'order=4'?");
  }
}

TEST(MethodChoice, TheDefaultStabilisationIsNotWritten) {
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
