#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include "problems/io/catalog_names.h"
#include "problems/io/json_document.h"
#include "problems/io/json_geometry.h"
#include "problems/io/model_file.h"
#include "problems/io/rough_model.h"
#include "problems/io/start.h"
#include "problems/io/vocabulary.h"
#include "problems/model/error.h"
#include "problems/model/forces.h"
#include "problems/model/kinematics.h"
#include "problems/model/names.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr std::size_t kMostBodies = 200'000;

using Keys = std::vector<std::string>;

template <typename Words>
auto ReadWord(const JsonValue& value, const Words& words) {
  const std::string& text = value.String();
  Keys known;
  for (const auto& word : words) {
    if (word.name == text) return word.value;
    known.emplace_back(word.name);
  }
  value.Refuse("is '" + Quotable(text) + "', which is not known." +
               Suggestion(Quotable(text), known));
}

// Reads an optional member into `to`, which holds its default.
void Read(const JsonObject& object, std::string_view key, double& to) {
  if (const auto value = object.Find(key)) to = value->Number();
}
void Read(const JsonObject& object, std::string_view key, bool& to) {
  if (const auto value = object.Find(key)) to = value->Boolean();
}
void Read(const JsonObject& object, std::string_view key, std::string& to) {
  if (const auto value = object.Find(key)) to = value->String();
}
void Read(const JsonObject& object, std::string_view key, Vector3& to) {
  if (const auto value = object.Find(key)) to = ReadVector(*value);
}

std::vector<JsonValue> Items(const JsonObject& object, std::string_view key) {
  const auto value = object.Find(key);
  return value ? value->Items() : std::vector<JsonValue>{};
}

// Named objects and their lines.
class NameTable {
 public:
  NameTable(std::string what, ModelError::Subject subject)
      : what_(std::move(what)), subject_(subject) {}

  ModelError::Subject subject() const { return subject_; }
  void Rename(std::string what) { what_ = std::move(what); }
  // Refuses a name that is taken: references to it would be ambiguous.
  void Add(const std::string& name, const JsonValue& value) {
    if (const std::string fault = NameFault(name); !fault.empty()) {
      value.Member("name")->Refuse(fault + ".");
    }
    if (name == "ground" && subject_ == ModelError::Subject::kBody) {
      value.Member("name")->Refuse("is 'ground', which is reserved: choose another name.");
    }
    if (!index_.emplace(name, static_cast<int>(names_.size())).second) {
      value.Member("name")->Refuse("is '" + Quotable(name) + "', which another " + what_ +
                                   " has: names must be unique.");
    }
    names_.push_back(name);
    lines_.push_back(value.line());
  }
  int LineOf(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? 0 : lines_[static_cast<std::size_t>(found->second)];
  }
  // The index of the object that `value` names.
  int Find(const JsonValue& value) const {
    const std::string& name = value.String();
    const auto found = index_.find(name);
    if (found == index_.end()) {
      value.Refuse("names " + what_ + " '" + Quotable(name) + "', which does not exist." +
                   Help(name));
    }
    return found->second;
  }

 private:
  // Suggestions; does not list or compare all names of a large model.
  std::string Help(const std::string& name) const {
    constexpr std::size_t kCompared = 2000, kListed = 20;
    const Keys some(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(
                                                         std::min(names_.size(), kCompared)));
    if (name.size() > 100 || some.empty()) return "";
    if (names_.size() > kListed && ClosestNames(name, some).empty()) return "";
    return Suggestion(name, some);
  }

  std::string what_;
  ModelError::Subject subject_;
  Keys names_;
  std::vector<int> lines_;
  std::unordered_map<std::string, int> index_;
};

