/* A method in Python for mbsbench, without any change to this file: PYTHON is the interpreter, SCRIPT the file
 * that ends in mbsbench_method.serve(CLASS).
 *
 * Each model has a Python process of its own, which reads requests and writes replies, one line each, on
 * descriptor 3. If the process ends, the call fails with a message. If it hangs, the limits of mbsbench end it
 * together with the process that waits for it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "methods/foreign/c_method.h"

enum {
  CHANNEL = 3,
  NUMBER_SIZE = 26,
  REPLY_SIZE = 4096,
  DESCRIPTION_SIZE = 65536,
  MOST_FILES = 200
};

typedef struct {
  const mbsbench_model* model;
  pid_t pid;
  int channel;
  char* line; /* of a request or of a reply */
  size_t size;
} Python;

static void end(Python* python) {
  if (python->channel >= 0) close(python->channel);
  if (python->pid > 0) {
    kill(python->pid, SIGKILL);
    while (waitpid(python->pid, NULL, 0) < 0 && errno == EINTR) continue;
  }
  free(python->line);
  free(python);
}

/* Between fork and exec: system calls only. */
static void become_python(pid_t parent, int channel) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* it ended before that took hold */
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  if (channel == CHANNEL)
    fcntl(channel, F_SETFD, 0);
  else
    dup2(channel, CHANNEL);
  for (int other = CHANNEL + 1; other < 1024; ++other) close(other);
  execl(PYTHON, PYTHON, "-B", SCRIPT, (char*)NULL);
  _exit(127);
}

static Python* start(size_t size, char* why, size_t why_size) {
  int ends[2];
  Python* python = calloc(1, sizeof *python);
  if (python) {
    python->channel = -1;
    python->size = size;
    python->line = malloc(size);
  }
  if (!python || !python->line || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    snprintf(why, why_size, "Python cannot be started: %s.", strerror(errno));
    if (python) end(python);
    return NULL;
  }
  const pid_t parent = getpid();
  python->channel = ends[0];
  python->pid = fork();
  if (python->pid == 0) become_python(parent, ends[1]);
  close(ends[1]);
  if (python->pid < 0) {
    snprintf(why, why_size, "Python cannot be started: %s.", strerror(errno));
    end(python);
    return NULL;
  }
  return python;
}

/* The message for a closed channel. */
static int has_ended(Python* python, char* why, size_t size) {
  int status = 0;
  while (waitpid(python->pid, &status, 0) < 0 && errno == EINTR) continue;
  python->pid = -1;
  if (WIFSIGNALED(status))
    snprintf(why, size, "Python was ended by signal %d: %s", WTERMSIG(status), SCRIPT);
  else
    snprintf(why, size, "Python ended with code %d: '%s %s' may show why", WEXITSTATUS(status),
             PYTHON, SCRIPT);
  return MBSBENCH_FAILED;
}

