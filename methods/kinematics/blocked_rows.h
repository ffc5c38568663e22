// The constraint rows of a joint between two bodies, in any coordinates.
//
//   C, P: origins of the joint frames on child and parent;  d = C - P;  x_p, ... and x_c, ...: axes
//
//   ball        the three components of d
//   universal   those of a ball, z_p.x_c
//   revolute    those of a ball, x_p.z_c, y_p.z_c
//   fixed       those of a ball, x_p.z_c, y_p.z_c, y_p.x_c
//   prismatic   d.x_p, d.y_p and the three products of `fixed`
//   cylindrical d.x_p, d.y_p and the two products of `revolute`
//   planar      d.z_p and the two products of `revolute`
//   distance    |d| less the length
//   free        none
#pragma once

#include <array>
#include <span>

#include "problems/model/system.h"

namespace mbsbench {

struct BlockedRows {
  struct Product {
    int on_parent, on_child;  // axes: 0, 1, 2
  };

  // In this order.
  bool keeps_distance = false;
  // The number of components of d: 3, along axes of any body; 2, along the parent's x and y; or 1, along its z.
  int lengths = 0;
  std::array<Product, 3> product{};
  int product_count = 0;

  std::span<const Product> products() const {
    return {product.data(), static_cast<std::size_t>(product_count)};
  }
  int size() const { return lengths + product_count + (keeps_distance ? 1 : 0); }
};

BlockedRows BlockedRowsOf(JointType type);

}  // namespace mbsbench
