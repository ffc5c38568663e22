#include "problems/io/urdf_elements.h"

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "problems/io/quotable.h"
#include "problems/io/robot_description.h"
#include "problems/io/robot_words.h"

namespace mbsbench {

namespace {

enum class Effect {
  kRead,       // by the reader
  kNone,       // changes nothing, and nobody misses it
  kListed,     // does not change the motion: a warning counts it
  kOfTools,    // as kListed, and its contents are inspected
  kProperty,   // changes the motion unless it is zero or false
  kUnlessOne,  // changes the motion unless it is one or true
  kActs,       // changes the motion
  kUnknown,    // may change the motion
};

struct Word {
  std::string_view name;  // as URDF spells it, or a plain word of other tools
  Effect effect;
};
struct Place {
  std::vector<Word> elements, attributes;
  Effect others = Effect::kUnknown;
  bool is_single = true;  // each element that is read stands there once
  // Whether words that are not listed change the motion if they sound like a property of a mechanism, or like an element of one.
  bool has_properties = true, has_elements = true;
};

// ---- the lists, by the element in which the words stand

// Plain words that change the motion wherever URDF does not know them.
const std::vector<Word>& ActingWords() {
  static const std::vector<Word> words = [] {
    std::vector<Word> list{{"gravity", Effect::kUnlessOne}};
    for (const char* name :
         {"pos",        "position", "pose",     "xyz",       "rpy",    "ypr",        "x",
          "y",          "z",        "roll",     "pitch",     "yaw",    "euler",      "quat",
          "quaternion", "quatxyzw", "quatwxyz", "wxyz",      "xyzw",   "rotation",   "orientation",
          "axis",       "mass",     "com",      "density",   "scale",  "payload",    "force",
          "torque",     "effort",   "wrench",   "kinematic", "static", "enablewind", "drakeignore"})
      list.push_back({name, Effect::kProperty});
    for (const char* name : {"gear", "equality", "loop", "closedchain", "cutjoint", "weld"})
      list.push_back({name, Effect::kActs});
    return list;
  }();
  return words;
}

const std::map<std::string_view, Place>& Places() {
  using enum Effect;
  static const std::map<std::string_view, Place> places{
      {"robot",
       {.elements = {{"link", kRead},
                     {"joint", kRead},
                     {"material", kNone},
                     {"gazebo", kOfTools},
                     {"transmission", kOfTools},
                     {"mujoco", kOfTools},
                     {"sensor", kListed},
                     {"frame", kListed},
                     {"ros2control", kListed},
                     {"group", kListed},
                     {"groupstate", kListed},
                     {"disablecollisions", kListed},
                     {"endeffector", kListed},
                     {"virtualjoint", kListed},
                     {"drake:collisionfiltergroup", kListed}},
        .attributes = {{"name", kRead}, {"version", kNone}},
        .is_single = false}},
      {"link",
       {.elements = {{"inertial", kRead},
                     {"visual", kNone},
                     {"collision", kListed},
                     {"sensor", kListed},
                     {"contact", kOfTools},
                     {"gazebo", kOfTools},
                     {"selfcollisionchecking", kListed},
                     {"collisionchecking", kListed},
                     {"selffilter", kListed},
                     {"audiosource", kListed},
                     {"origin", kActs}},
        .attributes = {{"name", kRead}, {"type", kNone}}}},
      {"inertial",
       {.elements = {{"origin", kRead}, {"mass", kRead}, {"inertia", kRead}}, .attributes = {}}},
      {"origin", {.elements = {}, .attributes = {{"xyz", kRead}, {"rpy", kRead}}}},
      {"mass", {.elements = {}, .attributes = {{"value", kRead}}}},
      {"inertia",
       {.elements = {},
        .attributes = {{"ixx", kRead},
                       {"ixy", kRead},
                       {"ixz", kRead},
                       {"iyy", kRead},
                       {"iyz", kRead},
                       {"izz", kRead},
                       {"iyx", kProperty},
                       {"izx", kProperty},
                       {"izy", kProperty}}}},
      {"joint",
       {.elements = {{"parent", kRead},
                     {"child", kRead},
                     {"origin", kRead},
                     {"axis", kRead},
                     {"dynamics", kRead},
                     {"mimic", kRead},
                     {"limit", kListed},
                     {"calibration", kListed},
                     {"safety_controller", kListed},
                     {"hardwareinterface", kListed},
                     {"gazebo", kOfTools},
                     {"axis2", kActs},
                     {"friction", kListed},
                     {"drake:gearratio", kNone}},
        .attributes = {{"name", kRead},
                       {"type", kRead},
                       {"dontcollapse", kNone},
                       {"parent", kActs},
                       {"child", kActs},
                       {"origin", kProperty}}}},
      {"parent", {.elements = {}, .attributes = {{"link", kRead}}}},
      {"child", {.elements = {}, .attributes = {{"link", kRead}}}},
      {"axis", {.elements = {}, .attributes = {{"xyz", kRead}}}},
      {"dynamics",
       {.elements = {},
        .attributes = {{"damping", kRead},
                       {"friction", kRead},
                       {"k", kProperty},
                       {"kp", kProperty},
                       {"c", kProperty},
                       {"d", kProperty},
                       {"kd", kProperty}}}},
      {"mimic",
       {.elements = {},
        .attributes = {{"joint", kRead}, {"multiplier", kRead}, {"offset", kRead}}}},
      // Contact, drawing, and solvers of contacts and limits.
      {"gazebo",
       {.elements = {{"material", kNone},
                     {"mu", kNone},
                     {"mu1", kNone},
                     {"mu2", kNone},
                     {"fdir1", kNone},
                     {"kp", kNone},
                     {"kd", kNone},
                     {"slip1", kNone},
                     {"slip2", kNone},
                     {"selfcollide", kNone},
                     {"maxvel", kNone},
                     {"maxcontacts", kNone},
                     {"mindepth", kNone},
                     {"laserretro", kNone},
                     {"sensor", kNone},
                     {"visual", kNone},
                     {"collision", kNone},
                     {"plugin", kNone},
                     {"providefeedback", kNone},
                     {"disablefixedjointlumping", kNone},
                     {"preservefixedjoint", kNone},
                     {"stopcfm", kNone},
                     {"stoperp", kNone},
                     {"stopkp", kNone},
                     {"stopkd", kNone},
                     {"fudgefactor", kNone},
                     {"cfmdamping", kNone},
                     {"implicitspringdamper", kNone},
                     {"mustbebaselink", kNone},
                     {"light", kNone},
                     {"physics", kNone},
                     {"verbose", kNone},
                     {"turngravityoff", kProperty},
                     {"velocitydecay", kProperty},
                     {"joint", kActs},
                     {"link", kActs},
                     {"model", kActs},
                     {"include", kActs}},
        .attributes = {{"reference", kNone}, {"name", kNone}}}},
      {"transmission", {.elements = {}, .attributes = {}, .others = kNone, .has_elements = false}},
      {"contact",
       {.elements = {{"inertiascaling", kUnlessOne}},
        .attributes = {},
        .others = kNone,
        .has_properties = false}},
      {"mujoco",
       {.elements = {{"compiler", kOfTools},
                     {"option", kOfTools},
                     {"size", kNone},
                     {"visual", kNone},
                     {"asset", kNone},
                     {"statistic", kNone},
                     {"contact", kNone},
                     {"sensor", kNone},
                     {"custom", kNone},
                     {"worldbody", kActs},
                     {"equality", kActs},
                     {"actuator", kActs},
                     {"default", kActs}},
        .attributes = {}}},
      {"compiler",
       {.elements = {},
        .attributes = {{"boundmass", kProperty},
                       {"settotalmass", kProperty},
                       {"balanceinertia", kNone},  // impossible inertias are refused in any case
                       {"inertiagrouprange", kNone},
                       {"exactmeshinertia", kNone}},
        .others = kNone}},
      {"option",
       {.elements = {},
        .attributes = {{"gravity", kActs}, {"density", kProperty}, {"viscosity", kProperty}},
        .others = kNone}},
      {"unknown", {.elements = {}, .attributes = {}, .others = kNone}},
  };
  return places;
}

Effect EffectOf(const std::vector<Word>& words, const std::string& name, const Place& place) {
  const std::string plain = PlainWord(name);
  for (const Word& word : words) {
    if (word.name == name || (word.effect != Effect::kRead && word.name == plain))
      return word.effect;
    if (word.effect == Effect::kRead && PlainWord(word.name) == plain) return Effect::kUnknown;
  }
  if (place.has_properties && NamesAProperty(plain)) return Effect::kProperty;
  if (place.has_elements && (NamesAnElement(plain) || name.starts_with("drake:")))
    return Effect::kActs;
  if (place.others == Effect::kUnknown) {
    for (const Word& word : ActingWords()) {
      if (word.name == plain) return word.effect;
    }
  }
  return place.others;
}

// ---- xacro

constexpr std::string_view kMacros[] = {"include", "macro",  "property", "arg",
                                        "if",      "unless", "call",     "insert_block"};

std::string PrefixOf(const std::string& name) {
  const std::size_t colon = name.find(':');
  return colon == std::string::npos ? "" : name.substr(0, colon);
}

// Prefixes that the file binds to xacro.
void FindPrefixesOfXacro(const TiXmlElement& element, std::set<std::string>& prefixes) {
  for (const TiXmlAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string name = a->NameTStr();
    if (name.starts_with("xmlns:") && a->ValueStr().find("xacro") != std::string::npos)
      prefixes.insert(name.substr(6));
  }
  for (const TiXmlElement* e = element.FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement()) {
    FindPrefixesOfXacro(*e, prefixes);
  }
}

// ---- the inspection

bool IsOne(const TiXmlElement& element) {
  const char* const value = element.Attribute("value");
  const char* const text = element.GetText();
  return IsOneOrTrue(value != nullptr ? value : (text != nullptr ? text : ""));
}

class UrdfInspector {
 public:
  UrdfInspector(const std::string& file, bool mimic_is_free)
      : file_(file), mimic_is_free_(mimic_is_free) {}

