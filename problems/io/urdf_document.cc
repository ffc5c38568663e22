#include "problems/io/urdf_document.h"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <tinyxml.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "problems/io/json_document.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// Far above any real robot; they limit the memory and time that a malformed file can take.
struct UrdfBounds {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t depth = 64;         // a robot needs 6
  std::size_t attributes = 1000;  // of one element; TinyXML compares each with each
  std::size_t links = 20'000;
};

[[noreturn]] void RefuseUrdf(const std::string& name, int line, const std::string& sentence) {
  throw ModelError(line > 0 ? fmt::format("{}, line {}: {}", name, line, sentence)
                            : fmt::format("{}: {}", name, sentence));
}

// TinyXML descends into nested elements by recursion, and compares every attribute of an element with
// the others. This measures both beforehand, as far as TinyXML would come.
class UrdfBoundsCheck {
 public:
  UrdfBoundsCheck(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void Run() {
    if (text_.size() > bounds_.bytes) {
      RefuseUrdf(name_, 0,
                 fmt::format("has more than {} bytes, the most that is read from a robot file.",
                             bounds_.bytes));
    }
    if (text_.find('\0') != std::string_view::npos) {
      RefuseUrdf(name_, 0, "contains a byte 0, so it is not XML.");
    }
    while ((at_ = text_.find('<', at_)) != std::string_view::npos) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("<!--")) {
        SkipBehind("-->", 4);
      } else if (rest.starts_with("<![CDATA[")) {
        SkipBehind("]]>", 9);
      } else if (rest.starts_with("<!")) {
        RefuseUrdf(name_, Line(), "a document type or entity is declared: write it out.");
      } else if (rest.starts_with("<?")) {
        SkipBehind(">", 2);
      } else if (rest.starts_with("</")) {
        if (depth_ > 0) --depth_;
        SkipBehind(">", 2);
      } else {
        StartTag();
      }
    }
  }

 private:
  int Line() const {
    return 1 + static_cast<int>(std::count(text_.begin(),
                                           text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }
  void SkipBehind(std::string_view mark, std::size_t from) {
    const std::size_t end = text_.find(mark, std::min(at_ + from, text_.size()));
    at_ = end == std::string_view::npos ? text_.size() : end + mark.size();
  }
  void StartTag() {
    if (++depth_ > bounds_.depth) {
      RefuseUrdf(name_, Line(),
                 fmt::format("elements are nested more than {} deep.", bounds_.depth));
    }
    std::size_t attributes = 0;
    for (++at_; at_ < text_.size() && text_[at_] != '>'; ++at_) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        if (++attributes > bounds_.attributes) {
          RefuseUrdf(name_, Line(),
                     fmt::format("an element has more than {} attributes.", bounds_.attributes));
        }
        at_ = text_.find(c, at_ + 1);
        if (at_ == std::string_view::npos) at_ = text_.size() - 1;
      }
    }
    if (at_ < text_.size() && text_[at_ - 1] == '/') --depth_;
  }

  const std::string_view text_;
  const std::string& name_;
  const UrdfBounds bounds_ = {};
  std::size_t at_ = 0, depth_ = 0;
};

std::string AttributeOf(const TiXmlElement& element, const char* attribute) {
  const char* const value = element.Attribute(attribute);
  return value == nullptr ? "" : value;
}

// The elements of a file: its links and joints with their lines, and a check that they form a tree.
class UrdfElements {
 public:
  UrdfElements(const TiXmlDocument& xml, const std::string& name, UrdfDocument& to)
      : name_(name), to_(to) {
    const TiXmlElement* const robot = xml.RootElement();
    if (robot == nullptr) RefuseUrdf(name, 0, "has no element: a <robot> is needed.");
    if (robot->ValueStr() != "robot") {
      RefuseUrdf(name, robot->Row(),
                 fmt::format("the root element is <{}>: a URDF file has the root element <robot>.",
                             Quotable(robot->ValueStr())));
    }
    RefuseMacros(*robot);
    for (const TiXmlElement* e = robot->FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      const std::string& kind = e->ValueStr();
      if (kind == "link") {
        AddLink(*e);
      } else if (kind == "joint") {
        AddJoint(*e);
      } else if (kind != "material") {
        ++to_.ignored[kind];
      }
    }
    if (to_.links.empty()) RefuseUrdf(name, robot->Row(), "the robot has no link.");
    if (to_.links.size() > UrdfBounds{}.links) {
      RefuseUrdf(
          name, 0,
          fmt::format("has {} links: at most {} are read.", to_.links.size(), UrdfBounds{}.links));
    }
    CheckTree();
  }

