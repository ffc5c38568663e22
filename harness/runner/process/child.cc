#include "harness/runner/process/child.h"

#include <unistd.h>

#include <new>

#include "harness/records/json_codec.h"
#include "problems/model/error.h"

namespace mbsbench {

int SendResult(const std::function<TrialResult()>& carry) {
  TrialResult result;
  try {
    result = carry();
  } catch (const std::bad_alloc&) {
    result.ending = {Outcome::kOutOfMemory, "an allocation was refused at the memory limit"};
  } catch (const EvaluationFailed& failed) {
    result.ending = failed.ending;
  } catch (const ModelError& error) {
    result.ending = {Outcome::kUnsupported, error.what()};
  } catch (const std::exception& error) {
    result.ending = {Outcome::kCrashed, std::string("exception: ") + error.what()};
  } catch (...) {
    result.ending = {Outcome::kCrashed, "an exception that is not a std::exception"};
  }
  const std::string text = ToJson(result).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(kRecordDescriptor, text.data() + sent, text.size() - sent);
    if (n <= 0) return 1;
    sent += static_cast<std::size_t>(n);
  }
  return 0;
}

}  // namespace mbsbench
