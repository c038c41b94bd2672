// Keeps one screen of a page live: actions go up, states come down, the DOM is patched in place.
"use strict";
(() => {
  const root = document.querySelector("[data-live]");
  if (!root || !window.EventSource || !window.fetch) return;
  const path = root.dataset.live;
  let session = root.dataset.liveSession || "";

  // ---- Events go up, one at a time and in order; what waits and is overtaken is dropped. --------

  const queue = [];
  let sending = false;
  let lastNumber = 0;      // of the newest action
  let acknowledged = 0;    // the newest action that the shown state has seen
  let acted = 0;           // the newest action of a person
  let navigated = 0;       // the newest action that came from the back or forward button
  let isTyping = false;    // the newest action is a text that is being typed

  function send(name, value, isText = false) {
    isTyping = isText;
    acted = lastNumber + 1;
    push(name, value);
  }

  function push(name, value) {
    const newest = queue[queue.length - 1];
    // A field's text replaces its older text as long as that has not left.
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
    } catch { /* No connection: kept until there is one. */ }
    sending = false;
    if (status === 404) {          // The session is gone: the address brings it back.
      session = "";
      reconnect(0);
    } else if (status === 0 || status >= 500) {
      reconnect(500);
    } else {
      queue.shift();
      flush();
    }
  }

  // ---- States come down. -----------------------------------------------------------------------

  let source = null;
  let timer = 0;
  let failures = 0;
  let parked = false;      // the connection was given back to other tabs

  function connect() {
    clearTimeout(timer);
    timer = 0;
    if (source || document.hidden || parked) return;
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
    tell(true);
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

  // A new session knows the address only; what was typed since is sent again.
  function resendFields() {
    for (const field of textFields()) {
      if (field.value.trim() !== (field.getAttribute("value") || "").trim()
          && !queue.some((action) => action.name === field.dataset.liveInput)) {
        send(field.dataset.liveInput, field.value, true);
      }
    }
  }

  // A hidden tab gives its connection back, and so does one when four others were used since: a
  // browser has six connections to a host for all its tabs together.
  let tabs = null;
  const tab = String(Math.random());
  const others = new Map();      // the tabs that are shown, and when each was last used
  let used = Date.now();
  const newer = () => [...others.values()].filter((time) => time > used).length;

  function tell(isHere) {
    tabs?.postMessage({ tab, isHere, used });
  }

  // Closed while the page is away: a message would throw a page out of the browser's memory that the
  // back button is to bring back as it was left.
  function join() {
    if (tabs || !window.BroadcastChannel) return;
    tabs = new BroadcastChannel("live");
    tabs.onmessage = ({ data }) => {
      if (data.isHere) others.set(data.tab, data.used);
      else others.delete(data.tab);
      const isOld = newer() >= 4;
      if (isOld && source) {
        parked = true;
        disconnect();
      } else if (!isOld && parked) {
        wake();
      }
    };
  }

  // The person turns to this tab.
  function use() {
    const wasNewest = newer() === 0;
    used = Date.now();
    if (!wasNewest) tell(true);
    wake();
  }

  function wake() {
    parked = false;
    if (!timer) connect();
  }

  function leave() {
    disconnect();
    tell(false);
  }

  document.addEventListener("visibilitychange", () => document.hidden ? leave() : use());
  addEventListener("pagehide", () => {
    leave();
    tabs?.close();
    tabs = null;
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    join();
    use();
  });
  for (const name of ["focus", "pointerdown", "keydown", "input"]) addEventListener(name, use);
  addEventListener("online", () => { clearTimeout(timer); timer = 0; wake(); });

  // ---- The address follows. --------------------------------------------------------------------

  let isPlace = true;      // the address shown is one to come back to
  let since = -Infinity;   // when a state led to it
  let wasTyped = false;    // and whether by a text that was being typed

  function follow(state) {
    if (acknowledged < navigated) return;      // The back button is ahead of this state.
    if (state.url !== location.pathname + location.search) {
      // Without an action there is no new place: the address is only spelled as the page spells it.
      // A place that is typed away at once, as the empty field is, was only passed through.
      const isKept = isPlace && acted > navigated
        && (!isTyping || !wasTyped || performance.now() - since > 500);
      history[isKept ? "pushState" : "replaceState"](null, "", state.url);
      since = performance.now();
      wasTyped = isTyping;
    }
    isPlace = state.isPlace;
  }

  addEventListener("popstate", () => {
    navigated = lastNumber + 1;
    isPlace = true;
    since = -Infinity;
    send("live:navigate", location.pathname + location.search);
  });

  // ---- A state is shown. -----------------------------------------------------------------------

  function show(state) {
    acknowledged = Math.max(acknowledged, state.acknowledged);
    document.title = state.title;
    follow(state);
    const template = document.createElement("template");
    template.innerHTML = state.html;
    const before = new Set(root.querySelectorAll("[data-live-focus]"));
    const row = root.querySelector("[data-live-row][aria-current]");
    const place = placeOfFocus();
    patchChildren(root, template.content);
    const opened = [...root.querySelectorAll("[data-live-focus]")].find((e) => !before.has(e));
    const isClosed = [...before].some((element) => !element.isConnected);
    if (opened) opened.focus();
    // Back to the row that opened it, and so to its place in a list that was hidden meanwhile.
    else if (isClosed && document.activeElement === document.body) row?.focus();
    else place?.keep();
    watch();
    root.dispatchEvent(new Event("live:state", { bubbles: true }));
  }

  // Rows that come in before the element that has the focus push it off the screen, and the last ones
  // take its place: the focus goes to the first of them, so that nobody who goes by keys skips what
  // they waited for.
  function placeOfFocus() {
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
      keep() {
        if (focused.isConnected && (document.activeElement !== focused || isSeen())) return;
        const after = stops();
        const next = after[after.indexOf(previous) + 1];
        if (previous?.isConnected && next && !before.includes(next)) next.focus();
      },
    };
  }

  // Elements that are wanted when they come near the view, as the last rows of an endless list.
  const watched = new Set();
  const observer = window.IntersectionObserver && new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !watched.has(target)) continue;
      observer.unobserve(target);       // Once, until the page marks it anew.
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
    // What is gone goes first: an element that had to be moved past it would lose the focus.
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

  // The node that a new one continues: the one with its key, else the one at its place.
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
      // What a person has opened stays open.
      const isOpened = name === "open" && node.nodeName === "DETAILS";
      if (!next.hasAttribute(name) && !isOpened) node.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    }
    if (node.dataset.liveInput !== undefined) patchField(node, next);
    else patchChildren(node, next);
  }

  // The text belongs to the person who types it: it changes only when the field is left alone, or
  // when the back button asked for another one.
  function patchField(field, next) {
    if (!isText(field)) return patchChoice(field, next);
    const value = next.getAttribute("value") || "";
    const isAsked = navigated > 0 && acknowledged >= navigated && navigated === lastNumber;
    const isIdle = document.activeElement !== field && acknowledged >= lastNumber;
    if ((isAsked || isIdle) && field.value.trim() !== value) field.value = value;
  }

  // A choice follows the state as soon as that has seen the newest action.
  function patchChoice(field, next) {
    patchChildren(field, next);
    if (acknowledged < lastNumber) return;
    if (field.checked !== next.checked) field.checked = next.checked;
    if (field.options && field.value !== next.value) field.value = next.value;
  }

  // ---- What a person does. ---------------------------------------------------------------------

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

  // Escape presses what the page says it does; in a field it is the browser's own.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    if (event.target.dataset?.liveInput === undefined) {
      root.querySelector("[data-live-escape]")?.click();
    }
  });

  // Up and down go from the field through the rows.
  root.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    // In a choice they choose.
    const stops = [...textFields(), ...root.querySelectorAll("[data-live-row]")]
      .filter((element) => element.getClientRects().length);
    const place = stops.indexOf(document.activeElement);
    const stop = place < 0 ? null : stops[place + (event.key === "ArrowDown" ? 1 : -1)];
    if (!stop) return;
    event.preventDefault();
    stop.focus();
  });

  root.setAttribute("data-live-ready", "");
  // What was typed before the script ran.
  for (const field of textFields()) {
    if (field.value !== field.defaultValue) send(field.dataset.liveInput, field.value, true);
  }
  watch();
  join();
  connect();
})();
