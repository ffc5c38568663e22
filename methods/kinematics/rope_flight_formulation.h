// A rope flight in the coordinates of its tree: y = [x, y of the body, an angle per link; their rates]. The part that all
// methods share: phases and events of the law, growth by a link, power, and the reactions from accelerations.
#pragma once

#include <algorithm>
#include <vector>

#include "methods/growth/events.h"
#include "methods/interface/formulation.h"
#include "methods/kinematics/rope_flight_law.h"
#include "problems/model/rope_flight.h"

namespace mbsbench {

class RopeFlightFormulation : public OdeFormulation, public HasPower, public HasEvents {
 public:
  explicit RopeFlightFormulation(const System& system) : start_(system), law_(system) {}

  std::size_t state_size() const final { return 2 * (kLead + links()); }
  std::vector<Dimension> Dimensions() const final {
    std::vector<Dimension> dimensions(state_size(), Dimension::kNumber);
    const auto rates = dimensions.begin() + static_cast<std::ptrdiff_t>(state_size() / 2);
    std::fill(rates, dimensions.end(), Dimension::kRate);
    std::fill_n(dimensions.begin(), kLead, Dimension::kLength);
    std::fill_n(rates, kLead, Dimension::kSpeed);
    return dimensions;
  }
  Status Initialise(double, const SystemState& state, std::span<double> y) final {
    law_ = RopeFlightLaw(start_);
    const auto links_out = static_cast<std::size_t>(LinkCount(start_));
    if (links() != links_out) Prepare(links_out);  // a flight before this one
    const BodyState& body = state.bodies[0];
    double* const u = y.data() + kLead + links();
    y[0] = body.position.x, y[1] = body.position.y;
    u[0] = body.velocity.x, u[1] = body.velocity.y;
    PutLinks(state.bodies, y.data() + kLead, u + kLead);
    return {};
  }

  HasEvents* events() final { return this; }
  std::size_t event_count() const final { return kRopeFlightEvents; }
  void Events(double t, std::span<const double> y, std::span<double> g) final {
    law_.Events(t, {y[0], y[1], 0}, LastNode(y), g);
  }
  EventReport Apply(std::size_t event, double t, std::vector<double>& y) final {
    Status status;
    if (event == kCapture) {
      SetNodes(y);
      status = Capture(t, y);
    }
    law_.Pass(event);
    return RopeFlightLaw::Report(event, status);
  }

  HasPower* power() final { return this; }
  double Power(double t, std::span<const double> y) final {
    SetNodes(y);
    law_.Forces(t, position_, velocity_, force_);
    return law_.Power(t, position_, velocity_, force_);
  }

 protected:
  static constexpr std::size_t kLead = 2;  // x and y of the body

  // Number of links that are out; Resize fits the arrays of the nodes to it.
  std::size_t links() const { return position_.size() - 1; }
  void Resize(std::size_t links) {
    for (auto* nodes : {&position_, &velocity_, &force_}) nodes->resize(links + 1);
  }

  // Prepares the equations for a number of links and calls Resize; the constructor must call it
  // too.
  virtual void Prepare(std::size_t links) = 0;
  // The angle and its rate of each link.
  virtual void PutLinks(const std::vector<BodyState>& bodies, double* angles, double* rates) = 0;
  // position_ and velocity_ at y; the last position alone.
  virtual void SetNodes(std::span<const double> y) = 0;
  virtual Vector3 LastNode(std::span<const double> y) const = 0;
  // The node in the box joins at rest, after SetNodes: y with one more link, with the rates nearest to all
  // velocities.
  virtual Status Capture(double t, std::vector<double>& y) = 0;

  // From the last node to the body; a massless link transmits the force that its node does not need. Call after
  // force_ is set.
  void SetReactions(double t, Observation& observation) const {
    observation.reactions.assign(links() + 1, {});
    Vector3 beyond;
    for (std::size_t i = links() + 1; i-- > 0;) {
      const double m = i == 0 ? law_.body_mass(t) : law_.node_mass();
      const Vector3 needed = m * (observation.accelerations[i].acceleration - start_.gravity);
      beyond = beyond + needed - force_[i];
      observation.reactions[i].force = beyond;
    }
  }

  const System start_;
  RopeFlightLaw law_;
  std::vector<Vector3> position_, velocity_,
      force_;  // on the nodes: the body, then the far end of each link
};

}  // namespace mbsbench
