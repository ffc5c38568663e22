// The two types of a body that save memory: a shape that bodies share, and an inertia of six numbers.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "problems/model/system.h"

namespace mbsbench {
namespace {

TEST(SymmetricMatrix3, StoresOneNumberForEachPairOfMirroredElements) {
  SymmetricMatrix3 inertia;
  double number = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) inertia(i, j) = ++number;
  }
  EXPECT_EQ(inertia.entries, (std::array<double, 6>{1, 2, 3, 4, 5, 6}));
  const Matrix3 whole = inertia;
  EXPECT_EQ(whole.m, (std::array<double, 9>{1, 2, 3, 2, 4, 5, 3, 5, 6}));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_EQ(inertia(j, i), whole(i, j)) << i << ", " << j;
  }
}

TEST(BodyShape, IsEmptyByDefault) {
  const BodyShape none;
  EXPECT_EQ(none->kind, Shape::Kind::kNone);
  EXPECT_EQ(*none, Shape());
}

TEST(BodyShape, IsSharedByConsecutiveBodiesOfEqualShape) {
  const Shape rod{Shape::Kind::kRod, {0, 0, 0}, {1, 0, 0}, 0.1};
  Shape thicker = rod;
  thicker.radius = 0.2;
  const BodyShape first(rod), second(rod), third(thicker), copy = third;
  EXPECT_EQ(&*first, &*second);
  EXPECT_NE(&*first, &*third);
  EXPECT_EQ(&*copy, &*third);
  EXPECT_EQ(*first, rod);
  EXPECT_EQ(*third, thicker) << "a later shape changes no earlier one";
  EXPECT_EQ(&*BodyShape(rod), &*first) << "rails and rungs in turn";
}

TEST(BodyShape, PreservesTheSignsOfZeros) {
  const BodyShape first(Shape{Shape::Kind::kRod, {0, 0, 0}, {1, 0, 0}, 0.1}),
      second(Shape{Shape::Kind::kRod, {-0.0, 0, 0}, {1, 0, 0}, 0.1});
  EXPECT_FALSE(std::signbit(first->a.x));
  EXPECT_TRUE(std::signbit(second->a.x));
}

}  // namespace
}  // namespace mbsbench
