// Eight numbers at once compared with plain loops over them. Built for this processor, and for processors without AVX-512 and without
// AVX, whose vectors are narrower.
#include "methods/numerics/eight_lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <utility>

#if defined(EIGHT_LANES_IN_TWO_VECTORS) && defined(__AVX512F__)
#error "these flags select one vector"
#endif

namespace mbsbench {
namespace {

using Numbers = std::array<double, 8>;

// All numbers, sums and differences are distinct.
constexpr Numbers kA{1, -2, 4, -8, 16, -32, 64, -128}, kB{3, 5, -7, 11, -13, 17, 19, -23};

Eight Of(const Numbers& numbers) {
  Eight eight;
  for (std::size_t i = 0; i < 8; ++i) eight.data()[i] = numbers[i];
  return eight;
}

Numbers In(const Eight& eight) {
  Numbers numbers;
  for (std::size_t i = 0; i < 8; ++i) numbers[i] = eight.data()[i];
  return numbers;
}

template <class Number>
Numbers EachOf(Number number) {
  Numbers numbers;
  for (std::size_t i = 0; i < 8; ++i) numbers[i] = number(i);
  return numbers;
}

// Calls `check` with each place as a constant.
template <std::size_t... places, class Check>
void ForPlaces(std::index_sequence<places...>, Check check) {
  (check.template operator()<static_cast<int>(places)>(), ...);
}

TEST(EightLanes, AreStoredInOrder) {
  EXPECT_EQ(sizeof(Eight), sizeof(Numbers));
  EXPECT_EQ(In(Eight()), Numbers{});
  EXPECT_EQ(In(Eight(2.5)), EachOf([](std::size_t) { return 2.5; }));
  EXPECT_EQ(In(Eight(1, 2, 3, 4, 5, 6)), (Numbers{1, 2, 3, 4, 5, 6, 0, 0}));
  EXPECT_EQ(In(Eight(1, 2, 3, 4, 5, 6, 7)), (Numbers{1, 2, 3, 4, 5, 6, 7, 0}));
  EXPECT_EQ(In(Of(kA)), kA);
}

TEST(EightLanes, AddSubtractAndMultiplyLaneByLane) {
  const Eight a = Of(kA), b = Of(kB);
  EXPECT_EQ(In(a + b), EachOf([](std::size_t i) { return kA[i] + kB[i]; }));
  EXPECT_EQ(In(a - b), EachOf([](std::size_t i) { return kA[i] - kB[i]; }));
  EXPECT_EQ(In(a * b), EachOf([](std::size_t i) { return kA[i] * kB[i]; }));
  EXPECT_EQ(In(3.0 * b), EachOf([](std::size_t i) { return 3 * kB[i]; }));
}

TEST(EightLanes, SumToTheSumOfAllNumbers) {
  EXPECT_EQ(Sum(Of(kA)), 1 - 2 + 4 - 8 + 16 - 32 + 64 - 128);
  for (std::size_t k = 0; k < 8; ++k) {
    Numbers one{};
    one[k] = 3;
    EXPECT_EQ(Sum(Of(one)), 3) << k;
  }
}

TEST(EightLanes, ProductsWithSixNumbersAddUpInPairs) {
  const Six six({kB[0], kB[1], kB[2]}, {kB[3], kB[4], kB[5]});
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(six.data()[i], kB[i]) << i;
  const Six::Two sum = AddProducts(Of(kA), six, Six::Two{100, 1000});
  EXPECT_EQ(sum[0], 100 + kA[0] * kB[0] + kA[2] * kB[2] + kA[4] * kB[4]);
  EXPECT_EQ(sum[1], 1000 + kA[1] * kB[1] + kA[3] * kB[3] + kA[5] * kB[5]);
}

TEST(EightLanes, PlaceThreeNumbersAfterThreeZeros) {
  EXPECT_EQ(In(AfterThree({1, 2, 3})), (Numbers{0, 0, 0, 1, 2, 3, 0, 0}));
}

// A force that acts through the origin of the child has the moment r x f about that of the parent.
TEST(EightLanes, ShiftAForceWithItsMoment) {
  const Vec<double> r{2, 3, 5}, f{kA[3], kA[4], kA[5]}, moment = Cross(r, f);
  const Numbers moved{moment.x, moment.y, moment.z, f.x, f.y, f.z, 0, 0};
  const Shift with_force(r, 1), moment_only(r, 0);
  EXPECT_EQ(In(with_force.Of(Of(kA))), moved);
  EXPECT_EQ(In(moment_only.AddedTo(Of(kA))),
            EachOf([&](std::size_t i) { return kA[i] + (i < 3 ? moved[i] : 0); }));
}

TEST(EightLanes, ReadOneNumberAndBroadcastIt) {
  ForPlaces(std::make_index_sequence<8>(), []<int place>() {
    const double number = kA[static_cast<std::size_t>(place)];
    EXPECT_EQ(Number<place>(Of(kA)), number) << place;
    EXPECT_EQ(In(Splat<place>(Of(kA))), EachOf([number](std::size_t) { return number; })) << place;
  });
  ForPlaces(std::make_index_sequence<4>(), []<int place>() {
    const Lanes splat = Splat<place>(Lanes(Lanes::Vector{kA[0], kA[1], kA[2], kA[3]}));
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(splat.v[i], kA[static_cast<std::size_t>(place)]) << place << ", " << i;
  });
}

TEST(EightLanes, ReplaceOneNumberAndKeepTheOthers) {
  for (int k = 0; k < 8; ++k) {
    Numbers expected = kA;
    expected[static_cast<std::size_t>(k)] = 0.5;
    EXPECT_EQ(In(InPlace(k, 0.5, Of(kA))), expected) << k;
  }
}

TEST(EightLanes, KeepTheFirstSixNumbersRightOfAPlaceAndZerosElsewhere) {
  ForPlaces(std::make_index_sequence<7>(), []<int place_and_1>() {
    constexpr int kPlace = place_and_1 - 1;  // from -1 on: all six
    EXPECT_EQ(In(RightOf<kPlace>(Of(kA))), EachOf([](std::size_t i) {
                return static_cast<int>(i) > kPlace && i < 6 ? kA[i] : 0;
              }))
        << kPlace;
  });
}

class BlockOfEightLanes : public testing::Test {
 protected:
  static double Entry(std::size_t row, std::size_t column) {
    return static_cast<double>(10 * (row + 1) + column);
  }
  static Eight RowOf(std::size_t row) {
    return Of(EachOf([row](std::size_t column) { return Entry(row, column); }));
  }
  static std::array<Numbers, 6> Rows(const Block& block) {
    return {In(block.n.x), In(block.n.y), In(block.n.z),
            In(block.f.x), In(block.f.y), In(block.f.z)};
  }
  const Block block_{{RowOf(0), RowOf(1), RowOf(2)}, {RowOf(3), RowOf(4), RowOf(5)}};
};

TEST_F(BlockOfEightLanes, AddsRowByRow) {
  const std::array<Numbers, 6> sum =
      Rows(block_ + Block{{Of(kA), Of(kB), Of(kA)}, {Of(kB), Of(kB), Of(kA)}});
  const Numbers* const added[] = {&kA, &kB, &kA, &kB, &kB, &kA};
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_EQ(sum[row], EachOf([&](std::size_t column) {
                return Entry(row, column) + (*added[row])[column];
              }))
        << row;
  }
}

TEST_F(BlockOfEightLanes, TransposesSixRowsAndColumnsAndFillsTheRestWithZeros) {
  const std::array<Numbers, 6> transposed = Rows(Transposed(block_));
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_EQ(transposed[row],
              EachOf([row](std::size_t column) { return column < 6 ? Entry(column, row) : 0; }))
        << row;
  }
}

}  // namespace
}  // namespace mbsbench
