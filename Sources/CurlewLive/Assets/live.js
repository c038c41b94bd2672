// Keeps a page live: sends the user's actions, receives the screen's states, and shows them.
// What it sends and receives is described in CurlewLive.docc/CurlewLive.md.

// The path of a page's own addresses; empty for the page at "/".
const pagePath = (root) => root.dataset.live.replace(/\/$/, "");

function keepLive(root) {
  const path = pagePath(root);
  const build = root.dataset.liveBuild;                    // the version of the document
  let session = root.dataset.liveSession || "";
  let isKnown = Boolean(session);                          // whether the server has the session
  let kept = root.dataset.liveState || "";                 // what a new session gets from this tab
  let version = Number(root.dataset.liveVersion) || 0;     // of the displayed markup; 0 for none

  // Aborted when another page takes its place.
  const life = new AbortController();
  const on = (target, name, handle) =>
    target?.addEventListener(name, handle, { signal: life.signal });

  // ---- Sending actions: one at a time and in order. ---------------------------------------------

  const queue = [];
  let sending = false;
  let lastNumber = 0;      // the number of the newest action
  let acknowledged = 0;    // the number of the newest action that the displayed state includes
  let acted = 0;           // the number of the newest action of the user
  let navigated = 0;       // the number of the newest action of the back or forward button
  let misses = 0;          // how many actions in a row met no session
  let isTyping = false;    // whether the newest action is a text that is being typed

  let submitted = null;    // the newest submit of a form, and its number
  const refused = new Set();  // the names of actions that the server refused: what is in the field stays
  const edited = new Map();   // what the user has put into fields, by the names of their actions

  function send(name, value, { isText = false, isEdit = false, fields } = {}) {
    if (isEdit) edited.set(name, { value, isText });
    refused.delete(name);
    showRefusal(root, name, "");
    if (fields) {
      // The second of two clicks, while nothing has come of the first.
      const form = JSON.stringify([name, fields]);
      if (submitted?.form === form && acknowledged < submitted.number) return;
      submitted = { form, number: lastNumber + 1 };
    }
    isTyping = isText;
    acted = lastNumber + 1;
    push(name, value, { isText, fields });
  }

  function push(name, value, { isText = false, fields } = {}) {
    const action = { name, value: wellFormed(value), fields };
    // A newer text or address, or the same action again, replaces the one that waits before it.
    const newest = queue[queue.length - 1];
    const isSame = newest?.name === name && (isText || name === "live:navigate"
      || JSON.stringify(action) === JSON.stringify({ ...newest, number: undefined }));
    if (isSame && !(sending && queue.length === 1)) queue.pop();
    queue.push({ number: ++lastNumber, ...action });
    wake();
    flush();
    watch();
  }

  // Sends a message. A tab that does not hear its stream says what it shows, and gets what has changed.
  async function post(message, signals) {
    const shown = version;
    const response = await fetch(path + "/events", {
      method: "POST", body: JSON.stringify(message), credentials: "same-origin",
      headers: {
        "Content-Type": "application/json", "Live-Tab": tab, "Live-Session": session,
        ...(isHeld ? { "Live-Version": String(shown), "Live-Stream": String(streams) } : {}),
        ...(went ? { "Live-Went": "1" } : {}),
      },
      signal: AbortSignal.any?.(signals.filter(Boolean)) ?? signals[0],
    });
    const state = response.status === 200 ? await response.json() : null;
    went = false;
    return { status: response.status, state, shown };
  }

  const inTime = () => AbortSignal.timeout?.(15_000);

  async function flush() {
    if (sending || !queue.length || !isKnown) return;
    sending = true;
    const sender = session;
    let answer = { status: 0 };
    asking?.abort();
    asking = null;
    try {
      answer = await post(queue[0], [inTime()]);
    } catch { /* No connection: the action stays in the queue until there is one. */ }
    const { status } = answer;
    sending = false;
    if (status === 404) {          // The session has ended: a new one starts from the address.
      if (session !== sender) return flush();
      forget();
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
      const { number, name } = queue.shift();
      if (status >= 400) {
        refused.add(name);
        const { liveTooLong, liveNotAccepted } = root.dataset;
        showRefusal(root, name, status === 413 ? liveTooLong : liveNotAccepted);
        acknowledge(number);
      }
      take(answer);
      flush();
    }
  }

  // The session has ended. Where no stream can begin another one, the page works as without a script.
  function forget() {
    isKnown = false;
    version = 0;
    // A document brings another one, but not again and again.
    if (isHeld && performance.now() - began > 10_000 && storeFields(root, path, left)) {
      return location.reload();
    }
    root.toggleAttribute("data-live-plain", isHeld);
    watch();
  }

  // ---- Without a stream: a proxy may hold it back, or refuse it. The page's own requests go on. ------

  // What is not heard in this time is held back.
  const hearing = 3_000;

  let isHeld = false;      // whether responses bring the states
  let silence = 0;
  let asking = null;       // the AbortController of a question for what changes
  let streams = 0;         // the number of the newest stream
  let went = false;        // whether the page has gone where a response led
  const began = performance.now();

  // The stream stays open: what it says later, it says to a page that has moved on.
  function hold() {
    if (life.signal.aborted) return;
    if (!isKnown) return void root.setAttribute("data-live-plain", "");
    isHeld = true;
    flush();
    ask();
  }

  async function ask() {
    if (asking || sending || !isHeld || !isKnown || life.signal.aborted) return;
    const own = asking = new AbortController();
    let answer = { status: 0 };
    try {
      answer = await post(
        { number: lastNumber, name: "live:wait", value: "" }, [own.signal, inTime()]);
    } catch { /* No connection, or an action goes first. */ }
    if (own === asking) asking = null;
    if (own.signal.aborted) return;
    if (answer.status === 200) take(answer);
    else if (answer.status === 404) forget();
    else {
      isHeld = false;
      reconnect(400);
    }
  }

  // Takes a response's state, unless another one was shown in the meantime: each is applied once.
  function take({ state, shown }) {
    if (state?.address) {
      went = true;
      return go(state.address);
    }
    if (!isHeld) return;
    if (!state || shown !== version) return void ask();
    if (state.isNew) renew();
    update(state);
    if (state.isWorking && !queue.length) ask();
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
    if (connection || document.hidden || isParked || life.signal.aborted) return;
    connection = new AbortController();
    streams += 1;
    clearTimeout(silence);
    silence = setTimeout(hold, hearing);
    read(connection);
    share.announce(true);
  }

  // Whatever a connection still delivers after another one has taken over changes nothing.
  async function read(own) {
    const address = encodeURIComponent(location.pathname + location.search);
    const headers = {
      "Live-Tab": tab, "Live-Version": String(version), "Live-Stream": String(streams),
    };
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
        await readEvents(response.body, own.signal, () => hear(own), receive);
      } else if (own === connection) {
        hold();
      }
    } catch { /* The connection was lost, or has been closed by `disconnect`. */ }
    if (own === connection) reconnect(400);
  }

  let heard = 0;           // when something was last heard, or a connection was opened

  function listen() {
    heard = performance.now();
    clearTimeout(stall);
    stall = setTimeout(() => reconnect(400), patience);
  }

  // Something of the stream has arrived. A page that has moved on opens another one, from what it shows.
  function hear(own) {
    listen();
    clearTimeout(silence);
    if (!isHeld || own !== connection) return;
    isHeld = false;
    asking?.abort();
    asking = null;
    disconnect();
    connect();
  }

  function receive(name, data) {
    if (name === "hello") greet(data);
    else if (name === "state") update(JSON.parse(data), data);
    else if (name === "go") { if (!visiting) go(data); }   // Unless the user goes elsewhere.
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
    if (!storeFields(root, path, left)) return connect();
    location.reload();
    // Until the document is here, nothing that the user does connects; it may fail to come.
    timer = setTimeout(connect, 10_000);
  }

  // The server says that a session is new although this tab has named it.
  function greet(greeting) {
    const [name, isNew] = greeting.split(" ");
    // Without a version, the connection is good when the state that comes next has been shown.
    if (version) welcome();
    const hasEnded = !isKnown;
    isKnown = true;
    root.removeAttribute("data-live-plain");
    if (session !== name || isNew || hasEnded) {
      session = name;
      renew();
    }
    flush();
  }

  // The session is another one than that which the page shows.
  function renew() {
    version = 0;
    address.reset();
    appearance.forget();
    // Whatever else was sent to the old session, the new one never acknowledges.
    acknowledged = queue.length ? queue[0].number - 1 : lastNumber;
    resendFields();
    watchAnew();
  }

  function welcome() {
    failures = 0;
    notice.say(isHeld ? "held" : "");
  }

  // ---- Saying that the server is slow. ---------------------------------------------------------

  let waited = 0;          // the timer of the action that has waited for longest

  // Notes that the displayed state includes an action.
  function acknowledge(number) {
    if (number <= acknowledged) return;
    acknowledged = number;
    watchAnew();
  }

  function watchAnew() {
    clearTimeout(waited);
    waited = 0;
    watch();
  }

  function watch() {
    const isIdle = acknowledged >= lastNumber || root.hasAttribute("data-live-plain");
    if (isIdle || life.signal.aborted) {
      clearTimeout(waited);
      waited = 0;
      if (notice.says("slow")) notice.say(isHeld ? "held" : "");
    } else if (!waited) {
      waited = setTimeout(() => {
        if (!notice.says("lost")) notice.say("slow");
        waited = setTimeout(() => {
          failures = Math.max(failures, 2);
          // A connection of which nothing is heard may be dead; a young one may only be slow.
          if (!timer && performance.now() - heard > 10_000) reconnect(400);
          else if (!notice.says("lost")) notice.show(5_000);
          watchAnew();
        }, 3_000);
      }, 2_000);
    }
  }

  // Applies an update. When it does not fit, because somebody else has changed the DOM, another
  // connection brings everything.
  function update(state, text) {
    try {
      show(state, text);
    } catch (error) {
      if (!(error instanceof OutOfSync)) reportError(error);
      // At once, but for an update that brought everything and would come again.
      const delay = version ? 0 : 400;
      version = 0;
      if (isHeld) setTimeout(ask, delay);
      else reconnect(delay);
      return;
    }
    version = state.version ?? version;
    welcome();
  }

  function disconnect() {
    clearTimeout(stall);
    clearTimeout(silence);
    const closed = connection;
    connection = null;
    closed?.abort();
  }

  function reconnect(delay) {
    disconnect();
    if (timer || life.signal.aborted) return;
    failures += 1;
    const wait = Math.min(delay * 2 ** Math.min(failures, 6), 5000) * (0.75 + Math.random() / 2);
    timer = setTimeout(connect, wait);
    if (failures > 2 && !(isHeld && notice.says("held"))) notice.show(wait);
  }

  function reconnectNow() {
    clearTimeout(timer);
    timer = 0;
    wake();
    flush();
  }

  const notice = connectionNotice(root, on, () => {
    // An attempt that hangs is given up.
    disconnect();
    reconnectNow();
  }, () => focusAnew(root));

  // A new session is created from the address only, so what the user has put into fields is sent again.
  function resendFields() {
    for (const field of textFields(root)) {
      const name = field.dataset.liveInput;
      if (!edited.has(name) && field.value.trim() !== field.defaultValue.trim()) {
        edited.set(name, { value: field.value, isText: true });
      }
    }
    for (const [name, { value, isText }] of edited) {
      if (fieldNamed(root, name) && !queue.some((action) => action.name === name)) {
        send(name, value, { isText, isEdit: true });
      }
    }
  }

  // ---- Sharing the browser's connections with other tabs. --------------------------------------

  const share = tabShare((isOld) => {
    if (isOld && connection) {
      isParked = true;
      disconnect();
    } else if (!isOld && isParked) {
      wake();
    }
  });

  function wake() {
    isParked = false;
    if (!timer) connect();
  }

  function use() {
    share.use();
    wake();
  }

  function hide() {
    disconnect();
    share.announce(false);
  }

  on(document, "visibilitychange", () => document.hidden ? hide() : use());
  on(window, "pagehide", () => {
    storeFields(root, path, left);
    hide();
    share.close();
  });
  on(window, "pageshow", (event) => {
    if (!event.persisted) return;
    forgetFields();
    share.open();
    use();
  });
  for (const name of ["focus", "pointerdown", "keydown", "input"]) on(window, name, use);
  on(window, "online", reconnectNow);

  // ---- Showing a state. ------------------------------------------------------------------------

  const address = addressBar(path);
  const appearance = appearanceWatcher(root, (element) =>
    push(element.dataset.liveAppear, element.dataset.liveValue || ""));
  const hooked = hookedElements(root, { send: (name, value = "") => send(name, String(value)) });

  function show(state, text) {
    acknowledge(state.acknowledged ?? 0);
    kept = state.kept ?? kept;
    address.take(state);
    // Unless the state is older than the latest navigation.
    if (acknowledged >= navigated) {
      address.show({ isSamePlace: state.isSamePlace, hasActed: acted > navigated, isTyping });
    }
    showSlots(state.slots);
    if (state.html !== undefined || state.parts) {
      changeWithFocus(root, () => hooked.around(() => applyUpdate(root, state)));
      appearance.update();
      offerInspector();
    }
    const isCurrent = acknowledged >= lastNumber;
    updateFields(root, isCurrent, navigated > 0 && isCurrent && navigated === lastNumber,
      (name) => refused.has(name), (name) => edited.delete(name));
    root.dispatchEvent(
      new CustomEvent("live:state", { bubbles: true, detail: { acknowledged, text } }));
  }

  // The parts of the frame that show something of the state.
  function showSlots(slots = {}) {
    for (const [name, html] of Object.entries(slots)) {
      for (const element of document.querySelectorAll("[data-live-slot]")) {
        if (element.dataset.liveSlot === name) applyUpdate(element, { html: html ?? "" });
      }
    }
  }

  // ---- Beginning and end. ----------------------------------------------------------------------

  listenToUser(root, on, send);
  root.setAttribute("data-live-ready", "");
  const left = restoreFields(root, path);
  // Sends text that was typed before the script ran.
  for (const field of textFields(root)) {
    if (field.value !== field.defaultValue) {
      send(field.dataset.liveInput, field.value, { isText: true, isEdit: true });
    }
  }
  appearance.update();
  hooked.update();
  showShortcuts();
  share.open();
  connect();

  return {
    path,
    identity: () => ({ tab, session }),
    hookElements: () => hooked.update(),
    // The browser has gone to another entry of its history, with an address of this page.
    moved() {
      navigated = lastNumber + 1;
      address.moved();
      send("live:navigate", location.pathname + location.search);
    },
    // Another page takes its place. What the user has done is still sent.
    leave() {
      life.abort();
      root.inert = true;
      hooked.leave();
      notice.hide();
      appearance.forget();
      clearTimeout(timer);
      clearTimeout(waited);
      asking?.abort();
      hide();
      share.close();
    },
  };
}

// Goes where the screen leads: to another page of this site, or anywhere else.
function go(url) {
  if (new URL(url, location.href).origin === location.origin) visit(url);
  else location.assign(url);
}

function startPage() {
  const root = document.querySelector("[data-live]");
  return root && keepLive(root);
}

if (window.fetch && window.ReadableStream && window.AbortController) {
  shownPage = startPage();
  if (shownPage) {
    startVisits();
    startInspector();
  }
}

// What the page's own scripts can use.
window.Live = {
  // Registers what to do with the elements that have `data-live-hook="name"`: `appear(element,
  // page)`, `change(element, page)` and `leave(element, page)`; `page.send(name, value)` sends an
  // action.
  hook(name, steps) {
    hooks.set(name, steps);
    shownPage?.hookElements();
  },
  // Goes to an address of this site.
  visit: go,
};
