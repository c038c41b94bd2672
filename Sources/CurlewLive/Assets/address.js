// The address that the browser shows, and the entries of its history.
//
// Each entry has in its state the page that it belongs to, and a name of its own.
const entryOf = (page) => ({ page, entry: Math.random().toString(36).slice(2) });

// Adds or replaces an entry. Browsers refuse too many in a short time; the next state has the
// address, too.
function setEntry(isNew, page, url) {
  try {
    if (isNew) history.pushState(entryOf(page), "", url);
    else history.replaceState({ ...entryOf(page), ...history.state, page }, "", url);
    shownEntry = history.state.entry;
  } catch { /* Refused. */ }
}

// Keeps the address of a page at that of its newest state.
function addressBar(page) {
  const present = () => location.pathname + location.search;
  // The newest title and address that the server has sent; `isHistoryEntry` is whether the back
  // button should return to the address.
  const initial = () => ({ title: document.title, url: present(), isHistoryEntry: true });
  let shown = initial();
  let isEntry = true;      // whether the back button should return to the current address
  let since = -Infinity;   // the time when a state set the current address
  let wasTyped = false;    // whether that state resulted from a text that was being typed

  if (history.state?.page !== page) setEntry(false, page, present() + location.hash);
  return {
    // The session is a new one, which has sent nothing yet.
    reset() { shown = initial(); },
    // The user went to another entry.
    moved() {
      isEntry = true;
      since = -Infinity;
    },
    // Takes what an update says of the title and the address.
    take(state) {
      for (const name of Object.keys(shown)) shown[name] = state[name] ?? shown[name];
      document.title = shown.title;
    },
    // Shows the address. `hasActed` is whether the user did something since the last navigation,
    // `isTyping` whether that is a text that is being typed.
    show({ isSamePlace, hasActed, isTyping }) {
      if (shown.url !== present()) {
        // Without an action since the last navigation, the page has only normalized the address, so
        // the history entry is replaced. It is also replaced when the user typed on within 500 ms, or
        // has only come further down a list.
        const isKept = isEntry && !isSamePlace && hasActed
          && (!isTyping || !wasTyped || performance.now() - since > 500);
        setEntry(isKept, page, shown.url);
        since = performance.now();
        wasTyped = isTyping;
      }
      isEntry = shown.isHistoryEntry;
    },
  };
}
