// The factors of the matrices of natural coordinates, and what they cost.
#include "methods/natural_coordinates/natural_matrix.h"

#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench::natural {
namespace {

// The matrix at a state, with the slack of `ali3p` or of accelerations.
struct MatrixAtState {
  NaturalModel model;
  NaturalMatrix matrix;
  Eigen::MatrixXd rows;  // Phi_q, if dense
  Eigen::Index unknowns;

  MatrixAtState(const System& system, const std::vector<BodyState>& bodies, double slack,
                bool is_dense)
      : model(system), matrix(model, {}), unknowns(AsIndex(3 * model.unknowns().size())) {
    Column<double> q(unknowns);
    for (std::size_t k = 0; k < model.unknowns().size(); ++k) {
      const Unknown& unknown = model.unknowns()[k];
      const BodyState& body = bodies[At(unknown.body)];
      q.segment<3>(AsIndex(3 * k)) =
          ToEigen(unknown.place[0] * body.position +
                  Rotate(body.orientation, FromEigen(unknown.place.tail<3>())));
    }
    model.ScaleRows(q);
    if (is_dense) rows = Eigen::MatrixXd::Zero(AsIndex(model.rows().size()), unknowns);
    RowValues<double> at;
    matrix.Begin();
    for (std::size_t k = 0; k < model.rows().size(); ++k) {
      const NaturalRow& row = model.rows()[k];
      row.Evaluate(q, q, at);
      matrix.AddRow(k, 0, slack, at, at);
      for (std::size_t i = 0; is_dense && i < row.unknowns().size(); ++i)
        rows.row(AsIndex(k)).segment<3>(3 * row.unknowns()[i]) = at.gradient[i].transpose();
    }
  }
};

TEST(NaturalMatrix, OperationsOfItsFactorsGrowWithTheBodiesOfATree) {
  for (const std::string family : {"chainN", "chainN3d", "revoluteN", "treeN"}) {
    for (const double slack : {0., 1e-4}) {
      const auto per_body = [&](int bodies) {
        const Problem problem = MakeProblem(family + ":bodies=" + std::to_string(bodies));
        MatrixAtState at(problem.system, ForwardKinematics(problem.system, problem.initial.joints),
                         slack, false);
        EXPECT_EQ(at.matrix.Factorise(), -1) << family;
        return static_cast<double>(at.matrix.CountOperations().multiplications) / bodies;
      };
      const double few = per_body(60), many = per_body(1000);
      EXPECT_NEAR(many / few, 1, 0.1) << family << ", slack " << slack;
      std::printf("  %s: %.0f multiplications per body\n", family.c_str(), many);
    }
  }
}

TEST(NaturalMatrix, SolvesMassesWithTheRowsOfAllJoints) {
  for (const JointType type : AllTreeJointTypes()) {
    RandomTreeOptions options{.bodies = 6, .types = {type}, .force_elements = false};
    if (type == JointType::kFixed) options.types = AllTreeJointTypes();
    const RandomTree tree = MakeRandomTree(21, options);
    for (const double slack : {0., 1e-4}) {
      MatrixAtState at(tree.system, tree.state.bodies, slack, true);
      const Eigen::Index rows = at.rows.rows(), size = at.unknowns + rows;
      const Column<double> x = Column<double>::LinSpaced(size, -1, 2);
      Column<double> right(size);
      right.head(at.unknowns) =
          at.model.TimesMass<double>(x.head(at.unknowns)) / at.model.mean_mass() +
          at.rows.transpose() * x.tail(rows);
      right.tail(rows) = at.rows * x.head(at.unknowns) - slack * x.tail(rows);
      ASSERT_EQ(at.matrix.Factorise(), -1) << Name(type);
      at.matrix.Solve(right);
      EXPECT_LT((right - x).norm(), 1e-9 * x.norm()) << Name(type) << ", slack " << slack;
    }
  }
}

TEST(NaturalMatrix, RefusesRowsThatDependOnOthersAndTakesThemWithSlack) {
  const Problem problem = MakeProblem("bricard");
  const std::vector<BodyState> bodies = ForwardKinematics(problem.system, problem.initial.joints);
  MatrixAtState rigid(problem.system, bodies, 0, false), slack(problem.system, bodies, 1e-4, false);
  EXPECT_GE(rigid.matrix.Factorise(), 0);
  EXPECT_EQ(slack.matrix.Factorise(), -1);
}

}  // namespace
}  // namespace mbsbench::natural
