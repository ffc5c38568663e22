#include "harness/runner/process/child.h"

#include <unistd.h>

#include <new>

#include "harness/records/json_codec.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

TrialResult Ended(Outcome outcome, std::string reason) {
  TrialResult result;
  result.ending = {outcome, std::move(reason)};
  return result;
}

}  // namespace

int SendResult(const std::function<TrialResult()>& carry) {
  TrialResult result;
  try {
    result = carry();
  } catch (const std::bad_alloc&) {
    result = Ended(Outcome::kOutOfMemory, "an allocation was refused at the memory limit");
  } catch (const EvaluationFailed& failed) {
    result = Ended(failed.ending().outcome, failed.ending().reason);
  } catch (const ModelError& error) {
    result = Ended(Outcome::kUnsupported, error.what());
  } catch (const std::exception& error) {
    result = Ended(Outcome::kCrashed, std::string("exception: ") + error.what());
  } catch (...) {
    result = Ended(Outcome::kCrashed, "an exception that is not a std::exception");
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