  UrdfInspection Run(const TiXmlElement& robot) {
    FindPrefixesOfXacro(robot, xacro_);
    RefusePrefixesOfXacro(robot);
    Visit(robot, Places().at("robot"), "the robot");
    for (const auto& [what, seen] : unknown_) {
      found_.unknown.push_back(
          fmt::format("{} (line {}{}) is not known: it may change the motion", what, seen.line,
                      seen.count > 1 ? fmt::format(" and {} more", seen.count - 1) : ""));
    }
    return std::move(found_);
  }

 private:
  template <typename Fault>
  [[noreturn]] void Refuse(int line, const std::string& sentence) const {
    throw Fault(fmt::format("{}, line {}: {}", file_, line, sentence));
  }
  [[noreturn]] void RefuseAsActing(int line, const std::string& what) const {
    Refuse<UnsupportedRobot>(
        line, what + " would change the motion, but is not in the model: remove it to go without.");
  }
  [[noreturn]] void RefuseAsMacro(int line, const std::string& what) const {
    Refuse<UnsupportedRobot>(line, what + ": xacro elements are not expanded; run xacro first.");
  }
  void RefusePrefixesOfXacro(const TiXmlElement& element) const {
    const std::string prefix = PrefixOf(element.ValueStr());
    if (prefix == "xacro" || xacro_.contains(prefix))
      RefuseAsMacro(element.Row(), fmt::format("<{}>", Quotable(element.ValueStr())));
    for (const TiXmlElement* e = element.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      RefusePrefixesOfXacro(*e);
    }
  }

