#include "problems/io/write_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "problems/io/model_file.h"
#include "problems/io/vocabulary.h"
#include "problems/model/error.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

// The shortest text that reads back as the same double.
std::string JsonText(double value) {
  if (value == 0 && std::signbit(value)) return "-0.0";  // an integer 0 would lose its sign
  return fmt::format("{}", value);
}

std::string JsonText(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw ModelError("the text '" + text.substr(0, 20) + "...' is not UTF-8: JSON cannot hold it.");
  }
}

std::string JsonText(const double* values, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += fmt::format("{}{}", i > 0 ? ", " : "", JsonText(values[i]));
  return fmt::format("[{}]", text);
}

std::string JsonText(const Vector3& v) {
  const double values[] = {v.x, v.y, v.z};
  return JsonText(values, 3);
}

std::string JsonText(const Quaternion& q) {
  const double values[] = {q.w, q.x, q.y, q.z};
  return JsonText(values, 4);
}

std::string JsonText(const std::vector<double>& values) {
  return JsonText(values.data(), static_cast<int>(values.size()));
}

// Defaults are left out if they have the same bits: -0.0 is not a default.
bool Same(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }
bool IsZero(const Vector3& v) { return Same(v.x, 0) && Same(v.y, 0) && Same(v.z, 0); }
bool IsIdentity(const Quaternion& q) {
  return Same(q.w, 1) && Same(q.x, 0) && Same(q.y, 0) && Same(q.z, 0);
}

// An object on one line: {"name": "1", "mass_kg": 1}.
class OneLine {
 public:
  OneLine& Raw(std::string_view key, const std::string& text) {
    text_ += fmt::format("{}\"{}\": {}", text_.empty() ? "" : ", ", key, text);
    return *this;
  }
  template <typename Value>
  OneLine& Put(std::string_view key, const Value& value) {
    return Raw(key, JsonText(value));
  }
  OneLine& PutFlag(std::string_view key, bool value) { return Raw(key, value ? "true" : "false"); }
  OneLine& PutUnless(double fallback, std::string_view key, double value) {
    return Same(value, fallback) ? *this : Put(key, value);
  }
  OneLine& PutUnlessZero(std::string_view key, const Vector3& value) {
    return IsZero(value) ? *this : Put(key, value);
  }
  std::string End() const { return fmt::format("{{{}}}", text_); }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

// The file itself: one field per line, arrays of objects with one object per line.
class Document {
 public:
  void Raw(std::string_view key, const std::string& text) {
    text_ += fmt::format("{}  \"{}\": {}", text_.empty() ? "" : ",\n", key, text);
  }
  template <typename Value>
  void Put(std::string_view key, const Value& value) {
    Raw(key, JsonText(value));
  }
  void PutUnless(double fallback, std::string_view key, double value) {
    if (!Same(value, fallback)) Put(key, value);
  }
  void PutFlag(std::string_view key, bool value) { Raw(key, value ? "true" : "false"); }
  void PutList(std::string_view key, const std::vector<std::string>& items) {
    if (items.empty()) return;
    Raw(key, fmt::format("[\n    {}\n  ]", fmt::join(items, ",\n    ")));
  }
  void Append(const std::string& fields) {
    if (!text_.empty() && !fields.empty()) text_ += ",\n";
    text_ += fields;
  }
  const std::string& fields() const { return text_; }
  std::string End() const { return fmt::format("{{\n{}\n}}\n", text_); }

