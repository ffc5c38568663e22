// The schema and the documentation agree with the reader and the writer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "problems/catalog/catalog.h"
#include "problems/io/check.h"
#include "problems/io/model_file.h"
#include "problems/io/vocabulary.h"
#include "tests/problems/io/full_problem.h"
#include "tests/support/driver_motions.h"

namespace mbsbench {
namespace {

using nlohmann::json;

std::string Contents(const std::string& file) {
  std::ifstream in(std::string(MBSBENCH_SOURCE_DIR) + "/" + file);
  EXPECT_TRUE(in) << file;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

const json& Schema() {
  static const json schema = json::parse(Contents("problems/io/model.schema.json"));
  return schema;
}

const json& Resolved(const json& schema) {
  if (!schema.contains("$ref")) return schema;
  return Schema().at(json::json_pointer(schema.at("$ref").get<std::string>().substr(1)));
}

// Walks a value together with its schema: every key has a property (recorded in `seen`), every required
// key is there, every word is among those of its enum, every number within its bounds.
void Compare(const json& value, const json& unresolved, const std::string& path,
             std::set<const json*>& seen) {
  const json& schema = Resolved(unresolved);
  if (schema.contains("oneOf")) {
    const auto is_kind = [&value](const json& one) {
      const auto kind = one.find("properties") == one.end() ? json::object() : one.at("properties");
      return !kind.contains("kind") || kind.at("kind").at("const") == value.at("kind");
    };
    int fitting = 0;
    for (const json& one : schema.at("oneOf")) {
      if (one.at("type") != value.type_name() || !is_kind(one)) continue;
      ++fitting;
      Compare(value, one, path, seen);
    }
    EXPECT_EQ(fitting, 1) << path;
    return;
  }
  if (schema.contains("const")) {
    EXPECT_EQ(schema.at("const"), value) << path;
    return;
  }
  if (schema.contains("enum")) {
    EXPECT_THAT(schema.at("enum"), testing::Contains(value)) << path;
    return;
  }
  ASSERT_EQ(schema.at("type"), value.type_name()) << path;
  if (value.is_number() && schema.contains("minimum")) {
    EXPECT_GE(value, schema.at("minimum")) << path;
  }
  if (value.is_number() && schema.contains("exclusiveMinimum")) {
    EXPECT_GT(value, schema.at("exclusiveMinimum")) << path;
  }
  if (value.is_array()) {
    EXPECT_LE(value.size(), schema.value("maxItems", value.size())) << path;
    EXPECT_GE(value.size(), schema.value("minItems", value.size())) << path;
    for (const json& item : value) Compare(item, schema.at("items"), path + "/*", seen);
  }
  if (value.is_object()) {
    EXPECT_FALSE(schema.at("additionalProperties")) << path;
    for (const auto& [key, member] : value.items()) {
      ASSERT_TRUE(schema.at("properties").contains(key)) << path << "/" << key;
      const json& property = schema.at("properties").at(key);
      seen.insert(&property);
      Compare(member, property, path + "/" + key, seen);
    }
    if (schema.contains("required")) {
      for (const json& key : schema.at("required")) EXPECT_TRUE(value.contains(key)) << path << key;
    }
  }
}

std::vector<const json*> PropertiesIn(const json& schema) {
  std::vector<const json*> all;
  if (schema.is_object() && schema.contains("properties") && schema.at("properties").is_object()) {
    for (const json& property : schema.at("properties")) all.push_back(&property);
  }
  if (schema.is_structured()) {
    for (const json& part : schema) {
      for (const json* property : PropertiesIn(part)) all.push_back(property);
    }
  }
  return all;
}

TEST(Schema, CoversExactlyWhatTheWriterWrites) {
  std::set<const json*> seen;
  Compare(json::parse(WriteModel(FullProblem())), Schema(), "", seen);
  for (const ProblemFamily& family : AllProblems()) {
    Compare(json::parse(WriteModel(MakeProblem(family.name))), Schema(), family.name, seen);
  }
  Problem driven = MakeProblem("sliders");
  driven.system.drivers = {{"motor", 0, 0}};  // on the block's prismatic joint
  Compare(json::parse(WriteModel(driven)), Schema(), "driven sliders", seen);
  for (const auto& [name, motion] : OneOfEachMotion()) {
    driven.system.drivers = {{"motor", 0, motion}};
    const MovedCoordinate<double> start = MotionAt(motion, 0);
    driven.initial.joints.q[0] = start.position;
    driven.initial.joints.u[0] = start.rate;
    Compare(json::parse(WriteModel(driven)), Schema(), "sliders driven by a " + name, seen);
  }
  Problem rounded = MakeProblem("fourbar");
  rounded.system.loop_precision = 1e-9;
  Compare(json::parse(WriteModel(rounded)), Schema(), "rounded fourbar", seen);
  seen.insert(&Schema().at("properties").at("$schema"));  // ignored when read, never written
  const std::vector<const json*> all = PropertiesIn(Schema());
  EXPECT_GT(all.size(), 90u);
  for (const json* property : all) EXPECT_TRUE(seen.contains(property)) << property->dump();
}

template <typename Words>
std::set<std::string> NamesOf(const Words& words) {
  std::set<std::string> names;
  for (const auto& word : words) names.emplace(word.name);
  return names;
}

TEST(Schema, StatesTheDefaultsOfARopeFlight) {
  json least = json::parse(R"({
    "format": "mbsbench-model", "version": 1, "name": "least", "end_time_s": 1,
    "bodies": [{"name": "a", "mass_kg": 1, "is_point": true}],
    "joints": [{"name": "j", "type": "free", "parent": "ground", "child": "a"}],
    "rope_flight": {"name": "rope", "link_length_m": 2, "line_density_kg_m": 0.1}})");
  json stated = least;
  for (const auto& [key, property] :
       Schema().at("$defs").at("rope_flight").at("properties").items()) {
    if (property.contains("default")) stated["rope_flight"][key] = property.at("default");
  }
  EXPECT_GT(stated["rope_flight"].size(), 12u);
  EXPECT_EQ(WriteModel(ParseModel(stated.dump(), "stated.json")),
            WriteModel(ParseModel(least.dump(), "least.json")));
}

TEST(Schema, ListsEveryEnumeratedWord) {
  const auto words = [](const char* definition, const char* property) {
    return Schema()
        .at("$defs")
        .at(definition)
        .at("properties")
        .at(property)
        .at("enum")
        .get<std::set<std::string>>();
  };
  EXPECT_EQ(words("observable", "kind"), NamesOf(kObservableKinds));
  EXPECT_EQ(words("published", "kind"), NamesOf(kPublishedKinds));
  EXPECT_EQ(words("library_measure", "formula"), NamesOf(kFormulas));
  EXPECT_EQ(words("shape", "kind"), NamesOf(kShapeKinds));
  std::set<std::string> types = words("joint", "type");
  types.merge(words("loop_joint", "type"));
  EXPECT_EQ(types, NamesOf(kJointTypes));
  std::set<std::string> kinds;
  for (const json& motion : Schema().at("$defs").at("motion").at("oneOf"))
    kinds.insert(motion.at("properties").at("kind").at("const"));
  EXPECT_EQ(kinds, NamesOf(MotionKinds()));
}

// The defaults of the schema are those of the reader: a file that states them all reads like one that
// omits them.
TEST(Schema, StatesTheDefaultsOfTheReader) {
  const json least = json::parse(R"({
    "format": "mbsbench-model", "version": 1, "name": "least", "end_time_s": 1,
    "bodies": [{"name": "a", "mass_kg": 1, "inertia_kg_m2": {"xx": 1, "yy": 1, "zz": 1}, "shape": {"kind": "rod"}}],
    "joints": [{"name": "j", "type": "revolute", "parent": "ground", "child": "a",
                "parent_frame": {}, "child_frame": {}}],
    "joint_spring_dampers": [{"name": "s", "joint": "j"}],
    "spring_dampers": [{"name": "t", "body_a": "ground", "body_b": "a", "point_a_m": [1, 0, 0]}],
    "applied_forces": [{"name": "f", "body": "a"}],
    "ground_springs": [{"name": "g", "body": "a", "direction": [0, 1, 0]}],
    "initial_state": [{"joint": "j"}],
    "observables": [{"name": "o", "kind": "position_x_m", "body": "a"}],
    "published": [{"observable": "o", "time_s": 0, "value": 1, "kind": "exact"}],
    "library_measures": [{"name": "m", "formula": "largest_difference", "observables": ["o"]}]})");
  json stated = least;
  const auto state = [](json& object, const json& schema) {
    for (const auto& [key, property] : schema.at("properties").items()) {
      if (property.contains("default") && !object.contains(key))
        object[key] = property.at("default");
    }
  };
  const json& defs = Schema().at("$defs");
  state(stated, Schema());
  state(stated["bodies"][0], defs.at("body"));
  state(stated["bodies"][0]["inertia_kg_m2"], defs.at("inertia").at("oneOf")[0]);
  state(stated["bodies"][0]["shape"], defs.at("shape"));
  state(stated["joints"][0]["parent_frame"], defs.at("frame"));
  state(stated["spring_dampers"][0], defs.at("spring_damper"));
  state(stated["applied_forces"][0], defs.at("applied_force"));
  state(stated["ground_springs"][0], defs.at("ground_spring"));
  state(stated["observables"][0], defs.at("observable"));
  state(stated["published"][0], defs.at("published"));
  state(stated["library_measures"][0], defs.at("library_measure"));
  stated["joint_spring_dampers"][0].update(
      {{"stiffness_N_m_rad", 0}, {"damping_N_m_s_rad", 0}, {"free_angle_rad", 0}});
  stated["initial_state"][0].update({{"angle_rad", 0}, {"rate_rad_s", 0}, {"dependent", false}});
  EXPECT_GT(stated.dump().size(), least.dump().size() + 500);
  EXPECT_EQ(WriteModel(ParseModel(stated.dump(), "stated.json")),
            WriteModel(ParseModel(least.dump(), "least.json")));
}

TEST(Documentation, ContainsAValidExampleAndNamesEveryField) {
  const std::string text = Contents("docs/model_files.md");
  const std::size_t begin = text.find("```json\n") + 8;
  const Problem p =
      ParseModel(text.substr(begin, text.find("```", begin) - begin), "model_files.md");
  EXPECT_EQ(p.name, "crank-rocker");
  EXPECT_EQ(CountFreedoms(p, Assemble(p.system, p.initial, p.length).state).by_rank, 1);
  std::set<const json*> seen;
  const json example = json::parse(text.substr(begin, text.find("```", begin) - begin));
  Compare(example, Schema(), "", seen);
  std::set<std::string> keys;
  const auto collect = [&keys](const auto& self, const json& schema) -> void {
    if (schema.is_object() && schema.contains("properties") &&
        schema.at("properties").is_object()) {
      for (const auto& [key, property] : schema.at("properties").items()) keys.insert(key);
    }
    if (schema.is_structured()) {
      for (const json& part : schema) self(self, part);
    }
  };
  collect(collect, Schema());
  for (const std::string& key : keys) {
    // The text names one of x, y and z; entries of the inertia are in quotation marks.
    EXPECT_TRUE(text.find("`" + key + "`") != std::string::npos ||
                text.find("\"" + key + "\"") != std::string::npos)
        << key;
  }
}

}  // namespace
}  // namespace mbsbench
