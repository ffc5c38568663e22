// Definitions of loop_columns.h, for the sources that instantiate them: one per scalar.
#pragma once

#include "methods/riccati_mstmm/general_sweep_inline.h"
#include "methods/riccati_mstmm/loop_columns.h"

namespace mbsbench {

inline std::vector<int> ParentsOf(const JointTree& tree) {
  std::vector<int> parents{-1};
  for (const TreeElement& e : tree.elements) parents.push_back(e.parent);
  return parents;
}

template <class T>
RiccatiLoopColumns<T>::RiccatiLoopColumns(const System& system, const JointTree& tree,
                                          std::span<const int> child_ends,
                                          std::span<const int> parent_ends, int rows)
    : paths_(system, ParentsOf(tree), child_ends, parent_ends),
      size_(rows),
      columns_(12 * At(rows)),
      y_(6 * At(rows)),
      z_(6 * At(rows)),
      solution_(paths_.stops().size()) {}

template <class T>
void RiccatiLoopColumns<T>::Set(int row, int side, const LoopForce<T>& e) {
  T* const c = Side(side) + row;
  c[0] = e.e_m.x, c[size_] = e.e_m.y, c[2 * size_] = e.e_m.z;
  c[3 * size_] = e.e_q.x, c[4 * size_] = e.e_q.y, c[5 * size_] = e.e_q.z;
}

template <class T>
void RiccatiLoopColumns<T>::Carry(const JointTree& tree, const SweepSpace<T>& space, T* matrix,
                                  T* right_side) {
  using namespace general_sweep;
  const int size = size_;
  for (const LoopPaths::Stop& stop : paths_.stops()) {
    for (const RowRun& run : paths_.merges(stop)) {
      for (int component = 0; component < 6; ++component) {
        T* const to = Side(0) + component * size;
        const T* const from = Side(1) + component * size;
        for (int i = run.begin; i < run.end; ++i) to[i] = to[i] + from[i];
      }
    }
    const std::span<const RowRun> runs = paths_.runs(stop);
    if (stop.element == 0) {  // z_b = (-g, 0)
      const Vec<T>& a = space.hinges[0].a();
      for (const RowRun& run : runs) {
        const T* const e_q = Side(run.side) + 3 * size;
        for (int i = run.begin; i < run.end; ++i) {
          right_side[i] = right_side[i] + Dot(a, Vec<T>{e_q[i], e_q[size + i], e_q[2 * size + i]});
        }
      }
      break;
    }
    const TreeElement& element = tree.elements[At(stop.element) - 1];
    const ElementMotion<T>& motion = space.motions[At(stop.element)];
    const HingeSolution<T>& hinge = space.hinges[At(stop.element)];
    const HingePivots<T>& pivots = space.pivots[At(stop.element)];
    T* const y = y_.data();
    T* const z = z_.data();
    // `eliminate` is (d) for e of row i; it fills y and z and returns what the hinge adds to g''.
    const Vec<T> h_alpha = AngularBias(element, space.motions[At(element.parent)], motion);
    const auto pass = [&](auto eliminate) {
      for (const RowRun& run : runs) {
        T* const column = Side(run.side);
        for (int i = run.begin; i < run.end; ++i) {
          Vec<T> e_m{column[i], column[size + i], column[2 * size + i]};
          Vec<T> e_q{column[3 * size + i], column[4 * size + i], column[5 * size + i]};
          const T added = eliminate(i, e_m, e_q);
          right_side[i] = right_side[i] + added + Dot(e_q, motion.h_a) - Dot(e_m, h_alpha);
          e_m = e_m - Cross(motion.d, e_q);  // (e)
          column[i] = e_m.x, column[size + i] = e_m.y, column[2 * size + i] = e_m.z;
          column[3 * size + i] = e_q.x, column[4 * size + i] = e_q.y, column[5 * size + i] = e_q.z;
        }
      }
    };
    const auto put = [size](int i, const Vec<T>& v, T* to) {
      to[i] = v.x, to[size + i] = v.y, to[2 * size + i] = v.z;
    };
    ForHinge(element, [&](auto joint) {
      using Hinge = decltype(joint);
      if constexpr (Hinge::kRates == 0) {
        pass([](int, Vec<T>&, Vec<T>&) { return T(0); });
      } else if constexpr (Hinge::kOneAxis) {
        pass([&](int i, Vec<T>& e_m, Vec<T>& e_q) {
          const T drive = Hinge::kTurns == 1 ? -Dot(motion.axis(), e_m) : Dot(motion.axis(), e_q);
          y[i] = drive;
          z[i] = drive * pivots.rotation.inverse_d.x;
          e_m = e_m + drive * hinge.g_alpha();
          e_q = e_q - drive * hinge.g_a();
          return drive * hinge.epsilon();
        });
      } else if constexpr (Hinge::kSlides == 0) {
        pass([&](int i, Vec<T>& e_m, Vec<T>& e_q) {
          const Vec<T> v = Forward(pivots.rotation, e_m);
          put(i, v, y);
          put(i, Scaled(pivots.rotation, v), z);
          const T added = Dot(e_m, hinge.k);
          e_q = e_q + hinge.K_t * e_m;
          e_m = {};
          return added;
        });
      } else {
        pass([&](int i, Vec<T>& e_m, Vec<T>& e_q) {
          Vec<T> v = Forward(pivots.rotation, e_m);
          put(i, v, y);
          put(i, Scaled(pivots.rotation, v), z);
          // e_m . k + (e_q + K' e_m) . a, with k = -(alpha + K a)
          const T added = Dot(e_q, hinge.a()) - Dot(e_m, hinge.alpha());
          e_q = e_q + pivots.K_t * e_m;
          v = Forward(pivots.translation, e_q);
          put(i, v, y + 3 * size);
          put(i, Scaled(pivots.translation, v), z + 3 * size);
          e_m = e_q = {};
          return added;
        });
      }
      if constexpr (Hinge::kRates > 0) AddProducts<Hinge::kRates>(runs, y, z, size, matrix);
    });
  }
}

template <class T>
void RiccatiLoopColumns<T>::Apply(const JointTree& tree, SweepSpace<T>& space) {
  using namespace general_sweep;
  for (std::size_t k = 0; k + 1 < paths_.stops().size(); ++k) {
    const LoopPaths::Stop& stop = paths_.stops()[k];
    const TreeElement& element = tree.elements[At(stop.element) - 1];
    const ElementMotion<T>& motion = space.motions[At(stop.element)];
    HingeSolution<T>& hinge = space.hinges[At(stop.element)];
    const HingePivots<T>& pivots = space.pivots[At(stop.element)];
    Vec<T> e_m = solution_[k].e_m, e_q = solution_[k].e_q;
    ForHinge(element, [&](auto joint) {
      using Hinge = decltype(joint);
      const Factors<T>&f = pivots.rotation, &g = pivots.translation;
      if constexpr (Hinge::kOneAxis) {
        const T drive = Hinge::kTurns == 1 ? -Dot(motion.axis(), e_m) : Dot(motion.axis(), e_q);
        hinge.epsilon() = hinge.epsilon() + drive * f.inverse_d.x;
        e_m = e_m + drive * hinge.g_alpha();
        e_q = e_q - drive * hinge.g_a();
      } else if constexpr (Hinge::kTurnsFreely && Hinge::kSlides == 0) {
        hinge.k = hinge.k + Backward(f, Scaled(f, Forward(f, e_m)));
        e_q = e_q + hinge.K_t * e_m;
        e_m = {};
      } else if constexpr (Hinge::kTurnsFreely) {
        e_q = e_q + pivots.K_t * e_m;
        const Vec<T> a = Backward(g, Scaled(g, Forward(g, e_q)));
        hinge.K_t.x =
            hinge.K_t.x - TransposeTimes(pivots.K_t, a) - Backward(f, Scaled(f, Forward(f, e_m)));
        hinge.K_t.y = hinge.K_t.y + a;
        e_m = e_q = {};
      }
    });
    LoopForce<T>& outboard = solution_[At(stop.parent)];
    outboard.e_q = outboard.e_q + e_q;
    outboard.e_m = outboard.e_m + e_m - Cross(motion.d, e_q);
  }
}

}  // namespace mbsbench
