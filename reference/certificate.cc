#include "reference/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "problems/model/error.h"
#include "reference/certificate_paths.h"

namespace mbsbench {

namespace {

using extended::BodyMotion;
using extended::Motion;
using extended::Real;
using Json = nlohmann::ordered_json;

constexpr int kDigits = 21;
constexpr const char* kColumns = "x y z qw qx qy qz vx vy vz wx wy wz";
constexpr const char* kReactionColumns = "fx fy fz mx my mz";

std::string MotionText(const BodyMotion& body) {
  std::string text;
  for (Real x : extended::Pack({body})) {
    if (!text.empty()) text += ' ';
    text += extended::ToText(x, kDigits);
  }
  return text;
}

BodyMotion MotionFrom(const std::string& text) {
  std::istringstream words(text);
  std::vector<Real> numbers;
  for (std::string word; words >> word;) numbers.push_back(extended::FromText(word));
  if (numbers.size() != extended::kNumbersPerBody) {
    throw ModelError("a motion has " + std::to_string(numbers.size()) + " numbers instead of " +
                     std::to_string(extended::kNumbersPerBody) + ".");
  }
  Motion motion;
  extended::Unpack(numbers, motion);
  return motion[0];
}

const std::string& NameOf(const Problem& problem, int body) {
  return problem.system.bodies[static_cast<std::size_t>(body)].name;
}

int IndexOf(const Problem& problem, const std::string& name) {
  const auto& bodies = problem.system.bodies;
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == name; });
  if (found == bodies.end())
    throw ModelError("it names a body '" + name + "' that the problem does not have.");
  return static_cast<int>(found - bodies.begin());
}

std::string ReactionText(const ReferenceReaction& r) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}", r.force.x, r.force.y,
                     r.force.z, r.torque.x, r.torque.y, r.torque.z);
}

ReferenceReaction ReactionFrom(const std::string& text) {
  ReferenceReaction r;
  std::istringstream words(text);
  for (double* number :
       {&r.force.x, &r.force.y, &r.force.z, &r.torque.x, &r.torque.y, &r.torque.z}) {
    if (!(words >> *number)) throw ModelError("a reaction has fewer than 6 numbers.");
  }
  return r;
}

// The unique components listed in a text, "fx fy mz".
UniqueComponents UniqueOf(const std::string& text) {
  UniqueComponents unique;
  std::istringstream columns(kReactionColumns);
  std::string column;
  for (std::size_t k = 0; columns >> column; ++k)
    unique[k] = (" " + text + " ").find(" " + column + " ") != std::string::npos;
  return unique;
}

std::string TextOf(const UniqueComponents& unique) {
  std::istringstream columns(kReactionColumns);
  std::string text, column;
  for (std::size_t k = 0; columns >> column; ++k) {
    if (unique[k]) text += (text.empty() ? "" : " ") + column;
  }
  return text;
}

// Tree joints, then loop joints.
std::vector<std::string> JointNames(const Problem& problem) {
  std::vector<std::string> names;
  for (const auto* joints : {&problem.system.joints, &problem.system.loop_joints}) {
    for (const Joint& joint : *joints) names.push_back(joint.name);
  }
  return names;
}

void ParseReactions(const Json& json, const Problem& problem, Reference& r) {
  if (!json.contains("joints")) return;
  if (json.at("reaction_columns") != kReactionColumns)
    throw ModelError("its reactions are of another layout.");
  const std::vector<std::string> names = JointNames(problem);
  for (const std::string name : json.at("joints")) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ModelError("it names a joint '" + name + "' that the problem does not have.");
    r.joints.push_back(static_cast<int>(found - names.begin()));
  }
  r.reaction_difference = json.at("reaction_difference");
  const std::vector<std::string> not_unique = json.at("not_unique");
  const Json partly = json.value("partly_unique", Json::object());
  const Json& samples = json.at("samples");
  for (std::size_t k = 0; k < r.samples.size(); ++k) {
    std::vector<ReferenceReaction>& reactions = r.samples[k].reactions;
    for (const std::string text : samples.at(k).at("reactions"))
      reactions.push_back(ReactionFrom(text));
    if (reactions.size() != r.joints.size())
      throw ModelError("a sample has not one reaction per joint.");
    for (std::size_t i = 0; i < reactions.size(); ++i) {
      const std::string& name = names[static_cast<std::size_t>(r.joints[i])];
      if (std::find(not_unique.begin(), not_unique.end(), name) != not_unique.end())
        reactions[i].unique = UniqueOf(partly.value(name, ""));
    }
  }
}

void ParseSeries(const std::string& text, double ReferenceSample::*number, Reference& r) {
  std::istringstream words(text);
  for (ReferenceSample& sample : r.samples) words >> sample.*number;
  if (std::string more; !words || words >> more)
    throw ModelError("a sensitivity has not one number per sample.");
}