// Nothing turns a point whose joints pass no moment and whose forces act at its centre: any inertia gives its motion, and none
// would leave its rotation without an equation. It gets that of a radius of gyration as long as the longest arm of a joint, else 1 m.
void GiveFreePointsInertia(System& system) {
  std::vector<bool> is_turned(system.bodies.size());
  double longest_arm = 0;
  const auto add = [&](int body, bool turns) {
    if (body != kGround && turns) is_turned[static_cast<std::size_t>(body)] = true;
  };
  for (const std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      const bool joins_points =
          joint.type == JointType::kBall || joint.type == JointType::kDistance;
      const auto turns = [&](const Frame& frame) {
        return joint.type != JointType::kFree && !(joins_points && Norm(frame.position) == 0);
      };
      longest_arm = std::max(
          {longest_arm, Norm(joint.parent_frame.position), Norm(joint.child_frame.position)});
      add(joint.parent, turns(joint.parent_frame));
      add(joint.child, turns(joint.child_frame));
    }
  }
  const double radius = longest_arm > 0 ? longest_arm : 1;
  struct Arms : FieldVisitor {
    explicit Arms(const decltype(add)& with) : turn(with) {}
    void Body(std::string_view, int b) { body = b; }
    void Point(std::string_view, int b, const Vector3& point) { turn(b, Norm(point) > 0); }
    void Vector(std::string_view, Quantity quantity, int, const Vector3& v) {
      turn(body, quantity == Quantity::kMoment && Norm(v) > 0);
    }
    // The force on the body of the first frame acts at the origin of the second.
    void OnFrame(std::string_view, int b, const Frame& frame) {
      turn(b, frames++ == 0 || Norm(frame.position) > 0);
      body = b;
    }
    void Number(std::string_view, Quantity quantity, double value) {
      turn(body, IsOfTurn(quantity) && value != 0);
    }
    const decltype(add)& turn;
    int body = kGround, frames = 0;
  };
  system.forces.ForEach([&add](const auto& element) { VisitFields(element, Arms(add)); });
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    Body& body = system.bodies[b];
    const bool has_inertia =
        std::ranges::any_of(body.inertia.entries, [](double v) { return v != 0; });
    if (body.is_point && !is_turned[b] && !has_inertia) {
      const double moment = body.mass * radius * radius;
      body.inertia = Diagonal(moment, moment, moment);
    }
  }
}

class ModelReader {
 public:
  ModelReader(std::string_view text, std::string_view name)
      : document_(text, std::string(name)), model_(OpenModel(document_)) {}

  // `rough`: receives the assembly if the initial state is a rough guess.
  Problem Read(AssembledProblem* rough = nullptr) {
    try {
      ReadSystem();
      Validate(problem_.system,
               problem_.inertias_as_given);  // first of all: an initial state needs a sound system
      ReadInitialState();
      ReadRun();
      Validate(problem_);
      SetScales(ForwardKinematics(problem_.system, problem_.initial.joints));
      if (rough != nullptr) {
        BoundAssembly(problem_, Movable::kAll);
        rough->guess = problem_.initial;
        rough->assembly = AssembleFromGuess(problem_.system, problem_.initial, problem_.length);
        problem_.initial = rough->assembly.closed;
      }
      if (!problem_.system.loop_joints.empty()) {
        BoundAssembly(problem_, Movable::kDependent);
        SetScales(Assemble(problem_.system, problem_.initial, problem_.length).state.bodies);
      }
      const double scale = CheckStart(problem_);
      if (!model_.Find("energy_reference_J")) problem_.energy_reference = scale;
      RefuseBorrowedName(problem_);
      return std::move(problem_);
    } catch (const ModelError& error) {
      Rethrow(error);
    }
  }

 private:
  // Format and version come first: another version may have other fields.
  static JsonObject OpenModel(const JsonDocument& document) {
    const JsonValue root = document.root();
    if (!root.is_object()) root.RefuseKind("an object with \"format\": \"mbsbench-model\"");
    const auto format = root.Member("format");
    if (!format || format->String() != kModelFormat) {
      (format ? *format : root)
          .Refuse(fmt::format("{}: a model file starts with \"format\": \"{}\".",
                              format ? "is another format" : "has no 'format'", kModelFormat));
    }
    const auto version = root.Member("version");
    if (!version) {
      root.Refuse(fmt::format("has no 'version': \"version\": {} is needed.", kModelVersion));
    }
    if (version->WholeNumber() != kModelVersion) {
      version->Refuse(fmt::format("is {}, but this program reads version {} only.",
                                  version->WholeNumber(), kModelVersion));
    }
    if (const auto tiers = root.Member("tiers")) {
      tiers->Refuse(
          "is no longer part of a model: remove it; 'run --quick', 'run' and 'run --full' decide "
          "what they include.");
    }
    Keys keys{"$schema",
              "format",
              "version",
              "name",
              "title",
              "description",
              "source",
              "gravity_m_s2",
              "bodies",
              "joints",
              "loop_joints",
              "loop_precision",
              "rope_flight",
              "drivers",
              "initial_state",
              "end_time_s",
              "sample_times_s",
              "length_m",
              "time_s",
              "energy_reference_J",
              "conservative",
              "planar",
              "reference_bodies",
              "observables",
              "published",
              "branch",
              "library_measures",
              "equilibria",
              "papers_step_s",
              "fixed_steps_s",
              "accuracy_required_ode",
              "accuracy_required_dae"};
    ForceElements::ForEachLaw(
        [&keys]<class Law>(std::type_identity<Law>) { keys.emplace_back(Law::kList); });
    return JsonObject(root, std::move(keys));
  }

