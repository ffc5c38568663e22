/* Methods in other languages: the interface that a shared library exports to provide methods.
 * Plain C99, version 2: trees of links in joint coordinates. docs/plugins_in_other_languages.md explains it,
 * examples/c_method and examples/python_method are complete.
 *
 * A link is a group of bodies that fixed joints hold together. Its axes and its origin are those of the child frame of the
 * joint that carries it. SI units, radians, right-handed axes; matrices row by row; a rotation matrix transforms
 * from the first axes to the second, v_second = R v_first.
 */
#ifndef MBSBENCH_C_METHOD_H
#define MBSBENCH_C_METHOD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MBSBENCH_C_VERSION 2

/* Joints: coordinates q and rates u of the child frame C in the parent frame P.
 *   revolute   q  angle about the common z axis;  u  its rate
 *   prismatic  q  displacement of C along z of P;  u  its rate
 *   ball       q  unit quaternion C -> P, (w, x, y, z);  u  angular velocity of C in P, axes of C (3)
 *   free       q  origin of C in P (3), quaternion C -> P (4)
 *              u  rate of that origin in P (3), angular velocity, axes of C (3)
 */
enum mbsbench_joint {
  MBSBENCH_REVOLUTE = 1,
  MBSBENCH_PRISMATIC = 2,
  MBSBENCH_BALL = 4,
  MBSBENCH_FREE = 8
};

/* Features that a method supports in addition to bodies with mass and inertia, moving in one plane under gravity. */
enum mbsbench_trait {
  MBSBENCH_IN_SPACE = 1,       /* motion out of one plane */
  MBSBENCH_FORCES = 2,         /* force elements, given as loads and efforts */
  MBSBENCH_UNUSUAL_BODIES = 4, /* bodies without inertia, without mass, or without both */
};

typedef struct mbsbench_link {
  const char* name;  /* of the joint that carries it */
  int parent;        /* index of a link before this one; -1: the ground */
  int joint;         /* one of enum mbsbench_joint */
  int q, u;          /* index of its first coordinate and of its first rate */
  double arm[3];     /* parent's origin -> origin of P, parent's axes [m] */
  double turn[9];    /* axes of P -> parent's axes */
  double mass;       /* m [kg] */
  double moment[3];  /* m times (own origin -> mass centre), own axes [kg m] */
  double inertia[9]; /* about the own origin, own axes [kg m^2] */
} mbsbench_link;

typedef struct mbsbench_model {
  int link_count, coordinate_count, rate_count;
  const mbsbench_link* links;
  double gravity[3]; /* inertial axes [m/s^2] */
} mbsbench_model;

/* Return values of supports and evaluate. */
enum mbsbench_result { MBSBENCH_OK = 0, MBSBENCH_SINGULAR = 1, MBSBENCH_FAILED = 2 };

/* One method. `why` is a buffer of `size` bytes, at least 200, for one sentence that ends with a zero byte. A
 * function may be called for several models at once, but for one model from one thread only. */
typedef struct mbsbench_method {
  const char* key;         /* lower-case letters, digits and hyphens */
  const char* title;       /* one line */
  const char* source;      /* citation; may be NULL */
  const char* description; /* may be NULL */
  double cost_exponent;    /* the cost of an evaluation grows with the links to this power */
  unsigned joints;         /* bits of enum mbsbench_joint */
  unsigned traits;         /* bits of enum mbsbench_trait */

  /* Whether a model of these joints and traits is supported: MBSBENCH_OK, or MBSBENCH_FAILED with the reason,
   * which names a joint. The model is valid during the call; it may have 100,000 links. May be NULL. */
  int (*supports)(const mbsbench_model* model, char* why, size_t size);

  /* Returns the `self` of evaluate; NULL on failure, with the reason. The model is valid until destroy. */
  void* (*prepare)(const mbsbench_model* model, char* why, size_t size);

  /* Rates of the rates, u' [rate_count], at time t [s] from q [coordinate_count] and u [rate_count].
   *   loads    per link force [N] and moment [N m] of force elements about its origin, inertial axes (6
   *            numbers); without gravity. NULL: none
   *   efforts  per rate the generalised force of springs and motors in joints at t [N m or N]. NULL: none
   * The length of quaternions may differ from 1 by round-off. Allocates nothing. */
  int (*evaluate)(void* self, double t, const double* q, const double* u, const double* loads,
                  const double* efforts, double* udot, char* why, size_t size);

  void (*destroy)(void* self);
} mbsbench_method;

typedef struct mbsbench_library {
  int version; /* MBSBENCH_C_VERSION when the library was compiled */
  int method_count;
  const mbsbench_method* methods;
  const char* fault; /* a sentence that says why the methods cannot be used; NULL: they can */
  /* Files other than the library on which its results depend, such as the script that it runs; the last entry is NULL. A changed
   * file makes a run compute its trials again. Relative paths start at the library's folder. NULL: none. */
  const char* const* files;
} mbsbench_library;

/* The only symbol that a library exports. Its result stays valid and unchanged. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const mbsbench_library*
mbsbench_c_methods(void);

#ifdef __cplusplus
}
#endif

#endif
