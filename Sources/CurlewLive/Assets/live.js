// Keeps a page live: sends the user's actions, receives the screen's states, and patches the DOM.
"use strict";
(() => {
  const root = document.querySelector("[data-live]");
  if (!root || !window.EventSource || !window.fetch) return;
  const path = root.dataset.live;
  let session = root.dataset.liveSession || "";

  // ---- Sending actions: one at a time and in order. ---------------------------------------------

  const queue = [];
  let sending = false;
  let lastNumber = 0;      // the number of the newest action
  let acknowledged = 0;    // the number of the newest action that the displayed state includes
  let acted = 0;           // the number of the newest action of the user
  let navigated = 0;       // the number of the newest action of the back or forward button
  let isTyping = false;    // whether the newest action is a text that is being typed

  function send(name, value, isText = false) {
    isTyping = isText;
    acted = lastNumber + 1;
    push(name, value);
  }

  function push(name, value) {
    const newest = queue[queue.length - 1];
    // A newer action replaces a queued one with the same name, unless that is being sent.
    if (newest && newest.name === name && !(sending && queue.length === 1)) queue.pop();
    queue.push({ number: ++lastNumber, name, value });
    wake();
    flush();
  }

  async function flush() {
    if (sending || !queue.length || !session) return;
    sending = true;
    const message = JSON.stringify({ session, ...queue[0] });
    let status = 0;
    try {
      const response = await fetch(path + "/events", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: message,
        credentials: "same-origin",
      });
      status = response.status;
    } catch { /* No connection: the action stays in the queue until there is one. */ }
    sending = false;
    if (status === 404) {          // The session has ended: a new one starts from the address.
      session = "";
      reconnect(0);
    } else if (status === 0 || status >= 500) {
      reconnect(500);
    } else {
      queue.shift();
      flush();
    }
  }

  // ---- Receiving states. -----------------------------------------------------------------------

  let source = null;
  let timer = 0;
  let failures = 0;
  let isParked = false;    // whether the connection was closed in favor of other tabs

  function connect() {
    clearTimeout(timer);
    timer = 0;
    if (source || document.hidden || isParked) return;
    const address = location.pathname + location.search;
    const query = new URLSearchParams({ address, session });
    source = new EventSource(path + "/live?" + query);
    source.addEventListener("hello", (event) => {
      failures = 0;
      root.removeAttribute("data-live-lost");
      const isNew = session !== event.data;
      session = event.data;
      if (isNew) resendFields();
      flush();
    });
    source.addEventListener("state", (event) => show(JSON.parse(event.data)));
    source.addEventListener("go", (event) => location.assign(event.data));
    source.onerror = () => reconnect(400);
    announce(true);
  }

  function disconnect() {
    source?.close();
    source = null;
  }

  function reconnect(delay) {
    disconnect();
    if (timer) return;
    failures += 1;
    if (failures > 2) root.setAttribute("data-live-lost", "");
    const wait = Math.min(delay * 2 ** Math.min(failures, 6), 5000);
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
  }

  const isText = (field) => field.matches("input:not([type=radio], [type=checkbox]), textarea");
  const textFields = () => [...root.querySelectorAll("[data-live-input]")].filter(isText);

  // A new session is created from the address only, so text typed since is sent again.
  function resendFields() {
    for (const field of textFields()) {
      if (field.value.trim() !== (field.getAttribute("value") || "").trim()
          && !queue.some((action) => action.name === field.dataset.liveInput)) {
        send(field.dataset.liveInput, field.value, true);
      }
    }
  }

  // A browser allows six connections per host for all its tabs together. So a tab closes its
  // connection while it is hidden, or when four other tabs have been used more recently.
  let tabs = null;
  const tab = String(Math.random());
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
      if (isOld && source) {
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

  let isEntry = true;      // whether the back button should return to the current address
  let since = -Infinity;   // the time when a state set the current address
  let wasTyped = false;    // whether that state resulted from a text that was being typed

  function updateAddress(state) {
    if (acknowledged < navigated) return;      // The state is older than the latest navigation.
    if (state.url !== location.pathname + location.search) {
      // Without an action since the last navigation, the page has only normalized the address, so
      // the history entry is replaced. It is also replaced when the user typed on within 500 ms.
      const isKept = isEntry && acted > navigated
        && (!isTyping || !wasTyped || performance.now() - since > 500);
      history[isKept ? "pushState" : "replaceState"](null, "", state.url);
      since = performance.now();
      wasTyped = isTyping;
    }
    isEntry = state.isHistoryEntry;
  }

  addEventListener("popstate", () => {
    navigated = lastNumber + 1;
    isEntry = true;
    since = -Infinity;
    send("live:navigate", location.pathname + location.search);
  });

  // ---- Rendering a state. ----------------------------------------------------------------------

  function show(state) {
    acknowledged = Math.max(acknowledged, state.acknowledged);
    document.title = state.title;
    updateAddress(state);
    const template = document.createElement("template");
    template.innerHTML = state.html;
    const before = new Set(root.querySelectorAll("[data-live-focus]"));
    const row = root.querySelector("[data-live-row][aria-current]");
    const focus = captureFocus();
    patchChildren(root, template.content);
    const opened = [...root.querySelectorAll("[data-live-focus]")].find((e) => !before.has(e));
    const isClosed = [...before].some((element) => !element.isConnected);
    if (opened) opened.focus();
    // When a panel has closed, focus the row that opened it, which also restores the list's scroll
    // position.
    else if (isClosed && document.activeElement === document.body) row?.focus();
    else focus?.restore();
    watch();
    root.dispatchEvent(new Event("live:state", { bubbles: true }));
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

  function patchChildren(parent, wanted) {
    // Removes keyed nodes first: moving a focused element past them would lose its focus.
    const keys = new Set([...wanted.childNodes].map(key));
    for (const node of [...parent.childNodes]) if (key(node) && !keys.has(key(node))) node.remove();
    let current = parent.firstChild;
    for (const next of [...wanted.childNodes]) {
      const match = find(current, next);
      while (match && current !== match && !key(current)) {
        const rest = current.nextSibling;
        current.remove();
        current = rest;
      }
      if (!match) {
        parent.insertBefore(document.importNode(next, true), current);
      } else {
        if (match !== current) parent.insertBefore(match, current);
        else current = current.nextSibling;
        patch(match, next);
      }
    }
    while (current) {
      const rest = current.nextSibling;
      current.remove();
      current = rest;
    }
  }

  const key = (node) => node.id || (node.dataset && node.dataset.key) || "";

  // Returns the existing node to reuse for a new one: the node with the same key, else the current
  // one.
  function find(current, next) {
    const wanted = key(next);
    if (wanted) {
      for (let node = current; node; node = node.nextSibling) {
        if (key(node) === wanted && node.nodeName === next.nodeName) return node;
      }
      return null;
    }
    return current && current.nodeName === next.nodeName && !key(current) ? current : null;
  }

  function patch(node, next) {
    if (node.nodeType !== Node.ELEMENT_NODE) {
      if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
      return;
    }
    for (const { name } of [...node.attributes]) {
      // A disclosure that the user has opened stays open.
      const isOpened = name === "open" && node.nodeName === "DETAILS";
      if (!next.hasAttribute(name) && !isOpened) node.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    }
    if (node.dataset.liveInput !== undefined) patchField(node, next);
    else patchChildren(node, next);
  }

  // Changes a text field only when the user is not editing it, or when the back or forward button
  // requested another text.
  function patchField(field, next) {
    if (!isText(field)) return patchChoice(field, next);
    const value = next.getAttribute("value") || "";
    const isAsked = navigated > 0 && acknowledged >= navigated && navigated === lastNumber;
    const isIdle = document.activeElement !== field && acknowledged >= lastNumber;
    if ((isAsked || isIdle) && field.value.trim() !== value) field.value = value;
  }

  // Changes another control when the state includes the newest action.
  function patchChoice(field, next) {
    patchChildren(field, next);
    if (acknowledged < lastNumber) return;
    if (field.checked !== next.checked) field.checked = next.checked;
    if (field.options && field.value !== next.value) field.value = next.value;
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

  root.addEventListener("input", (event) => {
    const field = closest(event, "input");
    if (field) send(field.dataset.liveInput, field.value, isText(field));
  });

  root.addEventListener("submit", (event) => {
    const form = closest(event, "submit");
    if (!form) return;
    event.preventDefault();
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
  // Sends text that was typed before the script ran.
  for (const field of textFields()) {
    if (field.value !== field.defaultValue) send(field.dataset.liveInput, field.value, true);
  }
  watch();
  openChannel();
  connect();
})();
