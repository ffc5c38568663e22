# Writes the commit that is being built into OUTPUT; touches it only when that changed. Called in each build.
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=12 --dirty --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")  # not a clone: an archive of the sources
endif()
set(text "#include \"harness/runner/process/build_info.h\"

namespace mbsbench {

const char* const kCommit = \"${commit}\";

}  // namespace mbsbench
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
