// States that the arrays of a loop do not overlap, which the compiler cannot prove for many arrays:
// without it the loop is not vectorised.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#define MBS_NO_ALIAS_LOOP _Pragma("GCC ivdep")
#else
#define MBS_NO_ALIAS_LOOP
#endif
