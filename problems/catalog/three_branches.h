// The tree of Rui et al. 2018 that `tree12`, `mixed12` and `mixed250` share: three branch subsystems,
// of which the mixed systems close one into a loop.
//
//                      ceiling
//                         |          mixed250: trunk 499 ... 27, 25 between the ceiling and 23
//                         | 23
//           ------21------+-----------        2 m, 2 kg; hangs on its centre
//           |                        |
//     --17--+-----              --18-+------
//     |          |              |          |
//     | 9        | 10           | 11       | 12       gravity along -y
//     |          |              |          |
//     | 1         \ 2        3 /           | 4
//     |            \          /            |
//                       24: joins the tips of 2 and 3 in the mixed systems
#pragma once

#include "problems/model/problem.h"

namespace mbsbench {

// The problem without names, texts, times and tiers. Bodies 1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 21, 23
// in this order, then `trunk` more above 23. Point (0, 0, 0) is the upper end of 23. The branches
// rotate about it at (0.3, 0.5, 0.2) rad/s, and the trunk is at rest.
Problem ThreeBranches(int trunk, bool joins_tips);

// Index of a body by its label up to 23.
int BodyOfThreeBranches(int label);

}  // namespace mbsbench
