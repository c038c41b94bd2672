#pragma once
#include <stddef.h>

#if defined(__linux__)
#include <malloc.h>
/// Returns the number of allocated bytes, in all arenas and `mmap` blocks.
static inline size_t bytes_allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
#include <malloc/malloc.h>
/// Returns the number of allocated bytes, in all zones.
static inline size_t bytes_allocated(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#endif
