#include <stddef.h>

/// Bytes that exist as long as the process.
typedef struct {
  const unsigned char *start;
  size_t count;
} SandboxFile;

/// The files in `Sandbox/Data`, by their names.
SandboxFile sandbox_dogs_json(void);
SandboxFile sandbox_drawings_json(void);
SandboxFile sandbox_github_repositories_json(void);
SandboxFile sandbox_github_responses_json(void);
SandboxFile sandbox_github_words_json(void);
SandboxFile sandbox_itunes_json(void);
SandboxFile sandbox_page_css(void);
SandboxFile sandbox_page_html(void);
SandboxFile sandbox_real_data_json(void);
SandboxFile sandbox_tmdb_json(void);