  // `what` names the element: <dynamics> of <joint> "j".
  void Visit(const TiXmlElement& element, const Place& place, const std::string& what) {
    for (const TiXmlAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next())
      JudgeAttribute(element, *a, place, what);
    std::set<std::string> read;
    for (const TiXmlElement* e = element.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      const std::string& kind = e->ValueStr();
      const Effect effect = EffectOf(place.elements, kind, place);
      if (effect == Effect::kRead && place.is_single && !read.insert(kind).second)
        Refuse<ModelError>(e->Row(), fmt::format("{} has two <{}> elements.", what, kind));
      const char* name = e->Attribute("name");
      if (name == nullptr) name = e->Attribute("reference");
      std::string child = fmt::format("<{}>", Quotable(kind));
      if (name != nullptr) {
        child += fmt::format(" \"{}\"", Quotable(name));
      } else if (place.is_single) {
        child += " of " + what;
      }
      JudgeElement(*e, effect, place, child);
    }
  }

  void JudgeElement(const TiXmlElement& e, Effect effect, const Place& place,
                    const std::string& what) {
    const std::string& kind = e.ValueStr();
    switch (effect) {
      case Effect::kRead:
        if (kind != "mimic" || !mimic_is_free_) Visit(e, Places().at(kind), what);
        return;
      case Effect::kNone:
        if (kind == "plugin") {
          CheckPlugin(e, what);
        } else if (place.others == Effect::kNone) {
          Visit(e, place, what);
        }
        return;
      case Effect::kListed: ++found_.ignored[kind]; return;
      case Effect::kOfTools:
        ++found_.ignored[kind];
        Visit(e, Places().at(kind), what);
        return;
      case Effect::kProperty:
        if (!HoldsOnlyZeros(e) && !IsGravityOfNothing(e)) RefuseAsActing(e.Row(), what);
        return;
      case Effect::kUnlessOne:
        if (!IsOne(e) && !IsGravityOfNothing(e)) RefuseAsActing(e.Row(), what);
        return;
      case Effect::kActs: RefuseAsActing(e.Row(), what);
      case Effect::kUnknown: break;
    }
    const std::string local = kind.substr(kind.find(':') + 1);  // npos + 1 is 0
    if (std::ranges::find(kMacros, local) != std::end(kMacros)) RefuseAsMacro(e.Row(), what);
    RefuseOtherSpelling(place.elements, kind, e.Row(), what);
    Note(e.Row(),
         fmt::format("the element <{}> in <{}>", Quotable(kind), Quotable(e.Parent()->ValueStr())));
    Visit(e, Places().at("unknown"), what);
  }

