#include <chrono>
#include "problems/catalog/catalog.h"
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

TEST(ClassicalDigits, Explore) {
  for (const char* variant : {"paper", "general"})
  for (int n : {4, 8, 10, 20, 30, 40, 100, 300, 500, 1000}) {
    RandomTreeOptions o{.bodies = n, .types = {JointType::kRevolute}, .force_elements = false, .chain_likelihood = 1, .ground_likelihood = 0, .planar = true};
    if (std::string(variant) == "paper" && n > 40) continue;
    RandomTree tree = MakeRandomTree(5, o);
    Problem p = MakeProblem("chainN:bodies=4");
    // uniform rods, random angles
    System s; s.gravity = {0,-9.81,0}; SystemState st; RandomNumbers r(7);
    for (int k = 0; k < n; ++k) { Body b; b.name = std::to_string(k); b.mass=1; b.inertia=Diagonal(0.01,1./12,1./12); s.bodies.push_back(b);
      Joint j; j.name="j"+b.name; j.type=JointType::kRevolute; j.parent=k-1; j.child=k; j.parent_frame.position={k?0.5:0,0,0}; j.child_frame.position={-0.5,0,0}; s.joints.push_back(j);
      st.joints.q.push_back(r.Between(-1,1)); st.joints.u.push_back(r.Between(-1,1)); }
    st.bodies = ForwardKinematics(s, st.joints);
    double c=0;
    const auto f = PrepareClassical(s, {variant});
    std::vector<double> y(f->state_size()), yd(y.size()); ASSERT_TRUE(f->Initialise(0, st, y).ok());
    auto t0 = std::chrono::steady_clock::now(); (void)f->Evaluate(0, y, yd);
    double dt = std::chrono::duration<double>(std::chrono::steady_clock::now()-t0).count();
    Observation ob; Status ss = f->Observe(0,y,Detail::kReactions,ob);
    if (!ss.ok()) { std::printf("%s %d %s\n", variant, n, ss.what); continue; }
    c = OverallConditionNumber(*f);
    Distance d = DistanceOf(ob, ReferenceAccelerations(s, st.joints));
    ReferenceDynamics tr = ReferenceAccelerations(s, st.joints);
    // rates
    double w=0,sc=0; double prev=0; for (int k=0;k<n;++k){ double e=tr.accelerations[k].angular_acceleration.z-prev; prev=tr.accelerations[k].angular_acceleration.z; w=std::max(w,std::abs(yd[n+k]-e)); sc=std::max(sc,std::abs(e)); }
    std::printf("%s %4d: bodies acc %.1e reac %.1e  rates %.1e cond %.1e  %.4f s\n", variant, n, d.acceleration, d.reaction, w/sc, c, dt);
  }
}

}  // namespace
}  // namespace mbsbench