  // Adds the file and the line of the object to the message about a broken rule of the model.
  [[noreturn]] void Rethrow(const ModelError& error) const {
    const std::string sentence = error.what();
    if (sentence.starts_with(document_.name() + ", line ")) throw error;
    int line = 0;
    if (error.subject() == ModelError::Subject::kField) {
      if (const auto field = model_.Find(error.name())) line = field->line();
    }
    for (const NameTable* table : {&bodies_, &joints_, &elements_, &observables_, &measures_}) {
      if (error.subject() == table->subject()) line = table->LineOf(error.name());
    }
    throw ModelError(
        document_.name() + (line > 0 ? fmt::format(", line {}: ", line) : ": ") + sentence,
        error.subject(), error.name());
  }

  int ReadBodyOrGround(const JsonValue& value) const {
    return value.String() == "ground" ? kGround : bodies_.Find(value);
  }

  void ReadSystem() {
    System& system = problem_.system;
    mbsbench::Read(model_, "gravity_m_s2", system.gravity);
    mbsbench::Read(model_, "loop_precision", system.loop_precision);
    const std::vector<JsonValue> bodies = model_.At("bodies").Items();
    if (bodies.size() > kMostBodies) {
      model_.At("bodies").Refuse(fmt::format("has {} bodies: at most {} are read from a file.",
                                             bodies.size(), kMostBodies));
    }
    for (const JsonValue& value : bodies) {
      system.bodies.push_back(ReadBody(value));
      bodies_.Add(system.bodies.back().name, value);
    }
    for (const JsonValue& value : model_.At("joints").Items()) {
      system.joints.push_back(ReadJoint(value));
      joints_.Add(system.joints.back().name, value);
    }
    // Loop joints have no initial state and no springs of their own, but share the joints' names.
    tree_joints_ = joints_;
    tree_joints_.Rename("tree joint");
    for (const JsonValue& value : Items(model_, "loop_joints")) {
      system.loop_joints.push_back(ReadJoint(value));
      joints_.Add(system.loop_joints.back().name, value);
    }
    system.forces.ForEachList([this]<class Law>(std::vector<Law>& list) {
      for (const JsonValue& value : Items(model_, Law::kList)) {
        list.push_back(ReadElement<Law>(value));
        elements_.Add(list.back().name, value);
      }
    });
    if (const auto flight = model_.Find("rope_flight")) {
      system.rope_flight = ReadRopeFlight(*flight);
      elements_.Add(system.rope_flight->name, *flight);
    }
    for (const JsonValue& value : Items(model_, "drivers")) {
      system.drivers.push_back(ReadDriver(value));
      elements_.Add(system.drivers.back().name, value);
    }
    if (!system.rope_flight) GiveFreePointsInertia(system);
  }

  Body ReadBody(const JsonValue& value) {
    const JsonObject object(
        value, {"name", "mass_kg", "inertia_kg_m2", "inertia_as_given", "is_point", "shape"});
    Body body;
    body.name = object.At("name").String();
    body.mass = object.At("mass_kg").Number();
    mbsbench::Read(object, "is_point", body.is_point);
    bool inertia_as_given = false;
    mbsbench::Read(object, "inertia_as_given", inertia_as_given);
    if (inertia_as_given) {
      problem_.inertias_as_given.push_back(static_cast<int>(problem_.system.bodies.size()));
    }
    if (const auto inertia = object.Find("inertia_kg_m2")) {
      body.inertia = ReadInertia(*inertia);
    } else if (!body.is_point) {
      value.Refuse(
          "has no 'inertia_kg_m2': give one (zero for a massless link), or \"is_point\": true.");
    }
    if (const auto shape = object.Find("shape")) body.shape = ReadShape(*shape);
    return body;
  }