 private:
  std::string text_;
};

std::string InertiaText(const SymmetricMatrix3& inertia) {
  return OneLine()
      .Put("xx", inertia(0, 0))
      .Put("yy", inertia(1, 1))
      .Put("zz", inertia(2, 2))
      .PutUnless(0, "xy", inertia(0, 1))
      .PutUnless(0, "xz", inertia(0, 2))
      .PutUnless(0, "yz", inertia(1, 2))
      .End();
}

std::string BodyText(const Body& body, bool inertia_as_given) {
  OneLine line;
  line.Put("name", body.name).Put("mass_kg", body.mass);
  const bool no_inertia =
      std::ranges::all_of(body.inertia.entries, [](double value) { return Same(value, 0); });
  if (!(body.is_point && no_inertia)) line.Raw("inertia_kg_m2", InertiaText(body.inertia));
  if (inertia_as_given) line.PutFlag("inertia_as_given", true);
  if (body.is_point) line.PutFlag("is_point", true);
  const Shape& shape = *body.shape;
  OneLine drawn;
  drawn.Put("kind", std::string(NameOf(kShapeKinds, shape.kind)))
      .PutUnlessZero("a_m", shape.a)
      .PutUnlessZero("b_m", shape.b)
      .PutUnless(Shape{}.radius, "radius_m", shape.radius);
  if (drawn.End() != "{\"kind\": \"none\"}") line.Raw("shape", drawn.End());
  return line.End();
}

void PutFrame(OneLine& line, std::string_view key, const Frame& frame) {
  OneLine text;
  text.PutUnlessZero("position_m", frame.position);
  if (!IsIdentity(frame.orientation)) text.Put("quaternion_wxyz", frame.orientation);
  if (!text.empty()) line.Raw(key, text.End());
}

std::string BodyName(const System& system, int body) {
  return body == kGround ? "ground" : system.bodies[static_cast<std::size_t>(body)].name;
}

std::string JointText(const System& system, const Joint& joint) {
  OneLine line;
  line.Put("name", joint.name)
      .Put("type", std::string(NameOf(kJointTypes, joint.type)))
      .Put("parent", BodyName(system, joint.parent))
      .Put("child", BodyName(system, joint.child));
  PutFrame(line, "parent_frame", joint.parent_frame);
  PutFrame(line, "child_frame", joint.child_frame);
  if (joint.type == JointType::kDistance) line.Put("length_m", joint.length);
  return line.End();
}

std::string RopeFlightText(const RopeFlight& flight) {
  OneLine line;
  line.Put("name", flight.name)
      .Put("box_m", flight.box)
      .Put("rail_direction", flight.rail_direction);
  for (const RopeFlightField& field : kRopeFlightFields) {
    if (field.required) {
      line.Put(field.name, flight.*field.value);
    } else {
      line.PutUnless(0, field.name, flight.*field.value);
    }
  }
  return line.End();
}

std::string MotionText(const DriverMotion& motion) {
  const MotionWord& word = WordOf(motion.kind);
  OneLine line;
  line.Put("kind", std::string(word.name));
  for (const MotionField& field : word.fields) {
    if (field.by_default) {
      line.PutUnless(*field.by_default, field.name, motion.*field.value);
    } else {
      line.Put(field.name, motion.*field.value);
    }
  }
  if (word.list.empty()) return line.End();
  std::vector<std::string> terms;
  for (const DriverMotion& term : motion.terms) terms.push_back(MotionText(term));
  if (motion.kind == MotionKind::kPolynomial) {
    line.Put(word.list, motion.coefficients);
  } else if (motion.kind == MotionKind::kArcsine) {
    line.Raw(word.list, terms.front());
  } else {
    line.Raw(word.list, fmt::format("[{}]", fmt::join(terms, ", ")));
  }
  return line.End();
}

// The number, the table or the function of a motor.
std::string EffortText(const EffortOverTime& effort) {
  if (!effort.table.empty()) {
    std::vector<std::string> knots;
    for (const auto& [time, value] : effort.table)
      knots.push_back(fmt::format("[{}, {}]", JsonText(time), JsonText(value)));
    return fmt::format("[{}]", fmt::join(knots, ", "));
  }
  const DriverMotion& function = effort.function;
  if (function.kind == MotionKind::kPolynomial && function.coefficients.size() == 1)
    return JsonText(function.coefficients.front());
  return MotionText(function);
}

// The fields of a force element; those of value 0 are left out.
class ElementLine : public FieldVisitor {
 public:
  ElementLine(const System& system, const std::string& name) : system_(system) {
    line_.Put("name", name);
  }

  void BodyOrGround(std::string_view key, int body) { line_.Put(key, BodyName(system_, body)); }
  void Body(std::string_view key, int body) { BodyOrGround(key, body); }
  void Joint(int index) {
    const mbsbench::Joint& joint = system_.joints[static_cast<std::size_t>(index)];
    turns_ = !IsLength(joint.type, 0);
    line_.Put("joint", joint.name);
  }
  void Point(std::string_view key, int, const Vector3& point) {
    Vector(key, Quantity::kLength, 0, point);
  }
  void Direction(std::string_view key, const Vector3& direction) { line_.Put(key, direction); }
  void Vector(std::string_view key, Quantity quantity, int, const Vector3& v) {
    line_.PutUnlessZero(Key(key, quantity), v);
  }
  void Number(std::string_view key, Quantity quantity, double value) {
    line_.PutUnless(0, Key(key, quantity), value);
  }
  void OnFrame(std::string_view key, int, const Frame& frame) { PutFrame(line_, key, frame); }
  void PerAxis(std::string_view key, Quantity quantity, const Vector3& v) {
    Vector(key, quantity, 0, v);
  }
  void Flag(std::string_view key, bool value) {
    if (value) line_.PutFlag(key, true);
  }
  void Effort(bool turns, const EffortOverTime& effort) {
    line_.Raw(EffortField(turns), EffortText(effort));
  }
  std::string End() const { return line_.End(); }

