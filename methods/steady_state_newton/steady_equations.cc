#include "methods/steady_state_newton/steady_equations_inline.h"

namespace mbsbench::steady {

template class SteadyEquations<double>;

}  // namespace mbsbench::steady
