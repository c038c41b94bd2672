#include <stddef.h>

/// Bytes that exist as long as the process.
typedef struct {
  const unsigned char *start;
  size_t count;
} CurlewLiveAsset;

/// The script that makes pages live.
CurlewLiveAsset curlew_live_script(void);
/// The script of the inspector.
CurlewLiveAsset curlew_live_inspector_script(void);
/// The style sheet of the inspector.
CurlewLiveAsset curlew_live_inspector_styles(void);