 private:
  // The depth has been limited before.
  void RefuseMacros(const TiXmlElement& element) const {
    if (element.ValueStr().starts_with("xacro:")) {
      RefuseUrdf(name_, element.Row(), "xacro elements are not expanded; run xacro first.");
    }
    for (const TiXmlElement* e = element.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      RefuseMacros(*e);
    }
  }

  // Elements of which urdfdom uses only the first, or which it ignores.
  void Inspect(const TiXmlElement& element, const std::string& subject,
               const std::set<std::string>& single, const std::set<std::string>& drawn) {
    std::set<std::string> seen;
    for (const TiXmlElement* e = element.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      const std::string& kind = e->ValueStr();
      if (single.count(kind) > 0) {
        if (!seen.insert(kind).second) {
          RefuseUrdf(name_, e->Row(), fmt::format("{} has two <{}> elements.", subject, kind));
        }
      } else if (drawn.count(kind) == 0) {
        ++to_.ignored[kind];
      }
    }
  }

  std::string NameOf(const TiXmlElement& element, std::map<std::string, int>& lines) const {
    const std::string kind = element.ValueStr();
    const std::string name = AttributeOf(element, "name");
    if (name.empty()) RefuseUrdf(name_, element.Row(), fmt::format("a <{}> has no name.", kind));
    const auto [known, is_new] = lines.emplace(name, element.Row());
    if (!is_new) {
      RefuseUrdf(name_, element.Row(),
                 fmt::format("{} \"{}\" is already defined in line {}: names must be unique.", kind,
                             Quotable(name), known->second));
    }
    return name;
  }

  void AddLink(const TiXmlElement& link) {
    to_.links.push_back(NameOf(link, to_.link_lines));
    const std::string subject = fmt::format("link \"{}\"", Quotable(to_.links.back()));
    Inspect(link, subject, {"inertial"}, {"visual"});
    if (const TiXmlElement* const inertial = link.FirstChildElement("inertial")) {
      Inspect(*inertial, "the <inertial> of " + subject, {"origin", "mass", "inertia"}, {});
    }
  }

  void AddJoint(const TiXmlElement& joint) {
    to_.joints.push_back(NameOf(joint, to_.joint_lines));
    const std::string& name = to_.joints.back();
    const std::string subject = fmt::format("joint \"{}\"", Quotable(name));
    Inspect(joint, subject, {"parent", "child", "origin", "axis", "dynamics", "mimic"}, {});
    const auto link_of = [&](const char* kind) {
      const TiXmlElement* const e = joint.FirstChildElement(kind);
      const std::string link = e == nullptr ? "" : AttributeOf(*e, "link");
      if (link.empty()) {
        RefuseUrdf(name_, joint.Row(), fmt::format("{} names no {} link.", subject, kind));
      }
      return link;
    };
    ends_.push_back({link_of("parent"), link_of("child")});
  }

