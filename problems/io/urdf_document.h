// A URDF file as urdfdom reads it, with the lines of its elements and the elements that urdfdom
// drops silently.
#pragma once

#include <urdf_model/model.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mbsbench {

struct UrdfDocument {
  std::shared_ptr<urdf::ModelInterface> robot;
  std::vector<std::string> links, joints;  // in the order of the file
  std::map<std::string, int> link_lines, joint_lines;
  std::map<std::string, int> ignored;  // elements that do not affect the motion, with their counts
  std::string root;                    // the link without a parent

  UrdfDocument() = default;
  UrdfDocument(UrdfDocument&&) = default;
  UrdfDocument& operator=(UrdfDocument&&) = delete;
  ~UrdfDocument();  // without recursion over a long chain of links
};

// Throws ModelError if the text is not URDF, or if its links do not form one tree.
UrdfDocument ParseUrdf(std::string_view text, const std::string& name);

}  // namespace mbsbench