  void JudgeAttribute(const TiXmlElement& element, const TiXmlAttribute& a, const Place& place,
                      const std::string& owner) {
    const std::string name = a.NameTStr();
    if (name.starts_with("xml") || name.starts_with("xsi:")) return;
    const std::string& value = a.ValueStr();
    const std::string what = fmt::format("the attribute \"{}\" of {}", Quotable(name), owner);
    const Effect effect = EffectOf(place.attributes, name, place);
    if (effect == Effect::kRead &&
        (value.find("${") != std::string::npos || value.find("$(") != std::string::npos)) {
      RefuseAsMacro(element.Row(), fmt::format("{} is \"{}\"", what, Quotable(value)));
    }
    if (effect == Effect::kActs || (effect == Effect::kProperty && !IsZeroOrFalse(value)) ||
        (effect == Effect::kUnlessOne && !IsOneOrTrue(value))) {
      RefuseAsActing(element.Row(), what);
    }
    if (effect == Effect::kUnknown) {
      RefuseOtherSpelling(place.attributes, name, element.Row(), what);
      Note(element.Row(), fmt::format("the attribute \"{}\" of <{}>", Quotable(name),
                                      Quotable(element.ValueStr())));
    }
  }

  // A switch of the gravity of a link without <inertial>.
  static bool IsGravityOfNothing(const TiXmlElement& e) {
    const char* const reference = e.Parent()->ToElement()->Attribute("reference");
    if (reference == nullptr || PlainWord(e.ValueStr()).find("gravity") == std::string::npos)
      return false;
    const TiXmlElement* const robot = e.GetDocument()->RootElement();
    for (const TiXmlElement* link = robot->FirstChildElement("link"); link != nullptr;
         link = link->NextSiblingElement("link")) {
      const char* const name = link->Attribute("name");
      if (name != nullptr && std::string_view(name) == reference)
        return link->FirstChildElement("inertial") == nullptr;
    }
    return false;
  }

  void RefuseOtherSpelling(const std::vector<Word>& words, const std::string& name, int line,
                           const std::string& what) const {
    for (const Word& word : words) {
      if (word.effect == Effect::kRead && PlainWord(word.name) == PlainWord(name)) {
        Refuse<ModelError>(line, fmt::format("{} is not known: did you mean {}?", what, word.name));
      }
    }
  }

  void CheckPlugin(const TiXmlElement& plugin, const std::string& what) const {
    std::string names;
    for (const char* attribute : {"filename", "name"}) {
      const char* const value = plugin.Attribute(attribute);
      if (value != nullptr) names += std::string(" ") + value;
    }
    const std::string effect = EffectOfPlugin(names);
    if (effect == kCoupledCoordinates) {
      if (mimic_is_free_) return;
      Refuse<UnsupportedRobot>(plugin.Row(), what +
                                                 " couples coordinates, which is not in the model "
                                                 "(with --mimic=free they are independent).");
    }
    if (!effect.empty()) RefuseAsActing(plugin.Row(), fmt::format("{} ({})", what, effect));
  }

  void Note(int line, const std::string& what) {
    constexpr std::size_t kMostKinds = 50;
    const auto known = unknown_.find(what);
    if (known != unknown_.end()) {
      ++known->second.count;
    } else if (unknown_.size() < kMostKinds) {
      unknown_.emplace(what, Seen{line, 1});
    }
  }

  struct Seen {
    int line, count;
  };
  const std::string& file_;
  const bool mimic_is_free_;
  std::set<std::string> xacro_;
  std::map<std::string, Seen> unknown_;
  UrdfInspection found_;
};

}  // namespace

UrdfInspection InspectUrdf(const TiXmlElement& robot, const std::string& file, bool mimic_is_free) {
  return UrdfInspector(file, mimic_is_free).Run(robot);
}

}  // namespace mbsbench
