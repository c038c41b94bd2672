// The scripts and styles of CurlewLive, embedded by the compiler (C23 section 6.10.3.1), because SwiftPM's `.embedInCode`
// doesn't work in Xcode (SwiftPM #6969, #9459). A changed file is embedded by the next build.
#include "CCurlewLiveAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char script[] = {
#embed "../CurlewLive/Assets/stream.js"
,
#embed "../CurlewLive/Assets/patch.js"
,
#embed "../CurlewLive/Assets/fields.js"
,
#embed "../CurlewLive/Assets/focus.js"
,
#embed "../CurlewLive/Assets/appear.js"
,
#embed "../CurlewLive/Assets/tabs.js"
,
#embed "../CurlewLive/Assets/notice.js"
,
#embed "../CurlewLive/Assets/hooks.js"
,
#embed "../CurlewLive/Assets/input.js"
,
#embed "../CurlewLive/Assets/address.js"
,
#embed "../CurlewLive/Assets/visit.js"
,
#embed "../CurlewLive/Inspector/Assets/inspect.js"
,
#embed "../CurlewLive/Assets/live.js"
};

static const unsigned char inspector_script[] = {
#embed "../CurlewLive/Inspector/Assets/inspector-open.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-markup.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-words.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-drawer.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-controls.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-timeline.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-sentences.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-rows.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-state.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-wire.js"
,
#embed "../CurlewLive/Inspector/Assets/inspector-changes.js"
};

static const unsigned char inspector_styles[] = {
#embed "../CurlewLive/Inspector/Assets/inspector.css"
};

CurlewLiveAsset curlew_live_script(void) { return (CurlewLiveAsset){script, sizeof script}; }
CurlewLiveAsset curlew_live_inspector_script(void) { return (CurlewLiveAsset){inspector_script, sizeof inspector_script}; }
CurlewLiveAsset curlew_live_inspector_styles(void) { return (CurlewLiveAsset){inspector_styles, sizeof inspector_styles}; }
