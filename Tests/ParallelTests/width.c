// At most as many tests in parallel as there are cores, which `swift test` and Xcode can't be told otherwise: a test that
// waits for a core longer than for a response would exceed its time limit.
#include "ParallelTests.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void limit_parallel_tests(void) {
  char width[16];
  snprintf(width, sizeof width, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
