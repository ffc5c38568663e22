#include "problems/io/robot_elements.h"

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
  kNone,       // changes nothing, and nobody misses it; its contents are judged
  kListed,     // as kNone, and a warning counts it
  kForeign,    // changes nothing, whatever it holds
  kPlugin,     // acts by its own program
  kProperty,   // changes the motion unless it is zero or false
  kUnlessOne,  // changes the motion unless it is one or true
  kActs,       // changes the motion
  kMayAct,     // may change the motion unless it is zero
  kUnknown,    // may change the motion
};

struct Word {
  std::string_view name;  // as URDF spells it, or a plain word of other tools
  Effect effect;
};
struct Place {
  std::vector<Word> elements, attributes;
  Effect others = Effect::kUnknown;  // what is not listed; texts are expected if it is kNone
  bool is_single = true;             // each element that is read stands there once
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
  // What does not belong to the motion; words of URDF are misplaced in it.
  static const Place ignored{.elements = {{"plugin", kPlugin},
                                          {"link", kUnknown},
                                          {"joint", kUnknown},
                                          {"dynamics", kUnknown},
                                          {"mass", kUnknown},
                                          {"axis", kUnknown}},
                             .attributes = {},
                             .others = kNone};
  // The springs of contacts; those that a link states for all its contacts may act.
  const auto touching = [](Effect springs) {
    Place place = ignored;
    for (const char* word : {"stiffness", "damping", "contactstiffness", "contactdamping",
                             "drake:pointcontactstiffness"})
      place.elements.push_back({word, springs});
    place.elements.push_back({"inertiascaling", kUnlessOne});
    return place;
  };
  static const std::map<std::string_view, Place> places{
      {"robot",
       {.elements = {{"link", kRead},
                     {"joint", kRead},
                     {"material", kNone},
                     {"gazebo", kListed},
                     {"transmission", kListed},
                     {"mujoco", kListed},
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
                     {"contact", kListed},
                     {"gazebo", kListed},
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
                     {"gazebo", kListed},
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
                     {"plugin", kPlugin},
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
      {"transmission",
       {.elements = {{"compensator", kUnknown},
                     {"passivejoint", kUnknown},
                     {"usesimulatedgripperjoint", kUnknown}},
        .attributes = {},
        .others = kNone}},
      {"ros2control", {.elements = {{"initialvalue", kMayAct}}, .attributes = {}, .others = kNone}},
      {"plugin", {.elements = {{"persistent", kActs}}, .attributes = {}, .others = kNone}},
      {"group",
       {.elements = {{"link", kNone}, {"joint", kNone}}, .attributes = {}, .others = kNone}},
      {"groupstate", {.elements = {{"joint", kNone}}, .attributes = {}, .others = kNone}},
      {"friction", {.elements = {}, .attributes = {{"viscous", kProperty}}, .others = kNone}},
      {"physics",
       {.elements = {{"gravity", kUnknown},
                     {"constraints", kNone},
                     {"cfmdamping", kNone},
                     {"implicitspringdamper", kNone}},
        .attributes = {},
        .others = kNone}},
      {"collision", touching(kNone)},
      {"contact", touching(kMayAct)},
      {"mujoco",
       {.elements = {{"compiler", kListed},
                     {"option", kListed},
                     {"size", kForeign},
                     {"visual", kForeign},
                     {"asset", kForeign},
                     {"statistic", kForeign},
                     {"contact", kForeign},
                     {"sensor", kForeign},
                     {"custom", kForeign},
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
                       {"inertiafromgeom", kProperty},
                       {"inertiagrouprange", kNone},
                       {"exactmeshinertia", kNone}},
        .others = kNone}},
      {"option",
       {.elements = {},
        .attributes = {{"gravity", kActs}, {"density", kProperty}, {"viscosity", kProperty}},
        .others = kNone}},
      {"ignored", ignored},
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
  if (NamesAProperty(plain)) return Effect::kProperty;
  if (NamesAnElement(plain)) return Effect::kActs;
  if (place.others == Effect::kUnknown) {
    if (name.starts_with("drake:")) return Effect::kActs;
    for (const Word& word : ActingWords()) {
      if (word.name == plain) return word.effect;
    }
  }
  return place.others;
}

// The place that the contents of an element are in.
const Place& PlaceIn(const std::string& kind, Effect effect, const Place& outer) {
  if (effect != Effect::kRead && outer.others == Effect::kNone) return outer;
  const auto found = Places().find(effect == Effect::kUnknown ? "ignored" : PlainWord(kind));
  return found == Places().end() ? Places().at("ignored") : found->second;
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

class RobotInspector {
 public:
  RobotInspector(const std::string& file, bool mimic_is_free)
      : file_(file), mimic_is_free_(mimic_is_free) {}

  RobotInspection Run(const TiXmlElement& robot) {
    FindPrefixesOfXacro(robot, xacro_);
    RefusePrefixesOfXacro(robot);
    Visit(robot, Places().at("robot"), "the robot");
    return Found();
  }
  RobotInspection RunPlugin(const TiXmlElement& plugin) {
    JudgePlugin(plugin, WhatIs(plugin, ""));
    return Found();
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
  [[noreturn]] void RefuseAsMimic(int line, const std::string& what) const {
    Refuse<UnsupportedRobot>(line, what +
                                       " couples coordinates, which is not in the model (with "
                                       "--mimic=free they are independent).");
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

  RobotInspection Found() {
    for (const auto& [what, seen] : unknown_) {
      found_.unknown.push_back(
          fmt::format("{} (line {}{}) is not known: it may change the motion", what, seen.line,
                      seen.count > 1 ? fmt::format(" and {} more", seen.count - 1) : ""));
    }
    return std::move(found_);
  }

  // <dynamics> of <joint> "j".
  static std::string WhatIs(const TiXmlElement& e, const std::string& owner) {
    const char* name = e.Attribute("name");
    if (name == nullptr) name = e.Attribute("reference");
    const std::string what = fmt::format("<{}>", Quotable(e.ValueStr()));
    if (name != nullptr) return fmt::format("{} \"{}\"", what, Quotable(name));
    return owner.empty() ? what : what + " of " + owner;
  }
  // Parameters of tools say in an attribute what they are.
  static std::string WordOf(const TiXmlElement& e, const Place& place) {
    const char* const name = e.Attribute("name");
    const std::string& kind = e.ValueStr();
    return place.others == Effect::kNone && name != nullptr &&
                   (kind == "param" || kind == "parameter" || kind == "property")
               ? name
               : kind;
  }

  void Visit(const TiXmlElement& element, const Place& place, const std::string& what) {
    for (const TiXmlAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next())
      JudgeAttribute(element, *a, place, what);
    std::set<std::string> read;
    for (const TiXmlNode* n = element.FirstChild(); n != nullptr; n = n->NextSibling()) {
      if (n->ToText() != nullptr) JudgeText(*n, place, what);
      const TiXmlElement* const e = n->ToElement();
      if (e == nullptr) continue;
      const std::string& kind = e->ValueStr();
      const Effect effect = EffectOf(place.elements, WordOf(*e, place), place);
      if (effect == Effect::kRead && place.is_single && !read.insert(kind).second)
        Refuse<ModelError>(e->Row(), fmt::format("{} has two <{}> elements.", what, kind));
      JudgeElement(*e, effect, place, WhatIs(*e, place.is_single ? what : ""));
    }
  }

  void JudgeText(const TiXmlNode& text, const Place& place, const std::string& what) {
    if (place.others == Effect::kNone) return;
    const std::string quoted = fmt::format("the text \"{}\"", Quotable(text.ValueStr()));
    if (place.elements.empty()) {
      Refuse<ModelError>(text.Row(),
                         fmt::format("{} holds {}: its values stand in attributes.", what, quoted));
    }
    Note(text.Row(), fmt::format("{} in <{}>", quoted, Quotable(text.Parent()->ValueStr())));
  }

  void JudgeElement(const TiXmlElement& e, Effect effect, const Place& place,
                    const std::string& what) {
    const std::string& kind = e.ValueStr();
    switch (effect) {
      case Effect::kRead:
        if (kind == "mimic" && mimic_is_free_) return;
        Visit(e, PlaceIn(kind, effect, place), what);
        return;
      case Effect::kListed: ++found_.ignored[kind]; [[fallthrough]];
      case Effect::kNone: Visit(e, PlaceIn(kind, effect, place), what); return;
      case Effect::kForeign: return;
      case Effect::kPlugin: JudgePlugin(e, what); return;
      case Effect::kProperty:
        if (!HoldsOnlyZeros(e) && !IsGravityOfNothing(e) && !IsReferenceOfNoSpring(e, kind))
          RefuseAsActing(e.Row(), what);
        return;
      case Effect::kUnlessOne:
        if (!IsOne(e) && !IsGravityOfNothing(e)) RefuseAsActing(e.Row(), what);
        return;
      case Effect::kActs:
        if (!IsMimic(WordOf(e, place))) RefuseAsActing(e.Row(), what);
        if (!mimic_is_free_) RefuseAsMimic(e.Row(), what);
        return;
      case Effect::kMayAct:
        if (HoldsOnlyZeros(e)) return;
        break;
      case Effect::kUnknown: break;
    }
    const std::string local = kind.substr(kind.find(':') + 1);  // npos + 1 is 0
    if (place.others == Effect::kUnknown &&
        std::ranges::find(kMacros, local) != std::end(kMacros)) {
      RefuseAsMacro(e.Row(), what);
    }
    RefuseOtherSpelling(place.elements, kind, e.Row(), what);
    const std::string named =
        kind == WordOf(e, place) ? "" : fmt::format(" \"{}\"", Quotable(WordOf(e, place)));
    Note(e.Row(), fmt::format("the element <{}>{} in <{}>", Quotable(kind), named,
                              Quotable(e.Parent()->ValueStr())));
    Visit(e, PlaceIn(kind, Effect::kUnknown, place), what);
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
    if (IsMimic(name) && effect == Effect::kActs) {
      if (!mimic_is_free_ && !IsZeroOrFalse(value)) RefuseAsMimic(element.Row(), what);
    } else if (effect == Effect::kActs ||
               (effect == Effect::kProperty && !IsZeroOrFalse(value) &&
                !IsReferenceOfNoSpring(element, name)) ||
               (effect == Effect::kUnlessOne && !IsOneOrTrue(value))) {
      RefuseAsActing(element.Row(), what);
    }
    if (effect == Effect::kUnknown) {
      RefuseOtherSpelling(place.attributes, name, element.Row(), what);
      Note(element.Row(), fmt::format("the attribute \"{}\" of <{}>", Quotable(name),
                                      Quotable(element.ValueStr())));
    }
  }

  static bool IsMimic(const std::string& name) {
    return PlainWord(name).find("mimic") != std::string::npos;
  }

  // A reference beside a stiffness that is stated as zero, as attributes or elements.
  static bool IsReferenceOfNoSpring(const TiXmlElement& element, const std::string& name) {
    if (PlainWord(name).find("springref") == std::string::npos) return false;
    const auto is_stiffness = [](const std::string& word) {
      return PlainWord(word).find("stiff") != std::string::npos;
    };
    const bool is_element = name == element.ValueStr();
    for (const TiXmlElement* e = is_element ? element.Parent()->FirstChildElement() : nullptr;
         e != nullptr; e = e->NextSiblingElement()) {
      if (is_stiffness(e->ValueStr())) return HoldsOnlyZeros(*e);
    }
    for (const TiXmlAttribute* a = is_element ? nullptr : element.FirstAttribute(); a != nullptr;
         a = a->Next()) {
      if (is_stiffness(a->NameTStr())) return IsZeroOrFalse(a->ValueStr());
    }
    return false;
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

  void JudgePlugin(const TiXmlElement& plugin, const std::string& what) {
    std::string names;
    for (const char* attribute : {"filename", "name"}) {
      const char* const value = plugin.Attribute(attribute);
      if (value != nullptr) names += std::string(" ") + value;
    }
    const std::string effect = EffectOfPlugin(names);
    if (effect == kCoupledCoordinates) {
      if (!mimic_is_free_) RefuseAsMimic(plugin.Row(), what);
    } else if (!effect.empty()) {
      RefuseAsActing(plugin.Row(), fmt::format("{} ({})", what, effect));
    } else if (const char* const file = plugin.Attribute("filename");
               !IsHarmlessPlugin(file != nullptr ? file : names)) {
      Note(plugin.Row(), "the plug-in" + what.substr(what.find('>') + 1));
    }
    Visit(plugin, Places().at("plugin"), what);
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
  RobotInspection found_;
};

}  // namespace

RobotInspection InspectUrdf(const TiXmlElement& robot, const std::string& file,
                            bool mimic_is_free) {
  return RobotInspector(file, mimic_is_free).Run(robot);
}

RobotInspection InspectPlugin(const TiXmlElement& plugin, const std::string& file) {
  return RobotInspector(file, false).RunPlugin(plugin);
}

}  // namespace mbsbench
