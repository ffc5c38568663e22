#include "methods/tree_motion/tree_motion.h"

namespace mbsbench {

template class TreeMotion<double>;

}  // namespace mbsbench
