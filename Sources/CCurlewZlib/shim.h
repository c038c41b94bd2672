#include <limits.h>
#include <stddef.h>
#include <zlib.h>

// Swift can't call macros such as deflateInit2.
static inline int curlew_deflateInit(z_streamp stream, int level, int windowBits) {
  return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

static inline int curlew_inflateInit(z_streamp stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

// Sets the buffers of the next call, up to the 32 bits in which zlib counts. zlib does not write to its input.
static inline void curlew_setBuffers(
    z_streamp stream, const void *input, size_t length, void *output, size_t room) {
  stream->next_in = (Bytef *)input;
  stream->avail_in = length < UINT_MAX ? (uInt)length : UINT_MAX;
  stream->next_out = (Bytef *)output;
  stream->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
}
