// The arrays that a loop reads and writes never overlap, which the compiler cannot see for many of them:
// without this word before the loop it does not vectorise.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#define MBS_NO_ALIAS_LOOP _Pragma("GCC ivdep")
#else
#define MBS_NO_ALIAS_LOOP
#endif
