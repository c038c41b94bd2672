// Keeps a page live: sends the user's actions, receives the screen's states, and shows them.
// What it sends and receives is described in Documentation/Live.md.
function keepLive(root) {
  const path = root.dataset.live.replace(/\/$/, "");       // empty for a page at "/"
  const build = root.dataset.liveBuild;                    // the document's version
  let session = root.dataset.liveSession || "";
  let isKnown = Boolean(session);                          // whether the server has the session
  let kept = root.dataset.liveState || "";                 // what a new session gets from this tab
  let version = Number(root.dataset.liveVersion) || 0;     // of the displayed markup; 0 for none

  // The name of this tab. A session belongs to one tab, so that a copy of the tab gets its own.
  const tab = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // ---- Sending actions: one at a time and in order. ---------------------------------------------

  const queue = [];
  let sending = false;
  let lastNumber = 0;      // the number of the newest action
  let acknowledged = 0;    // the number of the newest action that the displayed state includes
  let acted = 0;           // the number of the newest action of the user
  let navigated = 0;       // the number of the newest action of the back or forward button
  let misses = 0;          // how many actions in a row met no session
  let isTyping = false;    // whether the newest action is a text that is being typed

  function send(name, value, isText = false) {
    isTyping = isText;
    acted = lastNumber + 1;
    push(name, value, isText);
  }

  function push(name, value, isText = false) {
    const newest = queue[queue.length - 1];
    // A newer text or address, or the same action again, replaces the one that waits before it.
    const isSame = newest?.name === name
      && (isText || name === "live:navigate" || newest.value === value);
    if (isSame && !(sending && queue.length === 1)) queue.pop();
    // As in a form's request, a half of a surrogate pair is replaced.
    queue.push({ number: ++lastNumber, name, value: value.toWellFormed?.() ?? value });
    wake();
    flush();
  }

  async function flush() {
    if (sending || !queue.length || !isKnown) return;
    sending = true;
    const sender = session;
    let status = 0;
    try {
      const response = await fetch(path + "/events", {
        method: "POST", body: JSON.stringify(queue[0]), credentials: "same-origin",
        headers: {
          "Content-Type": "application/json", "Live-Tab": tab, "Live-Session": sender,
        },
        signal: AbortSignal.timeout?.(15_000),
      });
      status = response.status;
    } catch { /* No connection: the action stays in the queue until there is one. */ }
    sending = false;
    if (status === 404) {          // The session has ended: a new one starts from the address.
      if (session !== sender) return flush();
      isKnown = false;
      version = 0;
      // The server is there, so that the connections that failed before no longer count. But when a
      // connection's actions never arrive where it leads, the next ones wait.
      if (!misses) {
        failures = 0;
        clearTimeout(timer);
        timer = 0;
      }
      reconnect(400 * misses);
      misses += 1;
    } else if (status === 0 || status >= 500) {
      reconnect(500);
    } else {
      misses = 0;
      queue.shift();
      flush();
    }
  }

  // ---- Receiving states. -----------------------------------------------------------------------

  let connection = null;   // the AbortController of the present connection
  let timer = 0;
  let stall = 0;
  let failures = 0;
  let isParked = false;    // whether the connection was closed in favor of other tabs

  // The server sends something every 15 seconds, so that a connection is dead after this time.
  const patience = 50_000;

  function connect() {
    clearTimeout(timer);
    timer = 0;
    if (connection || document.hidden || isParked) return;
    connection = new AbortController();
    read(connection);
    announce(true);
  }

  // Whatever a connection still delivers after another one has taken over changes nothing.
  async function read(own) {
    const address = encodeURIComponent(location.pathname + location.search);
    const headers = { "Live-Tab": tab, "Live-Version": String(version) };
    if (!left.includes(build)) headers["Live-Build"] = build;
    if (kept) headers["Live-Kept"] = kept;
    if (session) headers["Live-Session"] = session;
    listen();
    try {
      const response = await fetch(`${path}/live?address=${address}`, {
        headers, cache: "no-store", credentials: "same-origin", signal: own.signal,
      });
      const type = response.headers.get("Content-Type") || "";
      if (response.status === 200 && type.startsWith("text/event-stream")) {
        await readEvents(response.body, own.signal, listen, receive);
      }
    } catch { /* The connection was lost, or has been closed by `disconnect`. */ }
    if (own === connection) reconnect(400);
  }

  function listen() {
    clearTimeout(stall);
    stall = setTimeout(() => reconnect(400), patience);
  }

  function receive(name, data) {
    if (name === "hello") greet(data);
    else if (name === "state") update(JSON.parse(data));
    else if (name === "go") location.assign(data);
    else if (name === "bye") moveOn();
    else if (name === "reload") reload();
  }

  // The server shuts down: another one has the session's address soon, if not its state.
  function moveOn() {
    disconnect();
    timer = setTimeout(connect, Math.random() * 1000);
  }

  // The server has another version of the document, which is loaded at once: only once from each
  // version, in case that servers of several versions take turns.
  function reload() {
    disconnect();
    left.push(build);
    if (!storeFields()) return connect();
    location.reload();
    // Until the document is here, nothing that the user does connects; it may fail to come.
    timer = setTimeout(connect, 10_000);
  }

  // The server says that a session is new although this tab has named it.
  function greet(greeting) {
    const [name, isNew] = greeting.split(" ");
    // Without a version, the connection is good when the state that comes next has been shown.
    if (version) welcome();
    isKnown = true;
    if (session !== name || isNew) {
      session = name;
      version = 0;
      shown = initial();
      unwatch();
      // Whatever else was sent to the old session, the new one never acknowledges.
      acknowledged = queue.length ? queue[0].number - 1 : lastNumber;
      resendFields();
    }
    flush();
  }

  function welcome() {
    failures = 0;
    sayFound();
  }

  // Applies an update. When it does not fit, because somebody else has changed the DOM, another
  // connection brings everything.
  function update(state) {
    try {
      show(state);
    } catch (error) {
      if (!(error instanceof OutOfSync)) reportError(error);
      // At once, but for an update that brought everything and would come again.
      const delay = version ? 0 : 400;
      version = 0;
      reconnect(delay);
      return;
    }
    version = state.version ?? version;
    welcome();
  }

  function disconnect() {
    clearTimeout(stall);
    const closed = connection;
    connection = null;
    closed?.abort();
  }

  function reconnect(delay) {
    disconnect();
    if (timer) return;
    failures += 1;
    const wait = Math.min(delay * 2 ** Math.min(failures, 6), 5000) * (0.75 + Math.random() / 2);
    timer = setTimeout(connect, wait);
    if (failures > 2) sayLost(wait);
  }

  // ---- Saying that the connection is lost. -----------------------------------------------------

  // The document's place for that, and what is put there.
  const notice = document.querySelector("[data-live-connection]");
  const words = notice?.querySelector("template");
  let nextTry = 0;
  let ticker = 0;

  function sayLost(wait) {
    nextTry = Date.now() + wait;
    root.setAttribute("data-live-lost", "");
    if (!words || ticker) return;
    notice.append(words.content.cloneNode(true));
    tick();
    ticker = setInterval(tick, 500);
  }

  function tick() {
    const seconds = Math.max(0, Math.ceil((nextTry - Date.now()) / 1000));
    for (const element of notice.querySelectorAll("[data-live-seconds]")) {
      element.textContent = seconds;
    }
  }

  function sayFound() {
    root.removeAttribute("data-live-lost");
    if (!ticker) return;
    clearInterval(ticker);
    ticker = 0;
    const hadFocus = notice.contains(document.activeElement);
    notice.replaceChildren(words);
    if (hadFocus) focusAnew();
  }

  notice?.addEventListener("click", ({ target }) => {
    if (!target.closest("[data-live-retry]")) return;
    // An attempt that hangs is given up.
    disconnect();
    clearTimeout(timer);
    timer = 0;
    wake();
  });

  const isText = (field) => field.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea");
  const textFields = () => [...root.querySelectorAll("[data-live-input]")].filter(isText);

  // What a tab takes along when its document is loaded again: the text of its fields, and the
  // versions of the document that it has left.
  const store = "live:document";
  let left = [];

  // Returns false when the browser stores nothing.
  function storeFields() {
    // Also text that the server has, because it may be in no address.
    const fields = textFields().filter((field) => !field.matches("[type=password]"))
      .map((field) => [field.dataset.liveInput, field.value]);
    try {
      sessionStorage.setItem(store, JSON.stringify({ path, fields, left }));
      return true;
    } catch {
      return false;
    }
  }

  function restoreFields() {
    let stored = null;
    try {
      stored = JSON.parse(sessionStorage.getItem(store));
      sessionStorage.removeItem(store);
    } catch { /* There is nothing that can be read. */ }
    if (stored?.path !== path) return;
    left = stored.left;
    for (const [name, value] of stored.fields) {
      const field = textFields().find((field) => field.dataset.liveInput === name);
      if (field) field.value = value;
    }
  }

  // A new session is created from the address only, so text typed since is sent again.
  function resendFields() {
    for (const field of textFields()) {
      if (field.value.trim() !== field.defaultValue.trim()
          && !queue.some((action) => action.name === field.dataset.liveInput)) {
        send(field.dataset.liveInput, field.value, true);
      }
    }
  }

  // A browser allows six connections per host for all its tabs together. So a tab closes its
  // connection while it is hidden, or when four other tabs have been used more recently.
  let tabs = null;
  const others = new Map();      // the other visible tabs, with the time when each was last used
  let used = Date.now();
  const newer = () => [...others.values()].filter((time) => time > used).length;

  function announce(isVisible) {
    tabs?.postMessage({ tab, isVisible, used });
  }

  // The channel is closed while the page is in the back/forward cache: a message would evict it.
  function openChannel() {
    if (tabs || !window.BroadcastChannel) return;
    tabs = new BroadcastChannel("live");
    tabs.onmessage = ({ data }) => {
      if (data.isVisible) others.set(data.tab, data.used);
      else others.delete(data.tab);
      const isOld = newer() >= 4;
      if (isOld && connection) {
        isParked = true;
        disconnect();
      } else if (!isOld && isParked) {
        wake();
      }
    };
  }

  // Marks this tab as the most recently used one.
  function use() {
    const wasNewest = newer() === 0;
    used = Date.now();
    if (!wasNewest) announce(true);
    wake();
  }

  function wake() {
    isParked = false;
    if (!timer) connect();
  }

  function leave() {
    disconnect();
    announce(false);
  }

  document.addEventListener("visibilitychange", () => document.hidden ? leave() : use());
  addEventListener("pagehide", () => {
    leave();
    tabs?.close();
    tabs = null;
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    openChannel();
    use();
  });
  for (const name of ["focus", "pointerdown", "keydown", "input"]) addEventListener(name, use);
  addEventListener("online", () => { clearTimeout(timer); timer = 0; wake(); });

  // ---- Updating the address. -------------------------------------------------------------------

  // The newest title and address that the server has sent; `isHistoryEntry` is whether the back
  // button should return to the address.
  const initial = () => (
    { title: document.title, url: location.pathname + location.search, isHistoryEntry: true });
  let shown = initial();
  let isEntry = true;      // whether the back button should return to the current address
  let since = -Infinity;   // the time when a state set the current address
  let wasTyped = false;    // whether that state resulted from a text that was being typed

  function updateAddress(isSamePlace) {
    if (acknowledged < navigated) return;      // The state is older than the latest navigation.
    if (shown.url !== location.pathname + location.search) {
      // Without an action since the last navigation, the page has only normalized the address, so
      // the history entry is replaced. It is also replaced when the user typed on within 500 ms, or
      // has only come further down a list.
      const isKept = isEntry && !isSamePlace && acted > navigated
        && (!isTyping || !wasTyped || performance.now() - since > 500);
      try {
        history[isKept ? "pushState" : "replaceState"](null, "", shown.url);
      } catch { /* Browsers refuse too many in a short time; the next state has the address, too. */ }
      since = performance.now();
      wasTyped = isTyping;
    }
    isEntry = shown.isHistoryEntry;
  }

  addEventListener("popstate", () => {
    navigated = lastNumber + 1;
    isEntry = true;
    since = -Infinity;
    send("live:navigate", location.pathname + location.search);
  });

  // ---- Rendering a state. ----------------------------------------------------------------------

  function show(state) {
    acknowledged = Math.max(acknowledged, state.acknowledged ?? 0);
    for (const name of Object.keys(shown)) shown[name] = state[name] ?? shown[name];
    kept = state.kept ?? kept;
    document.title = shown.title;
    updateAddress(state.isSamePlace);
    if (state.html !== undefined || state.parts) showMarkup(state);
    updateFields();
    root.dispatchEvent(new Event("live:state", { bubbles: true }));
  }

  function showMarkup(state) {
    const before = new Set(root.querySelectorAll("[data-live-focus]"));
    const row = root.querySelector("[data-live-row][aria-current]");
    const focus = captureFocus();
    const hadFocus = root.contains(document.activeElement);
    keepingFocus(() => applyUpdate(root, state));
    const opened = [...root.querySelectorAll("[data-live-focus]")].find((e) => !before.has(e));
    const isClosed = [...before].some((element) => !element.isConnected);
    if (opened) opened.focus();
    // When a panel has closed, focus the row that opened it, which also restores the list's scroll
    // position.
    else if (isClosed && document.activeElement === document.body) row?.focus();
    else focus?.restore();
    if (hadFocus && document.activeElement === document.body) focusAnew();
    watch();
  }

  // Focuses what the page names for when what had the focus is gone, such as an example or an error.
  function focusAnew() {
    root.querySelector("[data-live-refocus]")?.focus({ preventScroll: true });
  }

  // Gives the focus and the selection back to an element that lost it because it was moved: not
  // every browser has `moveBefore`.
  function keepingFocus(change) {
    const element = document.activeElement;
    const selection = [element?.selectionStart, element?.selectionEnd, element?.selectionDirection];
    try {
      change();
    } finally {
      if (root.contains(element) && document.activeElement !== element) {
        element.focus({ preventScroll: true });
        if (selection[0] != null) element.setSelectionRange(...selection);
      }
    }
  }

  // Remembers the focused element. When rows inserted before it push it out of view, or when it was
  // removed, `restore()` focuses the first new row, so that keyboard users don't skip the new rows.
  function captureFocus() {
    const focused = document.activeElement;
    const isSeen = () => {
      const { top, bottom } = focused.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    };
    if (focused === root || !root.contains(focused) || !isSeen()) return null;
    const stops = () => [...root.querySelectorAll(
      "a[href], button, input, select, summary, [data-live-row]")];
    const before = stops();
    const previous = before[before.indexOf(focused) - 1];
    return {
      restore() {
        if (focused.isConnected && (document.activeElement !== focused || isSeen())) return;
        const after = stops();
        const next = after[after.indexOf(previous) + 1];
        if (previous?.isConnected && next && !before.includes(next)) next.focus();
      },
    };
  }

  // The elements with `data-live-appear`, such as the last rows of an endless list.
  const watched = new Set();
  const observer = window.IntersectionObserver && new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !watched.has(target)) continue;
      observer.unobserve(target);       // Sent once per element.
      push(target.dataset.liveAppear, target.dataset.liveValue || "");
    }
  }, { rootMargin: "100% 0px" });

  // A new session has not been told of elements that are in view.
  function unwatch() {
    for (const element of watched) observer?.unobserve(element);
    watched.clear();
  }

  function watch() {
    if (!observer) return;
    for (const element of watched) {
      if (element.isConnected && element.dataset.liveAppear !== undefined) continue;
      observer.unobserve(element);
      watched.delete(element);
    }
    for (const element of root.querySelectorAll("[data-live-appear]")) {
      if (watched.has(element)) continue;
      watched.add(element);
      observer.observe(element);
    }
  }

  // Changes the controls that send their value to what the markup says, unless the user has changed
  // them since.
  function updateFields() {
    const isCurrent = acknowledged >= lastNumber;
    // The back or forward button requested another text, also of a field that is being edited.
    const isAsked = navigated > 0 && isCurrent && navigated === lastNumber;
    for (const field of root.querySelectorAll("[data-live-input]")) {
      if (!isText(field)) {
        if (isCurrent) updateChoice(field);
      } else if (isAsked || (isCurrent && document.activeElement !== field)) {
        if (field.value.trim() !== field.defaultValue) field.value = field.defaultValue;
      }
    }
  }

  function updateChoice(field) {
    if (!field.options) {
      if (field.checked !== field.defaultChecked) field.checked = field.defaultChecked;
      return;
    }
    const options = [...field.options];
    const marked = options.filter((option) => option.defaultSelected).pop()
      ?? options.find((option) => !option.disabled);
    if (marked && !field.multiple && !marked.selected) marked.selected = true;
  }

  // ---- Handling input. -------------------------------------------------------------------------

  const closest = (event, name) => {
    const element = event.target.closest ? event.target.closest(`[data-live-${name}]`) : null;
    return root.contains(element) ? element : null;
  };

  const leaveField = () => {
    const field = document.activeElement;
    if (field && field.dataset.liveInput !== undefined) field.blur();
  };

  function sendField(event) {
    const field = closest(event, "input");
    if (field) send(field.dataset.liveInput, field.value, isText(field));
  }

  // What an input method is composing is not a text yet: "tiếng" passes through "tie" and "tiê". But
  // keyboards of phones compose every word, so that whoever pauses has written something.
  let composed = null;
  let pause = 0;

  function endComposition() {
    clearTimeout(pause);
    const event = composed;
    composed = null;
    if (event) sendField(event);
  }

  root.addEventListener("input", (event) => {
    if (!event.isComposing) return sendField(event);
    composed = event;
    clearTimeout(pause);
    pause = setTimeout(endComposition, 1000);
  });
  root.addEventListener("compositionend", endComposition);

  root.addEventListener("submit", (event) => {
    const form = closest(event, "submit");
    if (!form) return;
    event.preventDefault();
    endComposition();
    // The on-screen keyboard would cover the results.
    if (matchMedia("(pointer: coarse)").matches) leaveField();
    send(form.dataset.liveSubmit, "");
  });

  root.addEventListener("click", (event) => {
    const element = closest(event, "click");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!element || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    leaveField();
    send(element.dataset.liveClick, element.dataset.liveValue || "");
  });

  // Escape clicks the element with `data-live-escape`, except in a field, where the browser handles
  // it.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    if (event.target.dataset?.liveInput === undefined) {
      root.querySelector("[data-live-escape]")?.click();
    }
  });

  // The up and down arrow keys move the focus between the text fields and the rows.
  root.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    // Other controls, such as a select, keep their arrow keys.
    const stops = [...textFields(), ...root.querySelectorAll("[data-live-row]")]
      .filter((element) => element.getClientRects().length);
    const index = stops.indexOf(document.activeElement);
    const stop = index < 0 ? null : stops[index + (event.key === "ArrowDown" ? 1 : -1)];
    if (!stop) return;
    event.preventDefault();
    stop.focus();
  });

  root.setAttribute("data-live-ready", "");
  restoreFields();
  // Sends text that was typed before the script ran.
  for (const field of textFields()) {
    if (field.value !== field.defaultValue) send(field.dataset.liveInput, field.value, true);
  }
  watch();
  openChannel();
  connect();
}

const root = document.querySelector("[data-live]");
if (root && window.fetch && window.ReadableStream && window.AbortController) keepLive(root);
