#include <algorithm>
#include <cmath>

#include "problems/model/error.h"
#include "reference/certificate.h"
#include "reference/certificate_paths.h"
#include "reference/closed_forms/closed_form.h"
#include "reference/reference.h"
#include "reference/trajectory.h"

namespace mbsbench {

namespace {

// Sample times that differ by round-off are the same.
bool Same(double a, double b) { return std::abs(a - b) <= 1e-15 * std::max(1.0, std::abs(a)); }

// Keeps the sample times and bodies of the problem.
void RestrictTo(const Problem& problem, Reference& reference) {
  const std::vector<int> wanted = extended::StoredBodies(problem);
  std::vector<std::size_t> kept;
  std::vector<int> bodies;
  for (std::size_t i = 0; i < reference.bodies.size(); ++i) {
    if (std::find(wanted.begin(), wanted.end(), reference.bodies[i]) == wanted.end()) continue;
    kept.push_back(i);
    bodies.push_back(reference.bodies[i]);
  }
  std::vector<ReferenceSample> samples;
  for (const ReferenceSample& stored : reference.samples) {
    const auto& times = problem.sample_times;
    if (std::none_of(times.begin(), times.end(), [&](double t) { return Same(t, stored.time); }))
      continue;
    ReferenceSample sample;
    sample.time = stored.time;
    sample.reactions = stored.reactions;
    sample.state_sensitivity = stored.state_sensitivity;
    sample.data_sensitivity = stored.data_sensitivity;
    for (std::size_t i : kept) {
      sample.bodies.push_back(stored.bodies[i]);
      sample.remainders.push_back(stored.remainders[i]);
    }
    samples.push_back(std::move(sample));
  }
  reference.bodies = std::move(bodies);
  reference.samples = std::move(samples);
}

}  // namespace

std::optional<Reference> FindReference(const Problem& problem, std::string* why_not) {
  const auto none = [&](const std::string& why) {
    if (why_not != nullptr) *why_not = why;
    return std::nullopt;
  };
  if (std::optional<Reference> closed = extended::ClosedForm(problem)) return closed;
  // The first existing file decides, so that no reference of a user is ignored silently.
  for (const std::filesystem::path& file : CertificatePaths(problem)) {
    if (!std::filesystem::exists(file)) continue;
    try {
      Reference reference = ReadCertificate(file, problem);
      RequireExact(reference);
      RestrictTo(problem, reference);
      if (!reference.samples.empty() && !reference.bodies.empty()) return reference;
      return none("the certificate " + file.string() +
                  " contains none of the requested sample times or bodies.");
    } catch (const ModelError& e) {
      return none(e.what());
    }
  }
  return none("no reference is stored for '" + problem.name +
              "': there is no closed form, and no " + CertificatePath(problem).string() + ".");
}

namespace {

// The observable with the indices of its bodies in the reference.
std::optional<Observable> Stored(const Reference& reference, Observable observable) {
  const auto held = static_cast<int>(reference.bodies.size());
  const auto place = [&](int body) {
    return static_cast<int>(std::find(reference.bodies.begin(), reference.bodies.end(), body) -
                            reference.bodies.begin());
  };
  observable.body = place(observable.body);
  if (observable.relative_to != kGround) observable.relative_to = place(observable.relative_to);
  if (observable.body == held || observable.relative_to == held) return {};
  return observable;
}

}  // namespace

std::optional<double> ValueIn(const Reference& reference, const Observable& observable,
                              double time) {
  const std::optional<Observable> stored = Stored(reference, observable);
  if (!stored) return {};
  for (const ReferenceSample& sample : reference.samples) {
    if (Same(sample.time, time)) return Evaluate(*stored, sample.bodies, sample.time);
  }
  return {};
}

std::optional<double> ValueIn(const Reference& reference, const Observable& observable,
                              const PublishedValue& value) {
  if (value.event.empty()) return ValueIn(reference, observable, value.time);
  const std::optional<Observable> stored = Stored(reference, observable);
  if (!stored) return {};
  for (const ReferenceEvent& event : reference.events) {
    if (event.name == value.event) return Evaluate(*stored, event.bodies, event.time);
  }
  return {};
}

}  // namespace mbsbench
