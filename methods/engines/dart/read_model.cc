// URDF, SDF and MJCF as DART's own readers read them. They are packages of their own; without them this file is not compiled.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <dart/utils/mjcf/MjcfParser.hpp>
#include <dart/utils/sdf/SdfParser.hpp>
#include <dart/utils/urdf/DartLoader.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "problems/model/eigen.h"
#include "problems/model/model_reading.h"

namespace mbsbench {

namespace {

namespace dd = dart::dynamics;
namespace du = dart::utils;

// Keeps what DART and its readers write to the standard streams.
class KeptMessages {
 public:
  KeptMessages()
      : out_(std::cout.rdbuf(messages_.rdbuf())), error_(std::cerr.rdbuf(messages_.rdbuf())) {}
  ~KeptMessages() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(error_);
  }
  KeptMessages(const KeptMessages&) = delete;
  KeptMessages& operator=(const KeptMessages&) = delete;

  // In one line without colours.
  std::string Text() const {
    return std::regex_replace(messages_.str(), std::regex("(\x1b\\[[0-9;]*m|\\s)+"), " ");
  }

 private:
  std::ostringstream messages_;
  std::streambuf *out_, *error_;
};

// One may be null.
std::vector<dd::SkeletonPtr> RobotsIn(const std::string& file) {
  std::ifstream in(file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto holds = [&](const char* tag) { return text.find(tag) != std::string::npos; };
  const auto uri =
      dart::common::Uri::createFromPath(std::filesystem::absolute(file).lexically_normal());
  if (holds("<robot")) return {du::DartLoader().parseSkeleton(uri)};
  const bool is_sdf = holds("<sdf");
  if (is_sdf && !holds("<world")) return {du::SdfParser::readSkeleton(uri)};
  const dart::simulation::WorldPtr world =
      is_sdf ? du::SdfParser::readWorld(uri) : du::MjcfParser::readWorld(uri);
  std::vector<dd::SkeletonPtr> robots;
  for (std::size_t i = 0; world != nullptr && i < world->getNumSkeletons(); ++i)
    robots.push_back(world->getSkeleton(i));
  return robots;
}

void Add(dd::Skeleton& robot, ModelReading& reading) {
  for (std::size_t j = 0; j < robot.getNumJoints(); ++j) {
    dd::Joint& joint = *robot.getJoint(j);
    if (dynamic_cast<const dd::FreeJoint*>(&joint) == nullptr)
      joint.setPositions(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(joint.getNumDofs())));
  }
  for (std::size_t b = 0; b < robot.getNumBodyNodes(); ++b) {
    const dd::BodyNode& body = *robot.getBodyNode(b);
    const Eigen::Matrix3d turn = body.getWorldTransform().linear();
    const Eigen::Matrix3d inertia = turn * body.getInertia().getMoment() * turn.transpose();
    BodyReading& read = reading.bodies.emplace_back();
    read.name = body.getName();
    read.mass = body.getMass();
    read.centre = FromEigen(Eigen::Vector3d(body.getCOM()));
    for (int i = 0; i < 3; ++i) {
      for (int k = i; k < 3; ++k) read.inertia(i, k) = inertia(i, k);
    }
  }
  for (std::size_t j = 0; j < robot.getNumJoints(); ++j) {
    const dd::Joint& joint = *robot.getJoint(j);
    Eigen::Vector3d axis;  // in the axes of the joint's frame on the child
    if (const auto* turns = dynamic_cast<const dd::RevoluteJoint*>(&joint))
      axis = turns->getAxis();
    else if (const auto* slides = dynamic_cast<const dd::PrismaticJoint*>(&joint))
      axis = slides->getAxis();
    else
      continue;
    const Eigen::Matrix3d to_world = joint.getChildBodyNode()->getWorldTransform().linear() *
                                     joint.getTransformFromChildBodyNode().linear();
    JointReading& read = reading.joints.emplace_back();
    read.name = joint.getName();
    read.axis = FromEigen(Eigen::Vector3d(to_world * axis));
    read.damping = joint.getDampingCoefficient(0);
  }
}

void ReadRobots(const char* file, ModelReading& reading) {
  const KeptMessages messages;
  for (const dd::SkeletonPtr& robot : RobotsIn(file)) {
    const bool moves = robot != nullptr && robot->isMobile() && robot->getNumDofs() > 0;
    if (moves) Add(*robot, reading);  // the reader of MJCF makes one of each geometry of the world
  }
  if (reading.bodies.empty())
    throw std::runtime_error("DART found no robot in it that moves:" + messages.Text());
}

}  // namespace

}  // namespace mbsbench

void mbsbench_read_model_1(const char* file, mbsbench::ModelReading* reading) {
  try {
    mbsbench::ReadRobots(file, *reading);
  } catch (const std::exception& error) {
    *reading = {};
    reading->refused = error.what();
  }
}
