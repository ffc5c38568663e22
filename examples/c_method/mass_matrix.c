/* A method in C: the joint-space mass matrix of a tree of revolutes and prismatic joints, and its Cholesky
 * factors. The example of docs/plugins_in_other_languages.md.
 *
 * Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 5 and 6. Everything is in inertial axes, each
 * link's about its own origin. Link i has the parent p, the arm r from the origin of p, the joint's axis z, and
 * mass m, first moment h and inertia J; a and alpha are accelerations at u' = 0, less gravity.
 *   alpha = alpha_p + omega_p x z u                (turns)
 *   a = a_p + alpha_p x r + omega_p x (omega_p x r)   (+ 2 omega_p x z u, slides)                       (1)
 *   f = m a + alpha x h + omega x (omega x h) - load
 *   n = J alpha + h x a + omega x J omega - moment of the load                                           (2)
 *   M_ij = z_j . (wrench that gives the composite body of link i unit acceleration about z_i),  j above i (3)
 *   M u' = efforts - z . (n or f), summed from the tips to the root                                        (4)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "methods/foreign/c_method.h"

enum { MOST_RATES = 1000 }; /* M is dense */

typedef struct {
  double R[9], z[3], r[3], omega[3], alpha[3], a[3];
  double m, h[3], J[9], f[3], n[3]; /* composite after the way back to the root */
} Link;

typedef struct {
  const mbsbench_model* model;
  Link* links;
  double* M;       /* rate_count x rate_count, lower triangle */
  double* largest; /* per row: the largest inertia that its joint could meet */
} Tree;

/* s += a x b */
static void add_cross(const double a[3], const double b[3], double s[3]) {
  s[0] += a[1] * b[2] - a[2] * b[1];
  s[1] += a[2] * b[0] - a[0] * b[2];
  s[2] += a[0] * b[1] - a[1] * b[0];
}
/* s += a x (a x b) */
static void add_cross_twice(const double a[3], const double b[3], double s[3]) {
  double once[3] = {0, 0, 0};
  add_cross(a, b, once);
  add_cross(a, once, s);
}
static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* s += A v */
static void add_times(const double A[9], const double v[3], double s[3]) {
  for (int i = 0; i < 3; ++i) s[i] += dot(A + 3 * i, v);
}
/* C = A B, or A B' */
static void product(const double A[9], const double B[9], int transposed, double C[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      C[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k)
        C[3 * i + j] += A[3 * i + k] * (transposed ? B[3 * j + k] : B[3 * k + j]);
    }
}

/* (1) and (2) */
static void move(const mbsbench_model* model, const mbsbench_link* from, const Link* p, double q,
                 double u, const double* load, Link* link) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const int turns = from->joint == MBSBENCH_REVOLUTE;
  const double* R_p = p ? p->R : unit;
  double A[9];
  product(R_p, from->turn, 0, A);
  const double c = turns ? cos(q) : 1, s = turns ? sin(q) : 0;
  for (int i = 0; i < 3; ++i) {
    link->R[3 * i] = A[3 * i] * c + A[3 * i + 1] * s;
    link->R[3 * i + 1] = A[3 * i + 1] * c - A[3 * i] * s;
    link->R[3 * i + 2] = link->z[i] = A[3 * i + 2];
    link->r[i] = turns ? 0 : q * link->z[i];
  }
  add_times(R_p, from->arm, link->r);
  for (int i = 0; i < 3; ++i) {
    link->omega[i] = (p ? p->omega[i] : 0) + (turns ? u * link->z[i] : 0);
    link->alpha[i] = p ? p->alpha[i] : 0;
    link->a[i] = p ? p->a[i] : -model->gravity[i];
  }
  if (p) {
    const double zu[3] = {u * link->z[0], u * link->z[1], u * link->z[2]};
    const double zu2[3] = {2 * zu[0], 2 * zu[1], 2 * zu[2]};
    add_cross(p->alpha, link->r, link->a);
    add_cross_twice(p->omega, link->r, link->a);
    if (turns)
      add_cross(p->omega, zu, link->alpha);
    else
      add_cross(p->omega, zu2, link->a);
  }
  link->m = from->mass;
  memset(link->h, 0, sizeof link->h);
  add_times(link->R, from->moment, link->h);
  product(link->R, from->inertia, 0, A);
  product(A, link->R, 1, link->J);
  double angular_momentum[3] = {0, 0, 0};
  add_times(link->J, link->omega, angular_momentum);
  for (int i = 0; i < 3; ++i) {
    link->f[i] = link->m * link->a[i] - (load ? load[i] : 0);
    link->n[i] = load ? -load[3 + i] : 0;
  }
  add_cross(link->alpha, link->h, link->f);
  add_cross_twice(link->omega, link->h, link->f);
  add_times(link->J, link->alpha, link->n);
  add_cross(link->h, link->a, link->n);
  add_cross(link->omega, angular_momentum, link->n);
}

/* A composite body and its wrench, transferred to the origin of the parent. */
static void hand_over(const Link* link, Link* p) {
  const double* r = link->r;
  double g[3];
  for (int i = 0; i < 3; ++i) g[i] = link->h[i] + 0.5 * link->m * r[i];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      p->J[3 * i + j] +=
          link->J[3 * i + j] + (i == j ? 2 * dot(g, r) : 0) - g[i] * r[j] - r[i] * g[j];
  for (int i = 0; i < 3; ++i) {
    p->h[i] += link->h[i] + link->m * r[i];
    p->f[i] += link->f[i];
    p->n[i] += link->n[i];
  }
  p->m += link->m;
  add_cross(r, link->f, p->n);
}

