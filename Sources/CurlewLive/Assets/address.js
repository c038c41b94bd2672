// The address bar and the history entries.
//
// The state of each history entry contains the path of its page and a random name.
const entryOf = (page) => ({ page, entry: Math.random().toString(36).slice(2) });

// Adds or replaces a history entry. Browsers reject frequent changes; the next update then tries
// again.
function setEntry(isNew, page, url) {
  try {
    if (isNew) history.pushState(entryOf(page), "", url);
    else history.replaceState({ ...entryOf(page), ...history.state, page }, "", url);
    shownEntry = history.state.entry;
  } catch { /* Rejected. */ }
}

// Keeps the address, the title and the history entry of a page up to date with its newest state.
function addressBar(page) {
  const present = () => location.pathname + location.search;
  // The newest title and address that the server has sent; `isHistoryEntry` is whether the back
  // button should return to the address.
  const initial = () => ({ title: document.title, url: present(), isHistoryEntry: true });
  let shown = initial();
  let isEntry = true;      // whether the back button should return to the current address
  let since = -Infinity;   // the time when a state set the current address
  let wasTyped = false;    // whether typing led to that state

  if (history.state?.page !== page) setEntry(false, page, present() + location.hash);
  return {
    // Discards the title and address of the previous session.
    reset() { shown = initial(); },
    // Handles a navigation to another history entry.
    moved() {
      isEntry = true;
      since = -Infinity;
    },
    // Stores the title and address of an update, and shows the title.
    take(state) {
      for (const name of Object.keys(shown)) shown[name] = state[name] ?? shown[name];
      document.title = shown.title;
    },
    // Shows the address. `isSamePage` is whether only the position in a list differs, `hasActed` whether
    // the user has acted since the last navigation, `isTyping` whether the newest action is typed text.
    show({ isSamePage, hasActed, isTyping }) {
      if (shown.url !== present()) {
        // Without an action since the last navigation, the page has only normalized the address, so
        // the history entry is replaced. It is also replaced when typing changes the address twice within
        // 500 ms, or when only the position in a list has changed.
        const isKept = isEntry && !isSamePage && hasActed
          && (!isTyping || !wasTyped || performance.now() - since > 500);
        if (isKept) noteEntry();
        setEntry(isKept, page, shown.url);
        since = performance.now();
        wasTyped = isTyping;
      }
      isEntry = shown.isHistoryEntry;
    },
  };
}