 private:
  std::string Key(std::string_view key, Quantity quantity) const {
    return std::string(key).append(EndingOf(quantity, turns_));
  }

  const System& system_;
  OneLine line_;
  bool turns_ = false;
};

template <class Law>
std::string ElementText(const System& system, const Law& element) {
  ElementLine line(system, element.name);
  VisitFields(element, line);
  return line.End();
}

std::string DriverJson(const System& system, const Driver& d) {
  const Joint& joint = system.joints[static_cast<std::size_t>(d.joint)];
  OneLine line;
  line.Put("name", d.name).Put("joint", joint.name);
  if (d.motion.kind == MotionKind::kConstantRate) {
    line.Put(DriverSpeedField(joint.type), d.motion.rate);
  } else {
    line.Raw("motion", MotionText(d.motion));
  }
  return line.End();
}

std::string EquilibriumText(const System& system, const Equilibrium& e) {
  std::vector<std::string> coordinates;
  for (const Equilibrium::Coordinate& c : e.coordinates) {
    const Joint& joint = system.joints[static_cast<std::size_t>(c.joint)];
    coordinates.push_back(OneLine()
                              .Put("joint", joint.name)
                              .Put(CoordinateFieldsOf(joint.type).q.front().name, c.value)
                              .PutUnless(0, "last_digit", c.last_digit)
                              .End());
  }
  OneLine line;
  line.Put("speed", e.speed);
  line.Raw("coordinates", fmt::format("[{}]", fmt::join(coordinates, ", ")));
  if (!e.stable) line.PutFlag("stable", false);
  line.Put("kind", std::string(NameOf(kPublishedKinds, e.kind)));
  if (!e.source.empty()) line.Put("source", e.source);
  return line.End();
}

void PutCoordinates(OneLine& line, const std::vector<CoordinateField>& fields, const double* from) {
  for (const CoordinateField& field : fields) {
    if (field.size == 1) {
      line.Put(field.name, *from);
    } else {
      line.Raw(field.name, JsonText(from, field.size));
    }
    from += field.size;
  }
}

// All joints that have coordinates, in their order; where the dependent ones are listed in another
// order (which the assembly keeps), they follow in their own order.
std::vector<std::string> InitialStateText(const Problem& problem) {
  const System& system = problem.system;
  const InitialCondition& initial = problem.initial;
  const JointOffsets at = OffsetsOf(system);
  const std::vector<int>& dependent = initial.dependent_joints;
  std::vector<char> is_dependent(system.joints.size(), 0);
  for (int j : dependent) is_dependent[static_cast<std::size_t>(j)] = 1;
  const bool ascending = std::is_sorted(dependent.begin(), dependent.end());
  std::vector<int> order;
  for (int j = 0; j < static_cast<int>(system.joints.size()); ++j) {
    if (ascending || !is_dependent[static_cast<std::size_t>(j)]) order.push_back(j);
  }
  if (!ascending) order.insert(order.end(), dependent.begin(), dependent.end());

  std::vector<std::string> lines;
  for (int index : order) {
    const auto j = static_cast<std::size_t>(index);
    const Joint& joint = system.joints[j];
    if (RateCount(joint.type) == 0 && !is_dependent[j]) continue;
    const CoordinateFields& fields = CoordinateFieldsOf(joint.type);
    OneLine line;
    line.Put("joint", joint.name);
    PutCoordinates(line, fields.q, initial.joints.q.data() + at.q[j]);
    PutCoordinates(line, fields.u, initial.joints.u.data() + at.u[j]);
    if (is_dependent[j]) line.PutFlag("dependent", true);
    lines.push_back(line.End());
  }
  return lines;
}

Document Mechanism(const Problem& problem) {
  const System& system = problem.system;
  Document document;
  document.Put("gravity_m_s2", system.gravity);
  const auto list = [&document](std::string_view key, const auto& things, const auto& text_of) {
    std::vector<std::string> lines;
    for (const auto& thing : things) lines.push_back(text_of(thing));
    document.PutList(key, lines);
  };
  const auto with_system = [&system](auto text_of) {
    return [&system, text_of](const auto& thing) { return text_of(system, thing); };
  };
  list("bodies", system.bodies, [&](const Body& body) {
    const auto index = static_cast<int>(&body - system.bodies.data());
    return BodyText(body, std::ranges::binary_search(problem.inertias_as_given, index));
  });
  list("joints", system.joints, with_system(JointText));
  list("loop_joints", system.loop_joints, with_system(JointText));
  document.PutUnless(0, "loop_precision", system.loop_precision);
  system.forces.ForEachList([&]<class Law>(const std::vector<Law>& elements) {
    list(Law::kList, elements, [&](const Law& e) { return ElementText(system, e); });
  });
  if (system.rope_flight) document.Raw("rope_flight", RopeFlightText(*system.rope_flight));
  list("drivers", system.drivers, with_system(DriverJson));
  document.PutList("initial_state", InitialStateText(problem));
  return document;
}

void PutObservables(Document& document, const Problem& problem) {
  std::vector<std::string> lines;
  const auto put = [&](const Observable& o, OneLine& line) {
    line.Put("name", o.name)
        .Put("kind", std::string(NameOf(kObservableKinds, o.kind)))
        .Put("body", BodyName(problem.system, o.body))
        .PutUnless(0, "offset", o.offset)
        .PutUnlessZero("point_m", o.point);
    if (o.relative_to != kGround) line.Put("relative_to", BodyName(problem.system, o.relative_to));
  };
  const auto observable = [&](int index) -> const Observable& {
    return problem.observables[static_cast<std::size_t>(index)];
  };
  for (const Observable& o : problem.observables) {
    OneLine line;
    put(o, line);
    lines.push_back(line.End());
  }
  document.PutList("observables", lines);
  lines.clear();
  for (const PublishedValue& v : problem.published) {
    OneLine line;
    line.Put("observable", problem.observables[static_cast<std::size_t>(v.observable)].name)
        .Put("time_s", v.time)
        .Put("value", v.value)
        .PutUnless(0, "last_digit", v.last_digit)
        .Put("kind", std::string(NameOf(kPublishedKinds, v.kind)))
        .Put("source", v.source);
    if (!v.event.empty()) line.Put("event", v.event);
    lines.push_back(line.End());
  }
  document.PutList("published", lines);
  lines.clear();
  for (const BranchCondition& c : problem.branch) {
    OneLine line;
    put(c.observable, line);
    line.Put("value", c.value).Put("bound", c.bound);
    if (!c.otherwise.empty()) line.Put("otherwise", c.otherwise);
    lines.push_back(line.End());
  }
  document.PutList("branch", lines);
  lines.clear();
  for (const LibraryMeasure& m : problem.library_measures) {
    OneLine line;
    line.Put("name", m.name).Put("formula", std::string(NameOf(kFormulas, m.formula)));
    std::vector<std::string> names;
    for (int o : m.observables) names.push_back(JsonText(observable(o).name));
    if (!names.empty()) line.Raw("observables", fmt::format("[{}]", fmt::join(names, ", ")));
    if (!m.values.empty()) line.Put("values", m.values).Put("time_s", m.time);
    lines.push_back(line.End());
  }
  document.PutList("library_measures", lines);
  lines.clear();
  for (const Equilibrium& e : problem.equilibria)
    lines.push_back(EquilibriumText(problem.system, e));
  document.PutList("equilibria", lines);
}

}  // namespace

