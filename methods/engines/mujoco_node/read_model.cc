// MJCF and URDF as the compiler of MuJoCo in WebAssembly reads them.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include "methods/engines/mujoco_node/node_process.h"
#include "problems/model/model_reading.h"

namespace mbsbench {

namespace {

// Words that each end in a NUL.
class Words {
 public:
  explicit Words(std::string text) : text_(std::move(text)) {}
  bool any_left() const { return at_ < text_.size(); }
  std::string Next() {
    const std::size_t end = std::min(text_.find('\0', at_), text_.size());
    std::string word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return word;
  }
  double NextNumber() { return std::strtod(Next().c_str(), nullptr); }
  Vector3 NextVector() {
    Vector3 v;
    for (double* number : {&v.x, &v.y, &v.z}) *number = NextNumber();
    return v;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

void Put(Words words, ModelReading& reading) {
  while (words.any_left()) {
    if (words.Next() == "body") {
      BodyReading& body = reading.bodies.emplace_back();
      body.name = words.Next();
      body.mass = words.NextNumber();
      body.centre = words.NextVector();
      for (double& entry : body.inertia.entries) entry = words.NextNumber();
    } else {
      JointReading& joint = reading.joints.emplace_back();
      joint.name = words.Next();
      joint.axis = words.NextVector();
      joint.damping = words.NextNumber();
      joint.armature = words.NextNumber();
    }
  }
}

}  // namespace

}  // namespace mbsbench

void mbsbench_read_model_1(const char* file, mbsbench::ModelReading* reading) {
  using Process = mbsbench::NodeProcess;
  try {
    Process process(mbsbench::NodeScript());
    const Process::Reply reply =
        process.Ask(Process::Request::kReading, std::filesystem::absolute(file).string());
    if (reply == Process::Reply::kText)
      return mbsbench::Put(mbsbench::Words(process.text()), *reading);
    const bool answered = reply == Process::Reply::kSentence;
    reading->refused = answered ? process.text() : "the Node process of MuJoCo has ended";
  } catch (const std::exception& error) {
    reading->refused = error.what();
  }
}
