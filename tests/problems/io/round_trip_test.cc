// A problem that is written and read again has the same bits, for every instance of the catalogue and for a
// problem that uses every field.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "problems/catalog/catalog.h"
#include "problems/io/model_file.h"
#include "tests/problems/io/full_problem.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

// Every bit of a problem in a fixed order, taken from the structs and not from the writer under test.
class Bits {
 public:
  explicit Bits(const Problem& p) {
    Add(p.name, p.title, p.description, p.source);
    const System& s = p.system;
    Add(s.gravity, s.loop_precision);
    AddEach(s.bodies, [this](const Body& b) {
      Add(b.name, b.mass, b.is_point, static_cast<int>(b.shape->kind), b.shape->a, b.shape->b,
          b.shape->radius);
      for (double x : b.inertia.entries) Add(x);
    });
    for (const auto* joints : {&s.joints, &s.loop_joints}) {
      AddEach(*joints, [this](const mbsbench::Joint& j) {
        Add(j.name, static_cast<int>(j.type), j.parent, j.child, j.length);
        for (const Frame& f : {j.parent_frame, j.child_frame}) Add(f.position, f.orientation);
      });
    }
    AddEach(s.forces.Of<SpringDamper>(), [this](const SpringDamper& e) {
      Add(e.name, e.body_a, e.body_b, e.point_a, e.point_b, e.stiffness, e.damping, e.free_length);
    });
    AddEach(s.forces.Of<JointSpringDamper>(), [this](const JointSpringDamper& e) {
      Add(e.name, e.joint, e.stiffness, e.damping, e.free_coordinate);
    });
    AddEach(s.forces.Of<AppliedForce>(), [this](const AppliedForce& e) {
      Add(e.name, e.body, e.point, e.force, e.moment, e.in_body_axes);
    });
    AddEach(s.forces.Of<GroundSpring>(), [this](const GroundSpring& e) {
      Add(e.name, e.body, e.point, e.direction, e.stiffness, e.damping, e.free_position);
    });
    Add(s.rope_flight.has_value());
    if (s.rope_flight) {
      const RopeFlight& f = *s.rope_flight;
      Add(f.name, f.box, f.rail_direction, f.rail_length, f.thrust, f.burn_time, f.propellant_mass,
          f.link_length, f.line_density, f.air_density, f.body_diameter, f.body_drag,
          f.rope_diameter, f.tangential_drag, f.normal_drag);
    }
    AddEach(s.drivers, [this](const Driver& d) { Add(d.name, d.joint), Add(d.motion); });
    AddEach(p.equilibria, [this](const Equilibrium& e) {
      Add(e.speed, e.stable, static_cast<int>(e.kind), e.source);
      AddEach(e.coordinates,
              [this](const Equilibrium::Coordinate& c) { Add(c.joint, c.value, c.last_digit); });
    });
    const auto number = [this](double x) { Add(x); };
    const auto index = [this](int i) { Add(i); };
    AddEach(p.initial.joints.q, number);
    AddEach(p.initial.joints.u, number);
    AddEach(p.initial.dependent_joints, index);
    Add(p.end_time, p.length, p.time, p.energy_reference, p.conservative, p.planar, p.papers_step,
        p.accuracy_required_ode, p.accuracy_required_dae);
    AddEach(p.sample_times, number);
    AddEach(p.fixed_steps, number);
    AddEach(p.reference_bodies, index);
    AddEach(p.observables, [this](const Observable& o) {
      Add(o.name, static_cast<int>(o.kind), o.body, o.offset, o.point, o.relative_to);
    });
    AddEach(p.branch, [this](const BranchCondition& c) {
      const Observable& o = c.observable;
      Add(o.name, static_cast<int>(o.kind), o.body, o.offset, o.point, o.relative_to, c.value,
          c.bound, c.otherwise);
    });
    AddEach(p.library_measures, [&](const LibraryMeasure& m) {
      Add(m.name, static_cast<int>(m.formula), m.time);
      AddEach(m.observables, index);
      AddEach(m.values, number);
    });
    AddEach(p.published, [this](const PublishedValue& v) {
      Add(v.observable, v.time, v.value, v.last_digit, static_cast<int>(v.kind), v.source, v.event);
    });
  }
  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  template <typename First, typename Second, typename... Rest>
  void Add(const First& first, const Second& second, const Rest&... rest) {
    Add(first);
    Add(second, rest...);
  }
  void Add(double x) { words_.push_back(std::bit_cast<std::uint64_t>(x)); }
  void Add(int x) { words_.push_back(static_cast<std::uint64_t>(x)); }
  void Add(bool x) { words_.push_back(x); }
  void Add(const std::string& x) {
    words_.push_back(x.size());
    for (char c : x) words_.push_back(static_cast<unsigned char>(c));
  }
  void Add(const DriverMotion& m) {
    Add(static_cast<int>(m.kind), m.rate, m.amplitude, m.mean, m.angular_frequency, m.phase);
    Add(m.from, m.to, m.begin, m.duration, m.smoothness);
    AddEach(m.coefficients, [this](double a) { Add(a); });
    AddEach(m.terms, [this](const DriverMotion& term) { Add(term); });
  }
  void Add(const Vector3& v) { Add(v.x, v.y, v.z); }
  void Add(const Quaternion& q) { Add(q.w, q.x, q.y, q.z); }
  template <typename Things, typename AddOne>
  void AddEach(const Things& things, const AddOne& add_one) {
    words_.push_back(things.size());
    for (const auto& thing : things) add_one(thing);
  }
  std::vector<std::uint64_t> words_;
};

class RoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(RoundTrip, KeepsEveryBitOfTheCatalogue) {
  const Problem original = MakeProblem(GetParam());
  const std::string text = WriteModel(original);
  const Problem read = ParseModel(text, "round_trip.json");
  EXPECT_TRUE(Bits(read) == Bits(original));
  EXPECT_EQ(WriteModel(read), text);
}

// Of the instances with so many alike bodies one stands for all: under the sanitizers the largest takes a minute.
constexpr std::size_t kManyBodies = 5'000;
constexpr char kLargest[] = "branchN:bodies=33336";

std::vector<std::string> AllInstances() {
  std::vector<std::string> names;
  for (const ProblemFamily& family : AllProblems()) {
    for (const std::string& name : family.instances) {
      if (MakeProblem(name).system.bodies.size() < kManyBodies || name == kLargest)
        names.push_back(name);
    }
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, RoundTrip, testing::ValuesIn(AllInstances()), NameOfParameter);

TEST(RoundTrip, KeepsEveryBitOfAProblemThatUsesEveryField) {
  const Problem original = FullProblem();
  const Problem read = ParseModel(WriteModel(original), "full.json");
  EXPECT_TRUE(Bits(read) == Bits(original));
}

TEST(RoundTrip, KeepsThePrecisionOfRoundedLoops) {
  Problem original = MakeProblem("fourbar");
  original.name = "mine";
  original.system.loop_precision = 1e-8;
  const Problem read = ParseModel(WriteModel(original), "rounded.json");
  EXPECT_EQ(1e-8, read.system.loop_precision);
  EXPECT_TRUE(Bits(read) == Bits(original));
}

TEST(RoundTrip, KeepsNumbersThatAreHardToPrint) {
  for (const double x : {0.1, 1.0 / 3, 1e22, 123456789012345678.0, 5e-324, 2.2250738585072014e-308,
                         0x1.fffffffffffffp+100, -0.0, 9007199254740993.0, 1e-7}) {
    Problem original = MakeProblem("pendulum");
    original.name = "mine";
    original.observables[0].offset = x;
    original.system.gravity.z = x;
    const Problem read = ParseModel(WriteModel(original), "numbers.json");
    EXPECT_TRUE(Bits(read) == Bits(original)) << x;
  }
}

// Control: the comparison detects a change of one unit in the last place in every field tried.
TEST(RoundTrip, DetectsALostBit) {
  const Problem original = FullProblem();
  Problem changed = original;
  changed.system.bodies[1].inertia(1, 1) =
      std::nextafter(changed.system.bodies[1].inertia(1, 1), 1e9);
  EXPECT_FALSE(Bits(changed) == Bits(original));
  changed = original;
  changed.initial.joints.u[0] = -changed.initial.joints.u[0];
  EXPECT_FALSE(Bits(changed) == Bits(original));
}

}  // namespace
}  // namespace mbsbench
