#include "problems/io/robot_description.h"

#include <fmt/format.h>

#include <cmath>

#include "problems/io/quotable.h"

namespace mbsbench {

namespace {
constexpr double kCloseToCentre = 1e-6;
}  // namespace

std::string NamesText(const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 8;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kListed; ++i) {
    text += fmt::format("{}\"{}\"", i > 0 ? ", " : "", Quotable(names[i]));
  }
  if (names.size() > kListed) text += fmt::format(" and {} more", names.size() - kListed);
  return text;
}

std::string FreeName(const std::string& name,
                     const std::function<bool(const std::string&)>& is_taken) {
  std::string free = name;
  for (int number = 2; is_taken(free); ++number) free = fmt::format("{}_{}", name, number);
  return free;
}

Shape RodShape(const Vector3& at, const Quaternion& turn, double length, double radius) {
  const Vector3 half = Rotate(turn, {0, 0, length / 2});
  return {Shape::Kind::kRod, at - half, at + half, radius};
}

Shape BoxShape(const Vector3& at, const Quaternion& turn, const Vector3& edges) {
  if (Norm(at) > kCloseToCentre || std::abs(turn.w) < 1 - kCloseToCentre) return {};
  return {Shape::Kind::kBox, edges, {}, Shape{}.radius};
}

Shape SphereShape(const Vector3& at, double radius) {
  if (Norm(at) > kCloseToCentre) return {};
  return {Shape::Kind::kSphere, {}, {}, radius};
}

}  // namespace mbsbench
