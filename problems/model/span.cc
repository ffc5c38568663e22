#include "problems/model/span.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace mbsbench {

namespace {

// Pairs that are compared at most: for points that lie on a sphere, the result may then be a little too small.
constexpr std::int64_t kMostPairs = 10'000'000;

template <class Take>
struct TakePoints : FieldVisitor {
  void Point(std::string_view, int body, const Vector3& point) const { take(body, point); }
  const Take& take;
};
template <class Take>
TakePoints(FieldVisitor, const Take&) -> TakePoints<Take>;

template <class Visit>
void ForEachPoint(const System& system, const std::vector<BodyState>& bodies, const Visit& visit) {
  const auto take = [&](int body, const Vector3& point) {
    if (body == kGround) {
      visit(point);
      return;
    }
    const BodyState& s = bodies[static_cast<std::size_t>(body)];
    visit(s.position + Rotate(s.orientation, point));
  };
  for (const BodyState& body : bodies) visit(body.position);
  for (const std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      take(joint.parent, joint.parent_frame.position);
      take(joint.child, joint.child_frame.position);
    }
  }
  system.forces.ForEach([&](const auto& element) { VisitFields(element, TakePoints{{}, take}); });
}

struct Far {
  double distance = 0;
  Vector3 point;
};

Far FarthestFrom(const Vector3& from, const System& system, const std::vector<BodyState>& bodies) {
  Far farthest{0, from};
  ForEachPoint(system, bodies, [&](const Vector3& p) {
    if (const double distance = Norm(p - from); distance > farthest.distance)
      farthest = {distance, p};
  });
  return farthest;
}

}  // namespace

double SpanOf(const System& system, const std::vector<BodyState>& bodies) {
  if (bodies.empty()) return 0;
  const Vector3 centre = bodies[bodies.size() / 2].position;
  const Far farthest = FarthestFrom(centre, system, bodies);
  double span = FarthestFrom(farthest.point, system, bodies).distance;

  // Two points are not farther apart than the sum of their distances from the centre.
  std::vector<Far> far;
  ForEachPoint(system, bodies, [&](const Vector3& p) {
    const double distance = Norm(p - centre);
    if (distance + farthest.distance > span) far.push_back({distance, p});
  });
  std::ranges::sort(far, std::greater{}, &Far::distance);
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i < far.size() && 2 * far[i].distance > span; ++i) {
    for (std::size_t k = i + 1; k < far.size(); ++k) {
      if (!(far[i].distance + far[k].distance > span)) break;
      span = std::max(span, Norm(far[i].point - far[k].point));
      if (++pairs == kMostPairs) return span;
    }
  }
  return span;
}

}  // namespace mbsbench
