#include "commands/observed_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/io/vocabulary.h"
#include "problems/model/error.h"
#include "problems/model/joint_at.h"
#include "problems/model/names.h"

namespace mbsbench {

namespace {

// "angle_rad"; of several numbers "position_m_x", "quaternion_wxyz_w", "angles_rad_1".
std::vector<std::string> NamesOf(const std::vector<CoordinateField>& fields) {
  std::vector<std::string> names;
  for (const CoordinateField& field : fields) {
    for (int k = 0; k < field.size; ++k) {
      std::string name(field.name);
      if (field.is_quaternion)
        name += fmt::format("_{}", "wxyz"[k]);
      else if (field.size == 3)
        name += fmt::format("_{}", "xyz"[k]);
      else if (field.size > 1)
        name += fmt::format("_{}", k + 1);
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace

ObservedColumns::ObservedColumns(const System& system, const SystemState& initial,
                                 const std::string& wanted, bool has_algorithmic)
    : system_(system),
      has_algorithmic_(has_algorithmic),
      sampled_(system, initial.joints, 0, initial.bodies, SampledJoints::Followed::kAllAngles) {
  std::vector<std::string> known;
  std::vector<std::string> names;
  for (std::size_t at = 0, end; at <= wanted.size() && !wanted.empty(); at = end + 1) {
    end = std::min(wanted.find(',', at), wanted.size());
    names.push_back(wanted.substr(at, end - at));
  }
  const bool all = std::ranges::find(names, "all") != names.end();
  // Names that hold commas were divided there.
  const std::string list = "," + wanted + ",";
  const auto is_listed = [&list](const std::string& name) {
    return list.find("," + name + ",") != std::string::npos;
  };
  const auto is_wanted = [&](const std::string& name) {
    known.push_back(name);
    return all || is_listed(name);
  };
  const auto choose = [&is_wanted](const auto& things, std::vector<std::size_t>& chosen,
                                   std::size_t first = 0) {
    for (std::size_t i = 0; i < things.size(); ++i) {
      if (is_wanted(things[i].name)) chosen.push_back(first + i);
    }
  };
  choose(system.joints, joints_);
  choose(system.loop_joints, joints_, system.joints.size());
  for (ForceOutputs& force : ForceOutputsOf(system)) {
    if (is_wanted(force.element)) forces_.push_back(std::move(force));
  }
  choose(system.drivers, drivers_);
  for (const std::string& name : names) {
    const auto holds_it = [&](const std::string& whole) {
      return is_listed(whole) && ("," + whole + ",").find("," + name + ",") != std::string::npos;
    };
    if (name == "all" || std::ranges::any_of(known, holds_it)) continue;
    if (name.empty()) {
      throw ModelError("--observe: a name is missing in '" + wanted +
                       "': state names with one comma between two, or all.");
    }
    throw ModelError("--observe: there is no joint, spring or driver '" + name + "'." +
                     Suggestion(name, known));
  }

  for (std::size_t j : joints_) AddJoint(j);
  for (const ForceOutputs& force : forces_) {
    for (const std::string& name : force.names) names_.push_back(force.element + "." + name);
  }
  for (std::size_t k : drivers_) {
    const Driver& driver = system.drivers[k];
    const bool slides = IsLength(system.joints[static_cast<std::size_t>(driver.joint)].type, 0);
    names_.push_back(driver.name + (slides ? ".effort_N" : ".effort_N_m"));
  }
}

void ObservedColumns::AddJoint(std::size_t j) {
  const bool in_tree = j < system_.joints.size();
  const Joint& joint = JointAt(system_, j);
  std::vector<std::string> names;
  if (in_tree) {
    const CoordinateFields& fields = CoordinateFieldsOf(joint.type);
    names = NamesOf(fields.q);
    for (const std::string& rate : NamesOf(fields.u)) names.push_back(rate);
  }
  for (const char* series : {"", "algorithmic_"}) {
    if (*series != 0 && !has_algorithmic_) continue;
    for (const char* reaction :
         {"force_x_N", "force_y_N", "force_z_N", "torque_x_N_m", "torque_y_N_m", "torque_z_N_m"})
      names.push_back(std::string(series) + reaction);
  }
  for (const std::string& name : names) names_.push_back(joint.name + "." + name);
}

const std::vector<double>& ObservedColumns::ValuesOf(double time, const Observation& observation) {
  sampled_.MoveTo(time, observation.bodies);
  if (!turns_lost_at_ && !sampled_.known()) turns_lost_at_ = time;
  const JointState& state = sampled_.joints();
  const JointOffsets at = OffsetsOf(system_);
  values_.clear();
  const auto append = [this](const std::vector<double>& from, int begin, int end) {
    values_.insert(values_.end(), from.begin() + begin, from.begin() + end);
  };
  for (std::size_t j : joints_) {
    if (j < system_.joints.size()) {
      append(state.q, at.q[j], at.q[j + 1]);
      append(state.u, at.u[j], at.u[j + 1]);
    }
    for (const auto* series : {&observation.reactions, &observation.algorithmic_reactions}) {
      if (series == &observation.algorithmic_reactions && !has_algorithmic_) continue;
      const Vector3 none{NAN, NAN, NAN};
      const bool has = j < series->size();  // an engine may give none
      const Vector3 force = has ? (*series)[j].force : none;
      const Vector3 torque = has ? (*series)[j].torque : none;
      values_.insert(values_.end(), {force.x, force.y, force.z, torque.x, torque.y, torque.z});
    }
  }
  for (const ForceOutputs& force : forces_)
    force.append({time, observation.bodies, state}, values_);
  for (std::size_t k : drivers_)
    values_.push_back(k < observation.drivers.size() ? observation.drivers[k].effort : NAN);
  return values_;
}

std::optional<std::string> ObservedColumns::NotKnown() const {
  if (!turns_lost_at_) return std::nullopt;
  return fmt::format(
      "angles are not known from t = {:.6g} s on, as the samples are too far apart to count their "
      "turns; give an earlier end",
      *turns_lost_at_);
}

}  // namespace mbsbench