/* Sends python->line and reads the reply into it, without its word. */
static int ask(Python* python, char* why, size_t size) {
  if (python->pid < 0) {
    snprintf(why, size, "Python has ended: %s", SCRIPT);
    return MBSBENCH_FAILED;
  }
  for (size_t sent = 0, all = strlen(python->line); sent < all;) {
    const ssize_t n = send(python->channel, python->line + sent, all - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return has_ended(python, why, size);
    sent += (size_t)n;
  }
  size_t length = 0;
  while (length == 0 || python->line[length - 1] != '\n') {
    const ssize_t n = recv(python->channel, python->line + length, python->size - 1 - length, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 && length < python->size - 1) return has_ended(python, why, size);
    if (n <= 0) {
      snprintf(why, size, "Python gives too long a reply: %s", SCRIPT);
      return MBSBENCH_FAILED;
    }
    length += (size_t)n;
  }
  python->line[length - 1] = '\0';
  if (strncmp(python->line, "ok", 2) == 0) return MBSBENCH_OK;
  const char* space = strchr(python->line, ' ');
  snprintf(why, size, "%s", space ? space + 1 : python->line);
  return strncmp(python->line, "singular", 8) == 0 ? MBSBENCH_SINGULAR : MBSBENCH_FAILED;
}

/* ---- requests */

static char* put_numbers(char* to, const double* numbers, int count, const char* between) {
  for (int i = 0; i < count; ++i) to += sprintf(to, "%s%.17g", i ? between : "", numbers[i]);
  return to;
}

static char* put_list(char* to, const char* name, const double* numbers, int count) {
  to = put_numbers(to + sprintf(to, ", \"%s\": [", name), numbers, count, ", ");
  return to + sprintf(to, "]");
}

static char* put_text(char* to, const char* text) {
  for (*to++ = '"'; *text; ++text) {
    if ((unsigned char)*text < 0x20 || *text == '"' || *text == '\\')
      to += sprintf(to, "\\u%04x", (unsigned)(unsigned char)*text);
    else
      *to++ = *text;
  }
  *to++ = '"';
  return to;
}

static const char* name_of(int joint) {
  return joint == MBSBENCH_REVOLUTE    ? "revolute"
         : joint == MBSBENCH_PRISMATIC ? "prismatic"
         : joint == MBSBENCH_BALL      ? "ball"
                                       : "free";
}

static void put_model(char* to, const mbsbench_model* model) {
  to += sprintf(to, "prepare {\"coordinate_count\": %d, \"rate_count\": %d",
                model->coordinate_count, model->rate_count);
  to = put_list(to, "gravity", model->gravity, 3);
  to += sprintf(to, ", \"links\": [");
  for (int i = 0; i < model->link_count; ++i) {
    const mbsbench_link* link = model->links + i;
    to += sprintf(to, "%s{\"name\": ", i ? ", " : "");
    to = put_text(to, link->name);
    to += sprintf(to, ", \"parent\": %d, \"joint\": \"%s\", \"q\": %d, \"u\": %d, \"mass\": %.17g",
                  link->parent, name_of(link->joint), link->q, link->u, link->mass);
    to = put_list(to, "arm", link->arm, 3);
    to = put_list(to, "turn", link->turn, 9);
    to = put_list(to, "moment", link->moment, 3);
    to = put_list(to, "inertia", link->inertia, 9);
    *to++ = '}';
  }
  sprintf(to, "]}\n");
}

/* Number of bytes that a model or an evaluation of it may need. */
static size_t size_for(const mbsbench_model* model) {
  const size_t links = (size_t)model->link_count;
  size_t size = REPLY_SIZE + links * (40 * NUMBER_SIZE + 200);
  for (size_t i = 0; i < links; ++i) size += 6 * strlen(model->links[i].name);
  return size;
}

/* ---- the method */

static mbsbench_method method;
static int most_links;

static int supports(const mbsbench_model* model, char* why, size_t size) {
  if (model->link_count <= most_links) return MBSBENCH_OK;
  snprintf(why, size, "joint '%s' is beyond the %d that %s takes.", model->links[most_links].name,
           most_links, method.key);
  return MBSBENCH_FAILED;
}

static void destroy(void* self) { end(self); }

static void* prepare(const mbsbench_model* model, char* why, size_t size) {
  Python* python = start(size_for(model), why, size);
  if (!python) return NULL;
  python->model = model;
  put_model(python->line, model);
  if (ask(python, why, size) == MBSBENCH_OK) return python;
  end(python);
  return NULL;
}

static int evaluate(void* self, double t, const double* q, const double* u, const double* loads,
                    const double* efforts, double* udot, char* why, size_t size) {
  Python* python = self;
  const mbsbench_model* model = python->model;
  char* to = python->line + sprintf(python->line, "evaluate %d %d %.17g ", !!loads, !!efforts, t);
  to = put_numbers(to, q, model->coordinate_count, " ");
  *to++ = ' ';
  to = put_numbers(to, u, model->rate_count, " ");
  *to++ = ' ';
  if (loads) to = put_numbers(to, loads, 6 * model->link_count, " ");
  *to++ = ' ';
  if (efforts) to = put_numbers(to, efforts, model->rate_count, " ");
  strcpy(to, "\n");
  const int result = ask(python, why, size);
  if (result != MBSBENCH_OK) return result;
  char* from = python->line + 2;
  for (int i = 0; i < model->rate_count; ++i) udot[i] = strtod(from, &from);
  return MBSBENCH_OK;
}

/* SCRIPT, what it imports and what the class names, for mbsbench_library. */
static const char* files[MOST_FILES + 1];

/* The description by the class in SCRIPT; the texts stay in `line`. */
static int describe(char* why, size_t size) {
  Python* python = start(DESCRIPTION_SIZE, why, size);
  if (!python) return 0;
  static char line[DESCRIPTION_SIZE];
  char* fields[9] = {NULL};
  strcpy(python->line, "describe\n");
  const int result = ask(python, why, size);
  strcpy(line, python->line);
  end(python);
  if (result != MBSBENCH_OK) return 0;
  char* rest = line;
  for (int i = 0; i < 9; ++i) fields[i] = strsep(&rest, "\t");
  if (!fields[8]) {
    snprintf(why, size, "Python gives half a description: %s", SCRIPT);
    return 0;
  }
  for (int i = 0; rest; ++i) {
    if (i == MOST_FILES) {
      snprintf(why, size, "it depends on more than %d files: %s", MOST_FILES, SCRIPT);
      return 0;
    }
    files[i] = strsep(&rest, "\t");
  }
  most_links = atoi(fields[8]);
  const mbsbench_method described = {.key = fields[1],
                                     .title = fields[2],
                                     .source = fields[3],
                                     .description = fields[4],
                                     .cost_exponent = strtod(fields[5], NULL),
                                     .joints = (unsigned)atoi(fields[6]),
                                     .traits = (unsigned)atoi(fields[7]),
                                     .supports = supports,
                                     .prepare = prepare,
                                     .evaluate = evaluate,
                                     .destroy = destroy};
  method = described;
  return 1;
}

const mbsbench_library* mbsbench_c_methods(void) {
  static char fault[1000];
  static mbsbench_library library = {MBSBENCH_C_VERSION, 1, &method, NULL, files};
  if (!method.prepare && !describe(fault, sizeof fault)) library.fault = fault;
  return &library;
}
