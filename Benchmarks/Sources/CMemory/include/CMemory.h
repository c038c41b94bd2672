#pragma once
#include <stddef.h>

#if defined(__linux__)
#include <malloc.h>
/// Bytes that are allocated now, in all arenas.
static inline size_t bytes_allocated(void) { return mallinfo2().uordblks; }
#else
#include <malloc/malloc.h>
/// Bytes that are allocated now, in all zones.
static inline size_t bytes_allocated(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#endif
