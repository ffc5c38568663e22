#include "problems/io/robot_words.h"

#include <tinyxml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <set>

namespace mbsbench {

namespace {

bool HoldsOneOf(std::string_view word, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [word](std::string_view part) { return word.find(part) != std::string_view::npos; });
}

}  // namespace

std::string PlainWord(std::string_view word) {
  std::string plain;
  for (const char c : word) {
    if (c != '_' && c != '-')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

bool NamesAProperty(std::string_view word) {
  return HoldsOneOf(
      word, {"stiff", "spring", "inertia", "armature", "damp", "addedmass", "drag", "buoyan"});
}

bool NamesAnElement(std::string_view word) {
  return HoldsOneOf(
      word, {"loopjoint", "closedloop", "loopclos", "kinematicloop", "constraint", "forceelement",
             "bushing", "tendon", "mimic", "gearbox", "coupler", "coupling"});
}

std::vector<std::string> SplitAtBlanks(std::string_view text) {
  std::vector<std::string> parts;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (parts.empty() || is_blank) parts.emplace_back();
    if (!is_blank) parts.back() += c;
  }
  std::erase_if(parts, [](const std::string& part) { return part.empty(); });
  return parts;
}

std::optional<double> DecimalNumber(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool IsZeroOrFalse(std::string_view value) {
  const std::vector<std::string> parts = SplitAtBlanks(value);
  return !parts.empty() && std::ranges::all_of(parts, [](const std::string& part) {
    const std::string word = PlainWord(part);
    return word == "false" || word == "auto" || DecimalNumber(part) == 0.0;
  });
}

bool HoldsOnlyZeros(const TiXmlElement& element) {
  static const std::set<std::string> names{"name",  "type",   "reference", "link",
                                           "joint", "parent", "child",     "unit"};
  bool holds = false;
  for (const TiXmlAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
    if (names.contains(a->NameTStr())) continue;
    if (!IsZeroOrFalse(a->ValueStr())) return false;
    holds = true;
  }
  for (const TiXmlNode* n = element.FirstChild(); n != nullptr; n = n->NextSibling()) {
    if (n->ToText() != nullptr && !IsZeroOrFalse(n->ValueStr())) return false;
    if (n->ToElement() != nullptr && !HoldsOnlyZeros(*n->ToElement())) return false;
    holds |= n->ToText() != nullptr || n->ToElement() != nullptr;
  }
  return holds;
}

bool IsOneOrTrue(std::string_view value) {
  const std::vector<std::string> parts = SplitAtBlanks(value);
  return parts.size() == 1 && (PlainWord(parts[0]) == "true" || DecimalNumber(parts[0]) == 1.0);
}

std::string EffectOfPlugin(std::string_view names) {
  const std::string word = PlainWord(names);
  if (HoldsOneOf(word, {"buoyan", "hydrodyn", "liftdrag", "aerodynamic", "waves", "windplugin",
                        "windeffect"}))
    return "forces of a fluid";
  if (HoldsOneOf(word, {"spring", "elastic", "damper", "bushing"}))
    return "forces of springs or dampers";
  if (HoldsOneOf(word, {"closedloop", "loopclos", "closeloop", "parallellink", "kinematicloop",
                        "attachlink"}))
    return "loops of links";
  if (HoldsOneOf(word, {"positioncontroller", "positionservo", "pidcontroller"}))
    return "forces of a servo";
  if (word.find("mimic") != std::string::npos) return kCoupledCoordinates;
  return "";
}

bool IsHarmlessPlugin(std::string_view names) {
  return HoldsOneOf(PlainWord(names), {"roscontrol",
                                       "ros2control",
                                       "sensor",
                                       "camera",
                                       "rosimu",
                                       "imusystem",
                                       "imuplugin",
                                       "laser",
                                       "lidar",
                                       "rangefinder",
                                       "gps",
                                       "navsat",
                                       "altimeter",
                                       "magnetometer",
                                       "bumper",
                                       "contact",
                                       "forcetorque",
                                       "p3d",
                                       "odometry",
                                       "publish",
                                       "jointstate",
                                       "posestate",
                                       "scenebroadcaster",
                                       "usercommands",
                                       "physics",
                                       "video",
                                       "rosinit",
                                       "rosfactory",
                                       "rosapi"});
}

bool HasMoreThanOneRoot(const TiXmlDocument& xml) {
  int roots = 0;
  for (const TiXmlNode* n = xml.FirstChild(); n != nullptr; n = n->NextSibling())
    roots += n->ToElement() != nullptr || n->ToText() != nullptr ? 1 : 0;
  return roots > 1;
}

}  // namespace mbsbench
