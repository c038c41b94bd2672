// Keeps a page live: sends the user's actions, receives the screen's states, and shows them.
// CurlewLive.docc/CurlewLive.md describes the protocol.

// Returns the path prefix of a page's requests; empty for the page at "/".
const pagePath = (root) => root.dataset.live.replace(/\/$/, "");

function keepLive(root) {
  const path = pagePath(root);
  const build = root.dataset.liveBuild;                    // the version of the document
  let session = root.dataset.liveSession || "";
  let isKnown = Boolean(session);                          // whether the server has the session
  let isRenewed = false;                                   // whether the session is new, and no state of it is shown
  let kept = root.dataset.liveState || "";                 // the signed state that restores a new session
  let version = Number(root.dataset.liveVersion) || 0;     // the version of the displayed markup; 0 for none

  // Aborted when another page replaces this page.
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
  let failedActions = 0;          // the number of consecutive actions without a session
  let isTyping = false;    // whether the newest action is typed text

  let submitted = null;    // the newest submitted form, and the number of its action
  const refused = new Set();  // the names of refused actions, whose fields keep their values
  const edited = new Set();   // the names of the actions of edited fields

  function send(name, value, { isText = false, isEdit = false, fields } = {}) {
    if (isEdit) edited.add(name);
    refused.delete(name);
    showRefusal(root, name, "");
    if (fields) {
      // Ignores a repeated submit, such as a double click, until the first is acknowledged.
      const form = JSON.stringify([name, fields]);
      if (submitted?.form === form && acknowledged < submitted.number) return;
      submitted = { form, number: lastNumber + 1 };
    }
    isTyping = isText;
    acted = lastNumber + 1;
    push(name, value, { fields, replaces: isText || name === "live:navigate" });
  }

  // Newer text and a newer address (`replaces` is true), and the same appearance ("same"), replace the last queued
  // action, unless that is being sent. Other actions are all sent: five clicks are five actions.
  function push(name, value, { fields, replaces = false } = {}) {
    const newest = queue[queue.length - 1];
    const isSame = newest?.name === name && newest.replaces
      && (replaces === true || newest.value === value);
    if (replaces && isSame && !(sending && queue.length === 1)) queue.pop();
    queue.push({ number: ++lastNumber, name, value: wellFormed(value), fields, replaces });
    wake();
    flush();
    watch();
  }

  // Sends a message. Without a stream, the request contains the displayed version, and the response contains
  // the changes.
  async function post({ number, name, value, fields }, signals) {
    const shown = version;
    const response = await fetch(path + "/events", {
      method: "POST", body: JSON.stringify({ number, name, value, fields }), credentials: "same-origin",
      headers: {
        "Content-Type": "application/json", "Live-Tab": tab, "Live-Session": session,
        ...(isPolling ? { "Live-Version": String(shown), "Live-Stream": String(streams) } : {}),
        ...(hasNavigated ? { "Live-Navigated": "1" } : {}),
      },
      signal: AbortSignal.any?.(signals.filter(Boolean)) ?? signals[0],
    });
    const status = statusOf(response);
    const state = status === 200 ? await response.json() : null;
    hasNavigated = false;
    return { status, state, shown };
  }

  // The status of a response; 401 after a redirect, which leads to a sign-in.
  const statusOf = ({ redirected, status }) => redirected ? 401 : status;

  const inTime = () => AbortSignal.timeout?.(15_000);

  // Drops the actions that a state includes whose responses were lost with their server.
  function dropApplied() {
    while (!sending && queue[0]?.isApplied) queue.shift();
  }

  async function flush() {
    dropApplied();
    if (sending || !queue.length || !isKnown || isRenewed) return;
    sending = true;
    const [sender, action] = [session, queue[0]];
    let response = { status: 0 };
    pendingPoll?.abort();
    pendingPoll = null;
    try {
      response = await post(action, [inTime()]);
    } catch { /* No connection: the action stays in the queue. */ }
    const { status } = response;
    sending = false;
    // Sent to the session before, which has ended.
    if (session !== sender) return flush();
    if (status === 404) {          // The session has ended: a new session starts from the address.
      forget();
      // The server responds, so earlier connection failures no longer count. But if actions repeatedly don't
      // reach the server of the stream, each attempt waits longer.
      if (!failedActions) {
        failures = 0;
        clearTimeout(timer);
        timer = 0;
      }
      reconnect(400 * failedActions);
      failedActions += 1;
    } else if (status === 401) {
      forget(true);
    } else if (status === 429) {   // The visitor has sent too many actions.
      notice.set("slow");
      setTimeout(flush, 1_000);
    } else if (status === 0 || status === 408 || status >= 500) {
      reconnect(500);
    } else {
      failedActions = 0;
      queue.splice(queue.indexOf(action), 1);
      const { number, name } = action;
      if (status >= 400) {
        refused.add(name);
        const { liveTooLong, liveNotAccepted } = root.dataset;
        showRefusal(root, name, status === 413 ? liveTooLong : liveNotAccepted);
        acknowledge(number);
      }
      take(response);
      flush();
    }
  }

  // Handles the end of the session. If no stream can start a new session, the page works as without JavaScript; if the
  // visitor is refused, the document leads to a sign-in.
  function forget(isRefused) {
    isKnown = false;
    version = 0;
    root.toggleAttribute("data-live-plain", isPolling);
    watch();
    if (!isPolling && !isRefused) return;
    // A reload starts a new session. Only if the page is older than 10 s, to prevent reload loops.
    clearTimeout(reloading);
    reloading = setTimeout(() => {
      if (isKnown || life.signal.aborted) return;
      isReloading = true;
      if (store() || isRefused) location.reload();
    }, Math.max(0, 10_000 - (performance.now() - began)));
    if (!isRefused) return;
    disconnect();
    clearTimeout(timer);
    timer = reloading;             // Keeps user input from connecting meanwhile.
  }

  let reloading = 0;
  let isReloading = false; // whether the script reloads the document, which then sends the actions that wait
  // Texts are stored with the fields.
  const store = () => storeFields(root, path, left,
    isReloading ? queue.filter((action) => !action.replaces && !action.isApplied) : undefined);

  // ---- Without a stream: a proxy may buffer or refuse it. Then responses contain the states. ---------

  // A stream that delivers nothing for this time is considered blocked, in milliseconds.
  const streamTimeout = 3_000;

  let isPolling = false;      // whether responses contain the states, instead of a stream
  let streamTimer = 0;
  let pendingPoll = null;       // the AbortController of a request that waits for changes
  let streams = 0;         // the number of the newest stream
  let hasNavigated = false;        // whether the page has followed an address in a response
  const began = performance.now();

  // Requests the states without a stream. The stream stays open; if it delivers data later, `hear` replaces it.
  function startPolling() {
    if (life.signal.aborted) return;
    if (!isKnown) return void root.setAttribute("data-live-plain", "");
    isPolling = true;
    flush();
    poll();
  }

  async function poll() {
    if (pendingPoll || sending || !isPolling || !isKnown || life.signal.aborted) return;
    const own = pendingPoll = new AbortController();
    let response = { status: 0 };
    try {
      response = await post(
        { number: lastNumber, name: "live:wait", value: "" }, [own.signal, inTime()]);
    } catch { /* No connection, or aborted by an action. */ }
    if (own === pendingPoll) pendingPoll = null;
    if (own.signal.aborted) return;
    if (response.status === 200) take(response);
    else if (response.status === 404) forget();
    else if (response.status === 401) forget(true);
    else {
      isPolling = false;
      reconnect(400);
    }
  }

  // Applies the state in a response, unless the displayed version has changed since the request.
  function take({ state, shown }) {
    if (state?.address) {
      hasNavigated = true;
      return go(state.address);
    }
    if (!isPolling) return;
    if (!state || shown !== version) return void poll();
    if (state.isNew) renew();
    update(state);
    if (state.isWorking && !queue.length) poll();
  }

  // ---- Receiving states. -----------------------------------------------------------------------

  let connection = null;   // the AbortController of the current connection
  let timer = 0;
  let stall = 0;
  let failures = 0;
  let isParked = false;    // whether the connection was closed in favor of other tabs

  // The server sends data at least every 15 seconds, so a connection without data for this time is dead.
  const stallTimeout = 50_000;

  function connect() {
    clearTimeout(timer);
    timer = 0;
    if (connection || document.hidden || isParked || life.signal.aborted) return;
    connection = new AbortController();
    streams += 1;
    clearTimeout(streamTimer);
    streamTimer = setTimeout(startPolling, streamTimeout);
    read(connection);
    share.announce(true);
  }

  // Reads the stream of a connection. The data and errors of a replaced connection are ignored.
  async function read(own) {
    const address = encodeURIComponent(location.pathname + location.search);
    const headers = {
      "Live-Tab": tab, "Live-Version": String(version), "Live-Stream": String(streams),
      "Live-Build": left.includes(build) ? visitorOf(root) : build,
    };
    if (kept) headers["Live-Kept"] = kept;
    if (session) headers["Live-Session"] = session;
    listen();
    try {
      const response = await fetch(`${path}/live?address=${address}`, {
        headers, cache: "no-store", credentials: "same-origin", signal: own.signal,
      });
      const type = response.headers.get("Content-Type") || "";
      if (response.status === 200 && type.startsWith("text/event-stream")) {
        await readEvents(response.body, own.signal, () => dataArrived(own), receive);
      } else if (own === connection) {
        if (statusOf(response) === 401 || response.status === 403) forget(true);
        else startPolling();
      }
    } catch { /* Lost, or closed by `disconnect`. */ }
    if (own === connection) reconnect(400);
  }

  let lastArrival = 0;           // when data last arrived, or a connection was opened

  function listen() {
    lastArrival = performance.now();
    clearTimeout(stall);
    stall = setTimeout(() => reconnect(400), stallTimeout);
  }

  // Handles arriving data. If responses contained the states, a new stream starts at the displayed version.
  function dataArrived(own) {
    listen();
    clearTimeout(streamTimer);
    if (!isPolling || own !== connection) return;
    isPolling = false;
    pendingPoll?.abort();
    pendingPoll = null;
    disconnect();
    connect();
  }

  function receive(name, data) {
    if (name === "hello") beginSession(data);
    else if (name === "state") update(JSON.parse(data), data);
    else if (name === "go") { if (!visiting) go(data); }   // Unless a visit is in progress.
    else if (name === "bye") moveOn();
    else if (name === "reload") reload();
    else if (name === "out") {     // The visitor has signed out: nothing is kept, and the document leads to a sign-in.
      life.abort();
      forgetFields(root);
      location.reload();
    }
  }

  // The server is shutting down; another server will soon serve the same address, but may not have the session.
  function moveOn() {
    disconnect();
    timer = setTimeout(connect, Math.random() * 1000);
  }

  // Reloads the document, because the server has another version. Only once per version, in case servers
  // with different versions alternate, or the visitor's document is never the stream's.
  function reload() {
    if (left.includes(build)) return forget(true);
    disconnect();
    left.push(build);
    isReloading = true;
    if (!store()) return connect();
    location.reload();
    // The timer keeps user input from connecting during the reload, and connects if the reload fails.
    timer = setTimeout(connect, 10_000);
  }

  // The greeting contains the session's name, and a mark if the session is new although the tab has named it.
  function beginSession(greeting) {
    const [name, isNew] = greeting.split(" ");
    // Without a displayed version, the connection counts as working only after the next state is shown.
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

  // Switches the page to a new session.
  function renew() {
    dropApplied();
    version = 0;
    address.reset();
    appearance.forget();
    // The new session never acknowledges actions that were sent to the old session.
    acknowledged = queue.length ? queue[0].number - 1 : lastNumber;
    // The actions that wait are sent after the fields that differ from the first state.
    isRenewed = true;
    watchAnew();
  }

  function welcome() {
    failures = 0;
    notice.set(isPolling ? "held" : "");
  }

  // ---- Showing that the server is slow. --------------------------------------------------------

  let waited = 0;          // the timer of the oldest unacknowledged action

  // Records that the displayed state includes all actions up to a number.
  function acknowledge(number) {
    if (number <= acknowledged) return;
    acknowledged = number;
    for (const action of queue) action.isApplied ||= action.number <= number;
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
      if (notice.shows("slow")) notice.set(isPolling ? "held" : "");
    } else if (!waited) {
      waited = setTimeout(() => {
        if (!notice.shows("lost")) notice.set("slow");
        waited = setTimeout(() => {
          failures = Math.max(failures, 2);
          // A connection without data for 10 s may be dead; a newer connection may only be slow.
          if (!timer && performance.now() - lastArrival > 10_000) reconnect(400);
          else if (!notice.shows("lost")) notice.show(5_000);
          watchAnew();
        }, 3_000);
      }, 2_000);
    }
  }

  // Applies an update. If it doesn't match the DOM, because another script has changed the DOM, requests
  // the complete markup.
  function update(state, text) {
    try {
      show(state, text);
    } catch (error) {
      if (!(error instanceof OutOfSync)) reportError(error);
      // Without delay, unless the failed update was complete: it would fail again.
      const delay = version ? 0 : 400;
      version = 0;
      if (isPolling) setTimeout(poll, delay);
      else reconnect(delay);
      return;
    }
    version = state.version ?? version;
    welcome();
    flush();
  }

  function disconnect() {
    clearTimeout(stall);
    clearTimeout(streamTimer);
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
    if (failures > 2 && !(isPolling && notice.shows("held"))) notice.show(wait);
  }

  function reconnectNow() {
    clearTimeout(timer);
    timer = 0;
    wake();
    flush();
  }

  const notice = connectionNotice(root, on, () => {
    // Aborts an attempt that hangs.
    disconnect();
    reconnectNow();
  }, () => focusAnew(root));

  const shownContents = () => fieldsIn(root).map((field) => [field, nameOf(field), contentOf(field)]);

  // Queues the texts and choices that differ from the first state of a new session, which starts from the address,
  // before the actions that wait and may depend on them. `shown` are the fields before that state.
  function recoverFields(shown) {
    const actions = [];
    for (const [field, name, content] of shown) {
      if (!isText(field)) {
        if (field.isConnected && edited.has(name)) setContent(field, content);
        continue;
      }
      const own = field.isConnected ? field : textFields(root).find((one) => nameOf(one) === name);
      // A screen that other browsers use, too, has not lost the text; it may be newer.
      const isKept = own && root.dataset.liveShared === undefined;
      if (!(isKept || edited.has(name)) || (own && content === markupText(own))) continue;
      if (own && own.value !== content) own.value = content;
      actions.push({ name, value: wellFormed(content), replaces: true });
    }
    for (const field of fieldsIn(root)) {
      const [name, value] = [nameOf(field), valueOfField(field)];
      const waiting = queue.filter((action) => action.name === name && action.value === value);
      // The action of a checkbox toggles it, so it depends on those that wait.
      const isToggled = field.type === "checkbox" && waiting.length % 2 === 1;
      const isChanged = differs(field, markupContent(field));
      if (!isText(field) && edited.has(name) && isChanged !== isToggled) actions.push({ name, value });
    }
    if (!actions.length) return;
    // An action that is being sent keeps its number.
    const waiting = queue.splice(sending ? 1 : 0);
    const first = waiting[0]?.number ?? lastNumber + 1;
    for (const action of [...actions, ...waiting]) queue.push({ ...action, number: ++lastNumber });
    const moved = (number) => number < first ? number : lastNumber;
    if (submitted) submitted.number = moved(submitted.number);
    [acted, navigated] = [moved(acted), moved(navigated)];
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
    store();
    hide();
    share.close();
  });
  on(window, "pageshow", (event) => {
    // Some browsers restore fields only after the script has run.
    if (!event.persisted) return sendRestored();
    forgetFields(root);
    share.open();
    use();
  });
  for (const name of ["focus", "pointerdown", "keydown", "input"]) on(window, name, use);
  on(window, "online", reconnectNow);
  for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) on(window, name, () => { place = null; });

  // ---- Showing a state. ------------------------------------------------------------------------

  let place = null;        // the position to scroll to after a back or forward navigation
  let placeEnd = 0;
  const address = addressBar(path);
  const appearance = appearanceWatcher(root, (element) =>
    push(props(element).dataset.liveAppear, props(element).dataset.liveValue || "", { replaces: "same" }));
  const hooked = hookedElements(root, { send: (name, value = "") => send(name, String(value)) });

  function show(state, text) {
    acknowledge(state.acknowledged ?? 0);
    kept = state.kept ?? kept;
    address.take(state);
    // Unless the state is older than the latest navigation.
    if (acknowledged >= navigated) {
      address.show({ isSamePage: state.isSamePage, hasActed: acted > navigated, isTyping });
    }
    showSlots(state.slots);
    if (state.html !== undefined || state.parts) {
      const shown = isRenewed ? shownContents() : [];
      changeWithFocus(root, () => hooked.around(() => applyUpdate(root, state)));
      appearance.update();
      offerInspector();
      if (isRenewed) recoverFields(shown);
      isRenewed = false;
    }
    noteFirstContents(root);
    const isCurrent = acknowledged >= lastNumber;
    updateFields(isCurrent, navigated > 0 && isCurrent && navigated === lastNumber);
    if (place && acknowledged >= navigated) {
      scrollTo({ left: place.x, top: place.y, behavior: "instant" });
      // Otherwise the content is still loading, which is awaited for 10 s.
      if (Math.abs(scrollY - place.y) < 2 || performance.now() > placeEnd) place = null;
    }
    root.dispatchEvent(
      new CustomEvent("live:state", { bubbles: true, detail: { acknowledged, text } }));
  }

  // Updates the slots: the parts of the frame that show a part of the state.
  function showSlots(slots = {}) {
    for (const [name, html] of Object.entries(slots)) {
      for (const element of all(document, "slot")) {
        if (element.dataset.liveSlot === name) applyUpdate(element, { html: html ?? "" });
      }
    }
  }

  // Sets live fields to their values in the markup. `isCurrent` is whether the markup includes all of the
  // user's actions; otherwise fields keep their values. `isAsked` is whether a back or forward navigation
  // requested other text, which also replaces the text of the focused field.
  function updateFields(isCurrent, isAsked) {
    for (const field of fieldsIn(root)) {
      const [name, text] = [nameOf(field), field.value];
      if (!isText(field)) {
        if (isCurrent && updateChoice(field)) edited.delete(name);
      } else if (isAsked || (isCurrent && document.activeElement !== field)) {
        const next = markupText(field);
        if (text === next || text.trim() === next || refused.has(name)) continue;
        if (!isAsked && text !== (knownTexts.get(field) ?? firstContents.get(field))) {
          sendContent(field, send);
          continue;
        }
        field.value = next;
        knownTexts.set(field, next);
        edited.delete(name);
      }
    }
  }

  // Sends what was typed and chosen before the script ran, or is restored by the browser.
  function sendRestored() {
    const sent = new Set(edited);
    for (const field of fieldsIn(root)) {
      if (!differs(field, markupContent(field)) || sent.has(nameOf(field))) continue;
      // The action of a checkbox toggles a value, which may have changed since.
      if (isRestored && field.type === "checkbox") updateChoice(field);
      else sendContent(field, send);
    }
  }

  // ---- Start and end of the page. --------------------------------------------------------------

  listenToUser(root, on, send);
  root.setAttribute("data-live-ready", "");
  noteFirstContents(root);
  const isRestored = isBack;
  const { left, actions = [] } = restoreFields(root, path);
  sendRestored();
  for (const { name, value, fields } of actions) send(name, value, { fields });
  appearance.update();
  hooked.update();
  showShortcuts();
  share.open();
  connect();

  return {
    path,
    identity: () => ({ tab, session }),
    hookElements: () => hooked.update(),
    // Handles a navigation to another history entry of this page, which the user left at a scroll position.
    moved(left) {
      place = left;
      placeEnd = performance.now() + 10_000;
      navigated = lastNumber + 1;
      address.moved();
      send("live:navigate", location.pathname + location.search);
    },
    // Ends this page, because another page replaces it. Queued actions are still sent.
    leave() {
      life.abort();
      root.inert = true;
      hooked.leave();
      notice.hide();
      appearance.forget();
      clearTimeout(timer);
      clearTimeout(waited);
      pendingPoll?.abort();
      hide();
      share.close();
    },
  };
}

// Navigates to an address: to a live page of this site, or to any other.
function go(url) {
  if (isLivePage(new URL(url, location.href))) visit(url);
  else location.assign(url);
}

function startPage() {
  const root = document.querySelector("[data-live]");
  return root && keepLive(root);
}

if (window.fetch && window.ReadableStream && window.AbortController) {
  shownPage = startPage();
  if (shownPage) {
    noteOwned(document.body);
    startVisits();
    startInspector();
  }
}

// The API for the page's own scripts.
window.Live = {
  // Registers a hook for the elements with `data-live-hook="name"`: `appear(element, page)`,
  // `change(element, page)` and `leave(element, page)`; `page.send(name, value)` sends an action.
  hook(name, steps) {
    hooks.set(name, steps);
    shownPage?.hookElements();
  },
  // Navigates to an address.
  visit: go,
};