std::string WriteMechanism(const Problem& problem) { return Mechanism(problem).fields(); }

std::string WriteModel(const Problem& problem) {
  Validate(problem);
  Document document;
  document.Put("format", std::string(kModelFormat));
  document.Raw("version", std::to_string(kModelVersion));
  document.Put("name", problem.name);
  document.Put("title", problem.title);
  document.Put("description", problem.description);
  document.Put("source", problem.source);
  document.Append(WriteMechanism(problem));
  document.Put("end_time_s", problem.end_time);
  Problem derived;  // sample times are left out where the reader finds the same ones
  derived.end_time = problem.end_time;
  derived.published = problem.published;
  SetSampleTimes(derived);
  if (derived.sample_times != problem.sample_times) {
    document.Put("sample_times_s", problem.sample_times);
  }
  document.Put("length_m", problem.length);
  document.Put("time_s", problem.time);
  document.Put("energy_reference_J", problem.energy_reference);
  document.PutFlag("conservative", problem.conservative);
  document.PutFlag("planar", problem.planar);
  if (!problem.reference_bodies.empty()) {
    std::vector<std::string> names;
    for (int b : problem.reference_bodies) names.push_back(JsonText(BodyName(problem.system, b)));
    document.Raw("reference_bodies", fmt::format("[{}]", fmt::join(names, ", ")));
  }
  PutObservables(document, problem);
  document.Put("papers_step_s", problem.papers_step);
  document.Put("fixed_steps_s", problem.fixed_steps);
  document.PutUnless(0, "accuracy_required_ode", problem.accuracy_required_ode);
  document.PutUnless(0, "accuracy_required_dae", problem.accuracy_required_dae);
  return document.End();
}

}  // namespace mbsbench
