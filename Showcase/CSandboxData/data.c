// The sandbox's data, embedded by the compiler (C23 section 6.10.3.1): SwiftPM's `.embedInCode` makes array literals, which
// take longer to compile than all code of the sandbox, and doesn't work in Xcode (SwiftPM #6969, #9459).
#include "CSandboxData.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char dogs_json[] = {
#embed "../Sandbox/Data/dogs.json"
};
static const unsigned char drawings_json[] = {
#embed "../Sandbox/Data/drawings.json"
};
static const unsigned char github_repositories_json[] = {
#embed "../Sandbox/Data/github-repositories.json"
};
static const unsigned char github_responses_json[] = {
#embed "../Sandbox/Data/github-responses.json"
};
static const unsigned char github_words_json[] = {
#embed "../Sandbox/Data/github-words.json"
};
static const unsigned char itunes_json[] = {
#embed "../Sandbox/Data/itunes.json"
};
static const unsigned char page_css[] = {
#embed "../Sandbox/Data/page.css"
};
static const unsigned char page_html[] = {
#embed "../Sandbox/Data/page.html"
};
static const unsigned char real_data_json[] = {
#embed "../Sandbox/Data/real-data.json"
};
static const unsigned char tmdb_json[] = {
#embed "../Sandbox/Data/tmdb.json"
};

#define FILE(name) SandboxFile sandbox_##name(void) { return (SandboxFile){name, sizeof name}; }
FILE(dogs_json)
FILE(drawings_json)
FILE(github_repositories_json)
FILE(github_responses_json)
FILE(github_words_json)
FILE(itunes_json)
FILE(page_css)
FILE(page_html)
FILE(real_data_json)
FILE(tmdb_json)