void ParseSensitivity(const Json& json, Reference& r) {
  if (json.is_null()) return;
  r.sensitivity_how = json.at("how");
  ParseSeries(json.at("of_state"), &ReferenceSample::state_sensitivity, r);
  if (json.contains("of_data"))
    ParseSeries(json.at("of_data"), &ReferenceSample::data_sensitivity, r);
  else
    r.data_left_out = json.at("data_left_out");
}

Reference Parse(const Json& json, const Problem& problem) {
  if (json.at("problem") != problem.name) {
    throw ModelError("it belongs to problem '" + json.at("problem").get<std::string>() + "'.");
  }
  const std::string again = "recompute it by `mbsbench certify " + problem.name + " --write`.";
  if (json.at("parameters") != ParameterHash(problem)) {
    throw ModelError("it was computed for other parameters of '" + problem.name + "' (" +
                     json.at("parameters").get<std::string>() + ", now " + ParameterHash(problem) +
                     "): " + again);
  }
  if (json.at("columns") != kColumns) throw ModelError("it is of another layout: " + again);
  Reference r;
  r.problem = problem.name;
  r.how = json.at("how");
  r.certified_by = json.at("certified_by");
  r.error_estimate = json.at("error_estimate");
  r.velocity_error_estimate = json.at("velocity_error_estimate");
  for (const std::string name : json.at("bodies")) r.bodies.push_back(IndexOf(problem, name));
  for (const Json& stored : json.at("samples")) {
    Motion motion;
    for (const std::string text : stored.at("motion")) motion.push_back(MotionFrom(text));
    if (motion.size() != r.bodies.size()) throw ModelError("a sample has not one motion per body.");
    ReferenceSample sample;
    sample.time = stored.at("time");
    Split(motion, sample);
    r.samples.push_back(std::move(sample));
  }
  for (const Json& stored : json.value("events", Json::array())) {
    ReferenceEvent event{stored.at("name"), stored.at("time"), {}, stored.at("energy_lost")};
    Motion motion;
    for (const std::string text : stored.at("motion")) motion.push_back(MotionFrom(text));
    event.bodies = extended::Round(motion);
    r.events.push_back(std::move(event));
  }
  ParseReactions(json, problem, r);
  ParseSensitivity(json.at("sensitivity"), r);
  return r;
}

// Three digits of each sample's number.
std::string SeriesText(const Reference& reference, double ReferenceSample::*number) {
  std::string text;
  for (const ReferenceSample& sample : reference.samples)
    text += fmt::format("{}{:.3g}", text.empty() ? "" : " ", sample.*number);
  return text;
}

Json SensitivityDocument(const Reference& reference) {
  if (reference.sensitivity_how.empty()) return nullptr;
  Json json = {{"how", reference.sensitivity_how},
               {"of_state", SeriesText(reference, &ReferenceSample::state_sensitivity)}};
  if (reference.data_left_out.empty())
    json["of_data"] = SeriesText(reference, &ReferenceSample::data_sensitivity);
  else
    json["data_left_out"] = reference.data_left_out;
  return json;
}

void PutReactionHeader(const Reference& reference, const Problem& problem, Json& json) {
  const std::vector<std::string> names = JointNames(problem);
  json["joints"] = json["not_unique"] = Json::array();
  for (std::size_t i = 0; i < reference.joints.size(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(reference.joints[i])];
    json["joints"].push_back(name);
    UniqueComponents unique;
    for (const ReferenceSample& sample : reference.samples) {
      for (std::size_t k = 0; k < 6; ++k) unique[k] = unique[k] && sample.reactions[i].unique[k];
    }
    if (unique.all()) continue;
    json["not_unique"].push_back(name);
    if (unique.any()) json["partly_unique"][name] = TextOf(unique);
  }
  json["reaction_columns"] = kReactionColumns;
  json["reaction_difference"] = reference.reaction_difference;
}

}  // namespace

void Split(const Motion& motion, ReferenceSample& sample) {
  sample.bodies = extended::Round(motion);
  std::vector<Real> rest = extended::Pack(motion);
  const std::vector<Real> rounded = extended::Pack(Join({0, sample.bodies, {}}));
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= rounded[i];
  Motion remainder;
  extended::Unpack(rest, remainder);
  sample.remainders = extended::Round(remainder);
}

