#include "problems/io/urdf_document.h"

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>

#include "problems/io/quotable.h"
#include "problems/io/robot_words.h"
#include "problems/model/error.h"

namespace mbsbench {

void RefuseUrdf(const std::string& name, int line, const std::string& sentence) {
  throw ModelError(line > 0 ? fmt::format("{}, line {}: {}", name, line, sentence)
                            : fmt::format("{}: {}", name, sentence));
}

namespace {

// Far above any real robot; they limit the memory and time that a malformed file can take.
struct UrdfBounds {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t depth = 64;         // a robot needs 6
  std::size_t attributes = 1000;  // of one element; TinyXML compares each with each
};

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

}  // namespace

void ParseUrdf(std::string_view text, const std::string& name, TiXmlDocument& xml) {
  UrdfBoundsCheck(text, name).Run();
  xml.Parse(std::string(text).c_str());
  if (xml.Error()) {
    RefuseUrdf(name, xml.ErrorRow(), fmt::format("is no XML: {}.", [&xml] {
                 std::string why = xml.ErrorDesc();
                 while (!why.empty() && why.back() == '.') why.pop_back();
                 return why;
               }()));
  }
  if (HasMoreThanOneRoot(xml))
    RefuseUrdf(name, 0, "is no XML: something stands beside its root element.");
  const TiXmlElement* const robot = xml.RootElement();
  if (robot == nullptr) RefuseUrdf(name, 0, "has no element: a <robot> is needed.");
  if (robot->ValueStr() != "robot") {
    RefuseUrdf(name, robot->Row(),
               fmt::format("the root element is <{}>: a URDF file has the root element <robot>.",
                           Quotable(robot->ValueStr())));
  }
}

}  // namespace mbsbench
