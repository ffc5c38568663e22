/* A library of one method in C, sound or with one fault: the name of its file is the fault, or
 * "sound". It supports one link on a revolute to the ground. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "methods/foreign/c_method.h"

static int prepared = 0;
int c_library_prepared(void) { return prepared; }

static int is(const char* fault) {
  Dl_info self;
  if (!dladdr(&prepared, &self)) return 0;
  const char* slash = strrchr(self.dli_fname, '/');
  const char* name = slash ? slash + 1 : self.dli_fname;
  const size_t length = strlen(fault);
  return strncmp(name, fault, length) == 0 && strcmp(name + length, ".so") == 0;
}

static int supports(const mbsbench_model* model, char* why, size_t size) {
  if (is("refuses-silently")) return MBSBENCH_FAILED;
  if (is("refuses-without-end")) {
    memset(why, 'x', size);
    return MBSBENCH_FAILED;
  }
  if (model->link_count == 1) return MBSBENCH_OK;
  snprintf(why, size, "joint '%s' is the second one.", model->links[1].name);
  return MBSBENCH_FAILED;
}

static void* prepare(const mbsbench_model* model, char* why, size_t size) {
  if (is("prepares-nothing")) {
    snprintf(why, size, "there is\nno licence.");
    return NULL;
  }
  ++prepared;
  return (void*)model;
}
static void destroy(void* self) {
  (void)self;
  --prepared;
}

static int evaluate(void* self, double t, const double* q, const double* u, const double* loads,
                    const double* efforts, double* udot, char* why, size_t size) {
  const mbsbench_link* link = ((const mbsbench_model*)self)->links;
  (void)t, (void)u, (void)loads, (void)efforts;
  if (is("writes-nothing")) return MBSBENCH_OK;
  if (is("fails-silently")) return MBSBENCH_FAILED;
  if (is("fails-oddly")) return 77;
  if (is("is-singular")) {
    snprintf(why, size, "there is no inertia");
    return MBSBENCH_SINGULAR;
  }
  /* g in axes of P, then of C; the moment about z is x g_y - y g_x. */
  const double *g = ((const mbsbench_model*)self)->gravity, *R = link->turn, *h = link->moment;
  const double gx = R[0] * g[0] + R[3] * g[1] + R[6] * g[2];
  const double gy = R[1] * g[0] + R[4] * g[1] + R[7] * g[2];
  const double c = cos(q[0]), s = sin(q[0]);
  udot[0] = (h[0] * (c * gy - s * gx) - h[1] * (c * gx + s * gy)) / link->inertia[8];
  if (is("gives-nan")) udot[0] = NAN;
  if (is("gives-infinity")) udot[0] = INFINITY;
  return MBSBENCH_OK;
}

const mbsbench_library* mbsbench_c_methods(void) {
  static mbsbench_method method = {.key = "c-pendulum",
                                   .title = "Pendulum in C",
                                   .cost_exponent = 1,
                                   .joints = MBSBENCH_REVOLUTE,
                                   .traits = MBSBENCH_UNUSUAL_BODIES,
                                   .supports = supports,
                                   .prepare = prepare,
                                   .evaluate = evaluate,
                                   .destroy = destroy};
  static mbsbench_library library = {MBSBENCH_C_VERSION, 1, &method, NULL, NULL};
  if (is("no-description")) return NULL;
  if (is("version-of-tomorrow")) library.version = MBSBENCH_C_VERSION + 1;
  static const char* const files[] = {"table.txt", NULL};
  if (is("reads-a-file")) library.files = files;
  if (is("has-a-fault")) library.fault = "there is\nno licence.";
  if (is("no-methods")) library.methods = NULL;
  if (is("no-prepare")) method.prepare = NULL;
  if (is("no-evaluate")) method.evaluate = NULL;
  if (is("no-destroy")) method.destroy = NULL;
  if (is("no-key")) method.key = NULL;
  if (is("no-title")) method.title = NULL;
  if (is("key-in-upper-case")) method.key = "CPendulum";
  if (is("no-joints")) method.joints = 0;
  if (is("joints-of-tomorrow")) method.joints |= 1u << 20;
  if (is("traits-of-tomorrow")) method.traits |= 1u << 20;
  if (is("cost-that-is-no-number")) method.cost_exponent = NAN;
  return &library;
}