  // One parent for each link but the root, and no links that only reach each other.
  void CheckTree() const {
    std::map<std::string, std::size_t> joint_of;  // by the child
    std::map<std::string, std::vector<std::string>> children;
    for (std::size_t j = 0; j < ends_.size(); ++j) {
      const auto& [parent, child] = ends_[j];
      const int line = to_.joint_lines.at(to_.joints[j]);
      for (const std::string& link : {parent, child}) {
        if (to_.link_lines.count(link) == 0) {
          RefuseUrdf(name_, line,
                     fmt::format("joint \"{}\" names link \"{}\", which does not exist.",
                                 Quotable(to_.joints[j]), Quotable(link)));
        }
      }
      const auto [other, is_new] = joint_of.emplace(child, j);
      if (!is_new) {
        RefuseUrdf(name_, line,
                   fmt::format("link \"{}\" is the child of two joints, \"{}\" and \"{}\": a URDF "
                               "robot is a tree.",
                               Quotable(child), Quotable(to_.joints[other->second]),
                               Quotable(to_.joints[j])));
      }
      children[parent].push_back(child);
    }
    for (const std::string& link : to_.links) {
      if (joint_of.count(link) > 0) continue;
      if (!to_.root.empty()) {
        RefuseUrdf(name_, to_.link_lines.at(link),
                   fmt::format("the links do not form one tree: \"{}\" and \"{}\" have no parent.",
                               Quotable(to_.root), Quotable(link)));
      }
      to_.root = link;
    }
    if (to_.root.empty()) {
      RefuseUrdf(name_, 0, "the links do not form one tree: every link has a parent.");
    }
    std::set<std::string> reached{to_.root};
    std::vector<std::string> open{to_.root};
    while (!open.empty()) {
      const std::string link = std::move(open.back());
      open.pop_back();
      for (const std::string& child : children[link]) {
        reached.insert(child);
        open.push_back(child);
      }
    }
    for (const std::string& link : to_.links) {
      if (reached.count(link) > 0) continue;
      RefuseUrdf(name_, to_.link_lines.at(link),
                 fmt::format("the links do not form one tree: \"{}\" belongs to a cycle that the "
                             "root \"{}\" does not reach.",
                             Quotable(link), Quotable(to_.root)));
    }
  }

  const std::string& name_;
  UrdfDocument& to_;
  std::vector<std::pair<std::string, std::string>> ends_;  // parent and child of each joint
};

// Captures the reports of urdfdom to its global handler during its lifetime.
class UrdfdomReports : public console_bridge::OutputHandler {
 public:
  UrdfdomReports() : guard_(Mutex()), before_(console_bridge::getOutputHandler()) {
    console_bridge::useOutputHandler(this);
  }
  ~UrdfdomReports() override { console_bridge::useOutputHandler(before_); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && text_.size() < 500) {
      text_ += (text_.empty() ? "" : "; ") + text;
    }
  }
  const std::string& text() const { return text_; }

 private:
  static std::mutex& Mutex() {
    static std::mutex mutex;
    return mutex;
  }
  std::lock_guard<std::mutex> guard_;
  console_bridge::OutputHandler* before_;
  std::string text_;
};

}  // namespace

UrdfDocument::~UrdfDocument() {
  if (!robot) return;
  for (auto& [name, link] : robot->links_) link->child_links.clear();
}

UrdfDocument ParseUrdf(std::string_view text, const std::string& name) {
  UrdfBoundsCheck(text, name).Run();
  UrdfDocument document;
  const std::string copy(text);
  {
    TiXmlDocument xml;
    xml.Parse(copy.c_str());
    if (xml.Error()) {
      RefuseUrdf(name, xml.ErrorRow(), fmt::format("is no XML: {}.", [&xml] {
                   std::string why = xml.ErrorDesc();
                   while (!why.empty() && why.back() == '.') why.pop_back();
                   return why;
                 }()));
    }
    UrdfElements(xml, name, document);
  }
  const UrdfdomReports reports;
  std::string thrown;
  try {
    document.robot = urdf::parseURDF(copy);
  } catch (const std::exception& error) {
    thrown = error.what();
  }
  if (!document.robot) {
    std::string why = reports.text().empty() ? thrown : reports.text();
    while (!why.empty() && (why.back() == '.' || why.back() == '\n')) why.pop_back();
    RefuseUrdf(name, 0,
               "urdfdom cannot read it: " + (why.empty() ? "no reason is known" : why) + ".");
  }
  return document;
}

}  // namespace mbsbench