static double along(const mbsbench_link* from, const Link* link, const double f[3],
                    const double n[3]) {
  return dot(link->z, from->joint == MBSBENCH_REVOLUTE ? n : f);
}

/* (3) */
static void set_row(const Tree* tree, int i) {
  const mbsbench_link* links = tree->model->links;
  const Link* link = tree->links + i;
  double* row = tree->M + (size_t)links[i].u * (size_t)tree->model->rate_count;
  double f[3] = {0, 0, 0}, n[3] = {0, 0, 0};
  if (links[i].joint == MBSBENCH_REVOLUTE) {
    add_cross(link->z, link->h, f);
    add_times(link->J, link->z, n);
    tree->largest[links[i].u] = link->J[0] + link->J[4] + link->J[8];
  } else {
    tree->largest[links[i].u] = link->m;
    for (int k = 0; k < 3; ++k) f[k] = link->m * link->z[k];
    add_cross(link->h, link->z, n);
  }
  for (int j = i;;) {
    const double entry = along(links + j, tree->links + j, f, n);
    if (links[j].u <= links[i].u)
      row[links[j].u] = entry;
    else
      tree->M[(size_t)links[j].u * (size_t)tree->model->rate_count + (size_t)links[i].u] = entry;
    if (links[j].parent < 0) break;
    add_cross(tree->links[j].r, f, n);
    j = links[j].parent;
  }
}

/* M = L L', L in place of M; the row without an inverse, or -1. A diagonal entry of M may be round-off itself, so it is no measure
   of a pivot. */
static int factorise(double* M, const double* largest, int size) {
  const size_t n = (size_t)size;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = M[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= M[i * n + k] * M[j * n + k];
      if (j < i) {
        M[i * n + j] = sum / M[j * n + j];
      } else {
        if (!(sum > 1e-14 * largest[i])) return (int)i;
        M[i * n + i] = sqrt(sum);
      }
    }
  }
  return -1;
}

static void solve(const double* L, int size, double* x) {
  const size_t n = (size_t)size;
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

static int supports(const mbsbench_model* model, char* why, size_t size) {
  if (model->rate_count <= MOST_RATES) return MBSBENCH_OK;
  snprintf(why, size, "joint '%s' is beyond the %d joints that c-mass-matrix takes.",
           model->links[MOST_RATES].name, MOST_RATES);
  return MBSBENCH_FAILED;
}

static void destroy(void* self) {
  Tree* tree = self;
  free(tree->links);
  free(tree->M);
  free(tree->largest);
  free(tree);
}

static void* prepare(const mbsbench_model* model, char* why, size_t size) {
  const size_t n = (size_t)model->rate_count;
  Tree* tree = calloc(1, sizeof *tree);
  if (tree) {
    tree->model = model;
    tree->links = calloc((size_t)model->link_count, sizeof *tree->links);
    tree->M = calloc(n * n, sizeof *tree->M);
    tree->largest = calloc(n, sizeof *tree->largest);
    if (tree->links && tree->M && tree->largest) return tree;
    destroy(tree);
  }
  snprintf(why, size, "there is no memory for %d links.", model->link_count);
  return NULL;
}

static int evaluate(void* self, double t, const double* q, const double* u, const double* loads,
                    const double* efforts, double* udot, char* why, size_t size) {
  Tree* tree = self;
  const mbsbench_model* model = tree->model;
  const mbsbench_link* links = model->links;
  const int n = model->rate_count;
  (void)t;
  for (int i = 0; i < model->link_count; ++i) {
    const Link* p = links[i].parent < 0 ? NULL : tree->links + links[i].parent;
    move(model, links + i, p, q[links[i].q], u[links[i].u], loads ? loads + 6 * i : NULL,
         tree->links + i);
  }
  memset(tree->M, 0, (size_t)n * (size_t)n * sizeof *tree->M);
  for (int i = model->link_count - 1; i >= 0; --i) {
    const Link* link = tree->links + i;
    const double effort = efforts ? efforts[links[i].u] : 0;
    udot[links[i].u] = effort - along(links + i, link, link->f, link->n); /* (4) */
    set_row(tree, i);
    if (links[i].parent >= 0) hand_over(link, tree->links + links[i].parent);
  }
  const int singular = factorise(tree->M, tree->largest, n);
  if (singular >= 0) {
    snprintf(why, size, "the mass matrix has no inverse");
    return MBSBENCH_SINGULAR;
  }
  solve(tree->M, n, udot);
  return MBSBENCH_OK;
}

const mbsbench_library* mbsbench_c_methods(void) {
  static const mbsbench_method method = {
      .key = "c-mass-matrix",
      .title = "Mass matrix in C",
      .source = "Featherstone 2008, ch. 5 and 6",
      .description = "Composite rigid bodies and a dense Cholesky factorisation, written in C.",
      .cost_exponent = 3,
      .joints = MBSBENCH_REVOLUTE | MBSBENCH_PRISMATIC,
      .traits = MBSBENCH_IN_SPACE | MBSBENCH_FORCES | MBSBENCH_UNUSUAL_BODIES,
      .supports = supports,
      .prepare = prepare,
      .evaluate = evaluate,
      .destroy = destroy};
  static const mbsbench_library library = {MBSBENCH_C_VERSION, 1, &method, NULL, NULL};
  return &library;
}