  // {"xx", "yy", "zz", "xy", "xz", "yz"}, or three rows.
  static SymmetricMatrix3 ReadInertia(const JsonValue& value) {
    SymmetricMatrix3 inertia;
    if (value.is_array()) {
      const std::vector<JsonValue> rows = value.Items();
      if (rows.size() != 3) {
        value.Refuse(fmt::format("must have 3 rows of 3 numbers, not {} rows.", rows.size()));
      }
      const std::array read{rows[0].Numbers(3), rows[1].Numbers(3), rows[2].Numbers(3)};
      double largest = 0, apart = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          largest = std::max(largest, std::abs(read[i][j]));
          apart = std::max(apart, std::abs(read[i][j] - read[j][i]));
        }
      }
      if (apart > 1e-12 * largest) value.Refuse("is not symmetric.");
      inertia.entries = {read[0][0], read[0][1], read[0][2], read[1][1], read[1][2], read[2][2]};
      return inertia;
    }
    if (!value.is_object()) value.RefuseKind("an object with xx, yy, zz or a 3 x 3 array");
    const JsonObject object(value, {"xx", "yy", "zz", "xy", "xz", "yz"});
    inertia(0, 0) = object.At("xx").Number();
    inertia(1, 1) = object.At("yy").Number();
    inertia(2, 2) = object.At("zz").Number();
    mbsbench::Read(object, "xy", inertia(0, 1));
    mbsbench::Read(object, "xz", inertia(0, 2));
    mbsbench::Read(object, "yz", inertia(1, 2));
    return inertia;
  }

  static Shape ReadShape(const JsonValue& value) {
    const JsonObject object(value, {"kind", "a_m", "b_m", "radius_m"});
    Shape shape;
    shape.kind = ReadWord(object.At("kind"), kShapeKinds);
    mbsbench::Read(object, "a_m", shape.a);
    mbsbench::Read(object, "b_m", shape.b);
    mbsbench::Read(object, "radius_m", shape.radius);
    return shape;
  }

  static Frame ReadFrame(const JsonObject& joint, std::string_view key) {
    Frame frame;
    if (const auto value = joint.Find(key)) {
      const JsonObject object(*value, {"position_m", "quaternion_wxyz"});
      mbsbench::Read(object, "position_m", frame.position);
      if (const auto q = object.Find("quaternion_wxyz")) frame.orientation = ReadQuaternion(*q);
    }
    return frame;
  }

  Joint ReadJoint(const JsonValue& value) const {
    const JsonObject object(
        value, {"name", "type", "parent", "child", "parent_frame", "child_frame", "length_m"});
    Joint joint;
    joint.name = object.At("name").String();
    joint.type = ReadWord(object.At("type"), kJointTypes);
    joint.parent = ReadBodyOrGround(object.At("parent"));
    joint.child = ReadBodyOrGround(object.At("child"));
    if (joint.child == kGround) {
      object.At("child").Refuse("is the ground, which is always a parent: exchange the two.");
    }
    joint.parent_frame = ReadFrame(object, "parent_frame");
    joint.child_frame = ReadFrame(object, "child_frame");
    if (joint.type == JointType::kDistance) {
      joint.length = object.At("length_m").Number();
    } else if (const auto length = object.Find("length_m")) {
      length->Refuse("belongs to a distance joint, not to a " + std::string(Name(joint.type)) +
                     " one.");
    }
    return joint;
  }

  // The names of an element's fields, and its joint, on which they depend.
  struct ElementKeys : FieldVisitor {
    void BodyOrGround(std::string_view key, int) { keys.emplace_back(key); }
    void Body(std::string_view key, int) { keys.emplace_back(key); }
    void Joint(int) { keys.emplace_back("joint"); }
    void Point(std::string_view key, int, const Vector3&) { Add(key, Quantity::kLength); }
    void Direction(std::string_view key, const Vector3&) { keys.emplace_back(key); }
    void Vector(std::string_view key, Quantity quantity, int, const Vector3&) {
      Add(key, quantity);
    }
    void Number(std::string_view key, Quantity quantity, double) { Add(key, quantity); }
    void OnFrame(std::string_view key, int, const Frame&) { keys.emplace_back(key); }
    void PerAxis(std::string_view key, Quantity quantity, const Vector3&) { Add(key, quantity); }
    void Flag(std::string_view key, bool) { keys.emplace_back(key); }
    void Effort(bool, const EffortOverTime&) {
      if (type != JointType::kPrismatic) keys.emplace_back(EffortField(true));
      if (type != JointType::kRevolute) keys.emplace_back(EffortField(false));
    }
    void Add(std::string_view key, Quantity quantity) {
      keys.push_back(std::string(key).append(EndingOf(quantity, !IsLength(type, 0))));
    }
    JointType type;
    Keys keys{"name"};
  };

  struct ElementFields : FieldVisitor {
    void BodyOrGround(std::string_view key, int& body) const {
      body = reader.ReadBodyOrGround(object.At(key));
    }
    void Body(std::string_view key, int& body) const { body = reader.bodies_.Find(object.At(key)); }
    void Point(std::string_view key, int, Vector3& point) const {
      mbsbench::Read(object, Key(key, Quantity::kLength), point);
    }
    void Direction(std::string_view key, Vector3& direction) const {
      direction = ReadVector(object.At(key));
    }
    void Vector(std::string_view key, Quantity quantity, int, Vector3& v) const {
      mbsbench::Read(object, Key(key, quantity), v);
    }
    void Number(std::string_view key, Quantity quantity, double& value) const {
      mbsbench::Read(object, Key(key, quantity), value);
    }
    void OnFrame(std::string_view key, int, Frame& frame) const { frame = ReadFrame(object, key); }
    void PerAxis(std::string_view key, Quantity quantity, Vector3& v) const {
      mbsbench::Read(object, Key(key, quantity), v);
    }
    void Flag(std::string_view key, bool& value) const { mbsbench::Read(object, key, value); }
    void Effort(bool& turns, EffortOverTime& effort) const {
      turns = type == JointType::kRevolute ||
              (type == JointType::kCylindrical && object.Find(EffortField(true)));
      const JsonValue value = object.At(EffortField(turns));
      if (const auto other = object.Find(EffortField(false)); turns && other)
        other->Refuse("cannot be combined with 'torque_N_m': write two motors.");
      effort = ReadEffort(value);
    }
    std::string Key(std::string_view key, Quantity quantity) const {
      return std::string(key).append(EndingOf(quantity, !IsLength(type, 0)));
    }
    JointType type;
    const ModelReader& reader;
    const JsonObject& object;
  };

  template <class Law>
  Law ReadElement(const JsonValue& value) const {
    Law element;
    JointType type = JointType::kFixed;
    if constexpr (ActsOnJoint<Law>) {
      element.joint =
          ReadSingleJoint(value, "a " + std::string(Law::kWords) + " acts on", Law::kJointTypes);
      type = TypeOf(element.joint);
    }
    ElementKeys keys{{}, type};
    VisitFields(element, keys);
    const JsonObject object(value, std::move(keys.keys));
    element.name = object.At("name").String();
    VisitFields(element, ElementFields{{}, type, *this, object});
    return element;
  }

  // A number, a table [[time, value], ...] or a function of time, written as the motion of a driver.
  static EffortOverTime ReadEffort(const JsonValue& value) {
    EffortOverTime effort;
    if (value.is_object()) {
      effort.function = ReadMotion(value, 1);
    } else if (value.is_array()) {
      const std::vector<JsonValue> knots = value.Items();
      if (knots.empty()) value.Refuse("has no knots: write [[time, value], ...].");
      for (const JsonValue& knot : knots) {
        const std::vector<double> numbers = knot.Numbers(2);
        effort.table.push_back({numbers[0], numbers[1]});
      }
    } else {
      effort = EffortOverTime::Constant(value.Number());
    }
    return effort;
  }

  // The tree joint of one of the types that `value` names as its "joint".
  int ReadSingleJoint(const JsonValue& value, const std::string& what,
                      std::span<const JointType> types = kSingleAxisTypes) const {
    const auto named = value.is_object() ? value.Member("joint") : std::nullopt;
    if (!named) JsonObject(value, {"name", "joint"}).At("joint");  // refuses
    const int joint = tree_joints_.Find(*named);
    const JointType type = problem_.system.joints[static_cast<std::size_t>(joint)].type;
    if (std::ranges::find(types, type) == types.end()) {
      named->Refuse("names a " + std::string(Name(type)) + " joint: " + what + " a " +
                    ListedTypes(types) + " one.");
    }
    return joint;
  }
  JointType TypeOf(int joint) const {
    return problem_.system.joints[static_cast<std::size_t>(joint)].type;
  }

  Driver ReadDriver(const JsonValue& value) const {
    Driver driver;
    driver.joint = ReadSingleJoint(value, "a driver drives");
    const std::string speed(DriverSpeedField(TypeOf(driver.joint)));
    const JsonObject object(value, {"name", "joint", speed, "motion"});
    driver.name = object.At("name").String();
    const auto motion = object.Find("motion");
    if (motion && object.Find(speed))
      motion->Refuse("cannot be combined with '" + speed + "': give one of them.");
    if (motion) {
      driver.motion = ReadMotion(*motion, 1);
    } else {
      driver.motion.rate = object.At(speed).Number();
    }
    return driver;
  }

  static DriverMotion ReadMotion(const JsonValue& value, int depth) {
    if (depth > kDeepestMotion) {
      value.Refuse(fmt::format("is nested in {} other motions: write them out.", kDeepestMotion));
    }
    const auto named = value.is_object() ? value.Member("kind") : std::nullopt;
    if (!named) JsonObject(value, {"kind"}).At("kind");  // refuses
    DriverMotion motion;
    motion.kind = ReadWord(*named, MotionKinds());
    const MotionWord& word = WordOf(motion.kind);
    Keys keys{"kind"};
    for (const MotionField& field : word.fields) keys.emplace_back(field.name);
    if (!word.list.empty()) keys.emplace_back(word.list);
    const JsonObject object(value, keys);
    for (const MotionField& field : word.fields) {
      motion.*field.value = field.by_default.value_or(0);
      if (field.by_default) {
        mbsbench::Read(object, field.name, motion.*field.value);
      } else {
        motion.*field.value = object.At(field.name).Number();
      }
    }
    if (word.list.empty()) return motion;
    const JsonValue list = object.At(word.list);
    if (motion.kind == MotionKind::kArcsine) {
      motion.terms.push_back(ReadMotion(list, depth + 1));
      return motion;
    }
    for (const JsonValue& item : list.Items()) {
      if (motion.kind == MotionKind::kPolynomial) {
        motion.coefficients.push_back(item.Number());
      } else {
        motion.terms.push_back(ReadMotion(item, depth + 1));
      }
    }
    return motion;
  }

  static RopeFlight ReadRopeFlight(const JsonValue& value) {
    std::vector<std::string> keys{"name", "box_m", "rail_direction"};
    for (const RopeFlightField& field : kRopeFlightFields) keys.emplace_back(field.name);
    const JsonObject object(value, keys);
    RopeFlight flight;
    flight.name = object.At("name").String();
    mbsbench::Read(object, "box_m", flight.box);
    mbsbench::Read(object, "rail_direction", flight.rail_direction);
    for (const RopeFlightField& field : kRopeFlightFields) {
      if (field.required) {
        flight.*field.value = object.At(field.name).Number();
      } else {
        mbsbench::Read(object, field.name, flight.*field.value);
      }
    }
    return flight;
  }

  // Joints that the file does not name start at zero (quaternions: no rotation), at rest.
  void ReadInitialState() {
    const System& system = problem_.system;
    const JointOffsets at = OffsetsOf(system);
    JointState& state = problem_.initial.joints;
    state.q.assign(static_cast<std::size_t>(at.q.back()), 0.0);
    state.u.assign(static_cast<std::size_t>(at.u.back()), 0.0);
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      int k = at.q[j];
      for (const CoordinateField& field : CoordinateFieldsOf(system.joints[j].type).q) {
        if (field.is_quaternion) state.q[static_cast<std::size_t>(k)] = 1;
        k += field.size;
      }
    }
    for (const Driver& d : system.drivers) {
      const auto j = static_cast<std::size_t>(d.joint);
      const MovedCoordinate<double> start = MotionAt(d.motion, 0);
      if (!StartsAnywhere(d.motion)) state.q[static_cast<std::size_t>(at.q[j])] = start.position;
      state.u[static_cast<std::size_t>(at.u[j])] = start.rate;
    }
    std::vector<bool> seen(system.joints.size(), false);
    for (const JsonValue& value : Items(model_, "initial_state")) {
      const auto named = value.is_object() ? value.Member("joint") : std::nullopt;
      if (!named) JsonObject(value, {"joint"}).At("joint");  // refuses
      const auto j = static_cast<std::size_t>(tree_joints_.Find(*named));
      if (seen[j]) named->Refuse("occurs twice in the initial state.");
      seen[j] = true;
      const CoordinateFields& fields = CoordinateFieldsOf(system.joints[j].type);
      Keys keys{"joint", "dependent"};
      for (const CoordinateField& field : fields.q) keys.emplace_back(field.name);
      for (const CoordinateField& field : fields.u) keys.emplace_back(field.name);
      const JsonObject object(value, keys);
      ReadCoordinates(object, fields.q, state.q.data() + at.q[j]);
      ReadCoordinates(object, fields.u, state.u.data() + at.u[j]);
      bool dependent = false;
      mbsbench::Read(object, "dependent", dependent);
      if (dependent) problem_.initial.dependent_joints.push_back(static_cast<int>(j));
    }
  }

  static void ReadCoordinates(const JsonObject& object, const std::vector<CoordinateField>& fields,
                              double* to) {
    for (const CoordinateField& field : fields) {
      if (const auto value = object.Find(field.name)) {
        if (field.is_quaternion) {
          const Quaternion q = ReadQuaternion(*value);
          to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z;
        } else if (field.size == 1) {
          to[0] = value->Number();
        } else {
          const std::vector<double> v = value->Numbers(static_cast<std::size_t>(field.size));
          std::copy(v.begin(), v.end(), to);
        }
      }
      to += field.size;
    }
  }

  // Everything about the run: names, times, scales, observables and published values.
  void ReadRun() {
    Problem& p = problem_;
    p.name = model_.At("name").String();
    p.title = p.name;
    mbsbench::Read(model_, "title", p.title);
    mbsbench::Read(model_, "description", p.description);
    mbsbench::Read(model_, "source", p.source);
    p.end_time = model_.At("end_time_s").Number();
    mbsbench::Read(model_, "length_m", p.length);
    mbsbench::Read(model_, "time_s", p.time);
    mbsbench::Read(model_, "planar", p.planar);
    mbsbench::Read(model_, "accuracy_required_ode", p.accuracy_required_ode);
    mbsbench::Read(model_, "accuracy_required_dae", p.accuracy_required_dae);
    mbsbench::Read(model_, "papers_step_s", p.papers_step);
    if (const auto steps = model_.Find("fixed_steps_s")) {
      for (const JsonValue& step : steps->Items()) p.fixed_steps.push_back(step.Number());
    } else {
      for (double factor : {16., 8., 4., 2., 1., 0.5}) {
        p.fixed_steps.push_back(factor * p.papers_step);
      }
    }
    for (const JsonValue& body : Items(model_, "reference_bodies")) {
      p.reference_bodies.push_back(bodies_.Find(body));
    }
    ReadObservables();
    ReadEquilibria();
    SetSampleTimes(p);
    if (const auto times = model_.Find("sample_times_s")) {
      p.sample_times.clear();
      for (const JsonValue& t : times->Items()) p.sample_times.push_back(t.Number());
      // References are solved at the samples, and a motion is judged to its end. A rope flight ends by an event.
      const bool ends_there = p.sample_times.empty() || p.system.rope_flight ||
                              p.sample_times.back() >= p.end_time * (1 - 1e-12);
      if (!ends_there) p.sample_times.push_back(p.end_time);
    }
    p.conservative = !HasNonConservativeForces(p.system);
    mbsbench::Read(model_, "conservative", p.conservative);
    p.energy_reference = 1;  // until the start is checked
    mbsbench::Read(model_, "energy_reference_J", p.energy_reference);
  }

  // The characteristic length and time that the file does not state, from the bodies at the start.
  void SetScales(const std::vector<BodyState>& bodies) {
    Problem& p = problem_;
    if (!model_.Find("length_m")) p.length = LengthOf(p.system, bodies);
    if (!model_.Find("time_s")) p.time = TimeOf(p.system, p.length);
    Validate(p);
  }

  void ReadObservables() {
    for (const JsonValue& value : Items(model_, "observables")) {
      const JsonObject object(value, {"name", "kind", "body", "offset", "point_m", "relative_to"});
      problem_.observables.push_back(ReadObservable(object));
      observables_.Add(problem_.observables.back().name, value);
    }
    for (const JsonValue& value : Items(model_, "published")) {
      const JsonObject object(
          value, {"observable", "time_s", "value", "last_digit", "kind", "source", "event"});
      PublishedValue v;
      v.observable = observables_.Find(object.At("observable"));
      mbsbench::Read(object, "event", v.event);
      if (v.event.empty())
        v.time = object.At("time_s").Number();
      else
        mbsbench::Read(object, "time_s", v.time);
      v.value = object.At("value").Number();
      mbsbench::Read(object, "last_digit", v.last_digit);
      v.kind = ReadWord(object.At("kind"), kPublishedKinds);
      mbsbench::Read(object, "source", v.source);
      problem_.published.push_back(v);
    }
    for (const JsonValue& value : Items(model_, "library_measures")) {
      const JsonObject object(value, {"name", "formula", "observables", "values", "time_s"});
      LibraryMeasure m;
      m.name = object.At("name").String();
      m.formula = ReadWord(object.At("formula"), kFormulas);
      for (const JsonValue& o : Items(object, "observables"))
        m.observables.push_back(observables_.Find(o));
      for (const JsonValue& v : Items(object, "values")) m.values.push_back(v.Number());
      mbsbench::Read(object, "time_s", m.time);
      problem_.library_measures.push_back(m);
      measures_.Add(m.name, value);
    }
    for (const JsonValue& value : Items(model_, "branch")) {
      const JsonObject object(value, {"name", "kind", "body", "offset", "point_m", "relative_to",
                                      "value", "bound", "otherwise"});
      BranchCondition& c = problem_.branch.emplace_back(BranchCondition{
          ReadObservable(object), object.At("value").Number(), object.At("bound").Number(), ""});
      mbsbench::Read(object, "otherwise", c.otherwise);
      observables_.Add(c.observable.name, value);
    }
  }

  Observable ReadObservable(const JsonObject& object) const {
    Observable o;
    o.name = object.At("name").String();
    o.kind = ReadWord(object.At("kind"), kObservableKinds);
    o.body = bodies_.Find(object.At("body"));
    mbsbench::Read(object, "offset", o.offset);
    mbsbench::Read(object, "point_m", o.point);
    if (const auto other = object.Find("relative_to")) o.relative_to = ReadBodyOrGround(*other);
    return o;
  }

  void ReadEquilibria() {
    for (const JsonValue& value : Items(model_, "equilibria")) {
      const JsonObject object(value, {"speed", "coordinates", "stable", "kind", "source"});
      Equilibrium e;
      e.speed = object.At("speed").Number();
      mbsbench::Read(object, "stable", e.stable);
      e.kind = ReadWord(object.At("kind"), kPublishedKinds);
      mbsbench::Read(object, "source", e.source);
      for (const JsonValue& item : object.At("coordinates").Items()) {
        Equilibrium::Coordinate c;
        c.joint = ReadSingleJoint(item, "an equilibrium is printed by the coordinates of");
        const std::string field(CoordinateFieldsOf(TypeOf(c.joint)).q.front().name);
        const JsonObject coordinate(item, {"joint", field, "last_digit"});
        c.value = coordinate.At(field).Number();
        mbsbench::Read(coordinate, "last_digit", c.last_digit);
        e.coordinates.push_back(c);
      }
      problem_.equilibria.push_back(std::move(e));
    }
  }

  JsonDocument document_;
  JsonObject model_;
  Problem problem_;
  NameTable bodies_{"body", ModelError::Subject::kBody};
  NameTable joints_{"joint", ModelError::Subject::kJoint};
  NameTable tree_joints_{"joint", ModelError::Subject::kJoint};
  NameTable elements_{"force element", ModelError::Subject::kForceElement};
  NameTable observables_{"observable", ModelError::Subject::kObservable};
  NameTable measures_{"library measure", ModelError::Subject::kLibraryMeasure};
};

}  // namespace

Problem ParseModel(std::string_view text, std::string_view name_for_errors) {
  return ModelReader(text, name_for_errors).Read();
}

AssembledProblem ParseRoughModel(std::string_view text, std::string_view name_for_errors) {
  AssembledProblem result;
  result.problem = ModelReader(text, name_for_errors).Read(&result);
  return result;
}

}  // namespace mbsbench