Motion Join(const ReferenceSample& sample) {
  const auto extend = [](const BodyState& b) {
    return BodyMotion{extended::Extend(b.position), extended::Extend(b.orientation),
                      extended::Extend(b.velocity), extended::Extend(b.angular_velocity)};
  };
  Motion motion;
  for (const BodyState& body : sample.bodies) motion.push_back(extend(body));
  if (sample.remainders.empty()) return motion;
  Motion remainder;
  for (const BodyState& body : sample.remainders) remainder.push_back(extend(body));
  std::vector<Real> sum = extended::Pack(motion);
  const std::vector<Real> rest = extended::Pack(remainder);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += rest[i];
  extended::Unpack(sum, motion);
  return motion;
}

// In the installation of the executable, else in the source tree.
static std::filesystem::path CatalogueFolder() {
  std::error_code none;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto installed = executable.parent_path().parent_path() / "share/mbsbench/certified";
  if (std::filesystem::is_directory(installed, none)) return installed;
  return MBSBENCH_SOURCE_DIR "/reference/certified";
}

std::vector<std::filesystem::path> CertificatePaths(const Problem& problem) {
  std::string name = problem.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == ',' || c == '/'; }, '_');
  name += ".json";
  std::vector<std::filesystem::path> paths;
  if (const char* folder = std::getenv("MBSBENCH_REFERENCE_DIR"))
    paths.push_back(std::filesystem::path(folder) / name);
  paths.push_back(CatalogueFolder() / name);
  return paths;
}

std::filesystem::path CertificatePath(const Problem& problem) {
  return CertificatePaths(problem).front();
}

bool HoldsCertificate(const Problem& problem) {
  const std::vector<std::filesystem::path> paths = CertificatePaths(problem);
  return std::any_of(paths.begin(), paths.end(),
                     [](const auto& path) { return std::filesystem::exists(path); });
}

// A model file may be in the folder of references, under the name of its certificate.
static bool IsModelFile(const std::filesystem::path& file) {
  std::ifstream in(file);
  const Json json = Json::parse(in, nullptr, false);
  return json.is_object() && json.value("format", Json()) == "mbsbench-model";
}

Reference ReadCertificate(const std::filesystem::path& file, const Problem& problem) {
  std::ifstream in(file);
  if (!in) throw ModelError("the certificate " + file.string() + " cannot be read.");
  try {
    return Parse(Json::parse(in), problem);
  } catch (const Json::exception& e) {
    throw ModelError("the certificate " + file.string() + " is damaged: " + e.what());
  } catch (const ModelError& e) {
    throw ModelError("the certificate " + file.string() + " does not fit: " + e.what());
  }
}

void WriteCertificate(const Reference& reference, const Problem& problem,
                      const std::filesystem::path& file) {
  if (IsModelFile(file)) {
    throw ModelError("the certificate would be written over the model file " + file.string() +
                     ": let MBSBENCH_REFERENCE_DIR name another folder.");
  }
  Json json;
  json["problem"] = reference.problem;
  json["how"] = reference.how;
  json["certified_by"] = reference.certified_by;
  json["error_estimate"] = reference.error_estimate;
  json["velocity_error_estimate"] = reference.velocity_error_estimate;
  json["sensitivity"] = SensitivityDocument(reference);
  json["parameters"] = ParameterHash(problem);
  json["bodies"] = Json::array();
  for (int b : reference.bodies) json["bodies"].push_back(NameOf(problem, b));
  json["columns"] = kColumns;
  if (!reference.joints.empty()) PutReactionHeader(reference, problem, json);
  json["samples"] = Json::array();
  for (const ReferenceSample& sample : reference.samples) {
    Json stored;
    stored["time"] = sample.time;
    stored["motion"] = Json::array();
    for (const BodyMotion& body : Join(sample)) stored["motion"].push_back(MotionText(body));
    for (const ReferenceReaction& reaction : sample.reactions)
      stored["reactions"].push_back(ReactionText(reaction));
    json["samples"].push_back(std::move(stored));
  }
  for (const ReferenceEvent& event : reference.events) {
    Json stored;
    stored["name"] = event.name;
    stored["time"] = event.time;
    stored["energy_lost"] = event.energy_lost;
    stored["motion"] = Json::array();
    for (const BodyMotion& body : Join({0, event.bodies, {}}))
      stored["motion"].push_back(MotionText(body));
    json["events"].push_back(std::move(stored));
  }
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  // Written to a new file and renamed, so that an interrupted run leaves no partial certificate. What an earlier one left, or
  // a link of this name, is removed and not written to.
  const std::filesystem::path aside = file.string() + ".part";
  std::filesystem::remove(aside);
  const std::string text = json.dump(1) + '\n';
  std::FILE* const out = std::fopen(aside.c_str(), "wx");
  bool is_written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  is_written = out != nullptr && std::fclose(out) == 0 && is_written;
  if (!is_written) throw ModelError("the certificate " + aside.string() + " cannot be written.");
  std::filesystem::rename(aside, file);
}

}  // namespace mbsbench
