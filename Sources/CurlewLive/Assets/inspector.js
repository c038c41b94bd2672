// Shows what the screen of a live page does, in a drawer: events, work, requests, states, bytes.
// What arrives is not trusted: it may be missing, huge or of another type, and is shown as text.

export function open(page) {
  const view = build(page);
  const closing = new AbortController();
  const drawer = makeDrawer(view);
  const timeline = makeTimeline(view, request);
  const controls = makeControls(view, request);
  let place = "";          // whose entries are shown: another page or session numbers them anew
  let after = 0;           // the number of the newest entry
  let latest = 0;          // the server's time in the newest answer
  let timer = 0;
  let isPolling = false;
  let isPaused = false;

  const here = () => {
    const { tab, session } = page.identity() ?? {};
    return JSON.stringify([page.path(), tab, session]);
  };

  function request(path, options = {}) {
    const { tab = "", session = "" } = page.identity() ?? {};
    const signals = [closing.signal, AbortSignal.timeout?.(10_000)].filter(Boolean);
    return fetch(page.path() + "/inspector" + path, {
      cache: "no-store", credentials: "same-origin", ...options,
      headers: { "Live-Tab": tab, "Live-Session": session, ...options.headers },
      signal: AbortSignal.any?.(signals) ?? closing.signal,
    });
  }

  async function poll() {
    clearTimeout(timer);
    if (isPolling || isPaused || document.hidden || closing.signal.aborted) return;
    isPolling = true;
    if (place !== here()) startAnew();
    const began = performance.now();
    let status = 0;
    let answer = null;
    try {
      const response = await request(`?after=${after}`);
      status = response.status;
      if (status === 200) answer = await response.json();
    } catch { /* No connection, or no answer that can be read. */ }
    isPolling = false;
    if (closing.signal.aborted) return;
    const isOld = place !== here();
    if (answer && !isOld && !isPaused) receive(answer, began);
    setText(view.status, answer || isOld ? ""
      : status === 404 ? "Waiting for the page…" : "Connection lost");
    timer = setTimeout(poll, isOld ? 0 : answer ? 250 : status === 404 ? 500 : 2000);
  }

  function startAnew() {
    if (place) timeline.separate("new page");
    place = here();
    after = latest = 0;
  }

  function receive(answer, began) {
    const now = number(answer.now, latest);
    if (now < latest - 1) return startAnew();         // The server has begun again.
    latest = now;
    const entries = listOf(answer.entries);
    if (answer.isCut === true && number(entries[0]?.n, 0) > after + 1) {
      timeline.note("older entries are no longer kept");
    }
    for (const entry of entries) after = Math.max(after, number(entry.n, 0));
    timeline.receive(entries, now);
    controls.show(listOf(answer.controls), began);
  }

  function close() {
    if (closing.signal.aborted) return;
    closing.abort();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", poll);
    for (const part of [timeline, controls, drawer]) part.close();
    view.drawer.remove();
    page.onClose?.();
  }

  view.pause.addEventListener("click", () => {
    isPaused = !isPaused;
    view.pause.textContent = isPaused ? "Continue" : "Pause";
    timeline.pause(isPaused);
    poll();
  });
  view.clear.addEventListener("click", timeline.clear);
  view.close.addEventListener("click", close);
  view.drawer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();                          // The page has its own use of the key.
    close();
  });
  document.addEventListener("visibilitychange", poll);
  poll();
  return { close };
}

// ---- The markup. --------------------------------------------------------------------------------

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const makeButton = (text) => make("button", { type: "button" }, text);

function build({ host, stylesheet }) {
  const view = {
    summary: make("p", { class: "summary" }),
    status: make("p", { class: "status", role: "status" }),
    pause: makeButton("Pause"), clear: makeButton("Clear"), close: makeButton("Close"),
    grip: make("div", { class: "grip", role: "separator", tabindex: "0",
      "aria-orientation": "horizontal", "aria-label": "Height of the inspector" }),
    reset: makeButton("Reset"), sliders: make("div", { class: "sliders" }),
    axis: make("div", { class: "axis", "aria-hidden": "true" }),
    rows: make("ol", { role: "list" }), hint: make("p", { class: "hint" }),
    newest: makeButton("Newest ↓"),
  };
  view.scroll = make("div", { class: "scroll", role: "region", tabindex: "0",
    "aria-label": "Timeline" }, view.rows, view.hint);
  view.controls = make("section", { class: "controls", "aria-label": "Disturb the server" },
    make("div", { class: "heading" }, make("h3", {}, "Disturb the server"), view.reset),
    view.sliders);
  view.drawer = make("div", { class: "drawer" }, view.grip,
    make("div", { class: "head" }, make("h2", {}, "Inspector"), view.summary, view.status,
      make("div", { class: "buttons" }, view.pause, view.clear, view.close)),
    make("div", { class: "main" }, view.controls,
      make("div", { class: "timeline" }, view.axis, view.scroll, view.newest)));
  view.controls.hidden = view.newest.hidden = view.drawer.hidden = true;
  view.newest.className = "newest";
  const link = make("link", { rel: "stylesheet", href: stylesheet });
  for (const name of ["load", "error"]) {             // Nothing is seen before its styles are.
    link.addEventListener(name, () => { view.drawer.hidden = false; });
  }
  (host.shadowRoot ?? host.attachShadow({ mode: "open" })).replaceChildren(link, view.drawer);
  return view;
}

function setText(element, value) {
  if (element.textContent !== value) element.textContent = value;
}

// ---- Words and numbers. -------------------------------------------------------------------------

function number(value, otherwise) {
  const isNumeral = typeof value === "string" && value.length < 40 && value.trim() !== "";
  const result = typeof value === "number" || isNumeral ? Number(value) : NaN;
  return Number.isFinite(result) ? Math.max(-1e12, Math.min(1e12, result)) : otherwise;
}

// One short line, whatever has arrived.
function text(value, limit = 160) {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const line = String(value).slice(0, limit + 1).replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > limit ? line.slice(0, limit).replace(/[\ud800-\udbff]$/, "") + "…" : line;
}

const listOf = (value) => (Array.isArray(value) ? value : [])
  .filter((item) => item && typeof item === "object");

const short = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const count = (n, one, many = one + "s") => `${short.format(n)} ${n === 1 ? one : many}`;
const times = (n) => n === 1 ? "once" : n === 2 ? "twice" : `${n} times`;
const plural = (word) => /(s|sh|ch|x)$/.test(word) ? word + "es" : word + "s";

function seconds(value) {
  if (!(value > 0.0995)) return `${Math.max(1, Math.round(value * 1000) || 0)} ms`;
  return value < 9.95 ? `${Number(value.toFixed(2))} s`
    : value < 100 ? `${short.format(value)} s` : `${short.format(Math.round(value / 60))} min`;
}

function bytes(size) {
  return size < 1000 ? count(Math.round(size), "byte")
    : size < 1e6 ? `${short.format(size / 1e3)} KB` : `${short.format(size / 1e6)} MB`;
}

// ---- The drawer's height. -----------------------------------------------------------------------

function makeDrawer({ drawer, grip }) {
  const key = "live:inspector";
  const root = document.documentElement;
  // The page makes room, also for what it scrolls to.
  const styles = [[document.body, "padding-bottom"], [root, "scroll-padding-bottom"]]
    .map(([{ style }, name]) => ({ style, name, value: style.getPropertyValue(name) }));
  let stored = {};
  try {
    stored = Object(JSON.parse(localStorage.getItem(key)));
  } catch { /* There is nothing that can be read. */ }
  let chosen = number(stored.height, 0);
  let height = 0;

  const most = () => Math.max(140, innerHeight - 60);

  function show() {
    const usual = Math.max(280, innerHeight * (innerWidth < 700 ? 0.5 : 0.42));
    height = Math.round(Math.min(most(), Math.max(140, chosen || usual)));
    drawer.style.setProperty("height", `${height}px`);
    for (const { style, name } of styles) style.setProperty(name, `${height}px`);
    for (const [name, value] of Object.entries({ min: 140, max: most(), now: height })) {
      grip.setAttribute("aria-value" + name, value);
    }
  }

  function choose(value) {
    chosen = Math.min(most(), Math.max(140, value));
    show();
    try {
      localStorage.setItem(key, JSON.stringify({ ...stored, height }));
    } catch { /* The browser stores nothing. */ }
  }

  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    const start = event.clientY + height;
    const move = (next) => choose(start - next.clientY);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture",
      () => grip.removeEventListener("pointermove", move), { once: true });
  });
  grip.addEventListener("keydown", (event) => {
    const heights = { ArrowUp: height + 24, ArrowDown: height - 24, Home: 140, End: most() };
    if (!Object.hasOwn(heights, event.key)) return;
    event.preventDefault();
    choose(heights[event.key]);
  });
  addEventListener("resize", show);
  show();
  return {
    close() {
      removeEventListener("resize", show);
      for (const { style, name, value } of styles) style.setProperty(name, value);
    },
  };
}

// ---- The sandbox server's controls. -------------------------------------------------------------

function makeControls(view, request) {
  let sliders = [];
  let shape = "";          // what the sliders have been made for
  const close = () => { for (const slider of sliders) slider.close(); };

  function show(values, began) {
    const controls = values.filter(({ name }) => text(name)).slice(0, 12).map(readControl);
    const next = JSON.stringify(controls.map(({ value, ...rest }) => rest));
    if (next !== shape) {
      close();
      shape = next;
      sliders = controls.map((control) => makeSlider(control, request));
      view.sliders.replaceChildren(...sliders.map((slider) => slider.element));
      view.controls.hidden = !sliders.length;
    }
    sliders.forEach((slider, index) => slider.take(controls[index].value, began));
  }

  view.reset.addEventListener("click", () => { for (const slider of sliders) slider.reset(); });
  return { show, close };
}

// A value is a number, or `null` for no limit, which is the slider's right end.
function readControl({ name, label, min: least, max, step, unit, note, value, initial = least }) {
  const min = number(least, 0);
  const read = (value) => value === null ? null : number(value, min);
  return {
    name, label: text(label || name, 40), min, max: Math.max(min, number(max, 100)),
    step: number(step, 0) > 0 ? number(step, 1) : "any", unit: text(unit, 12),
    note: text(note, 120), value: read(value), initial: read(initial),
  };
}

let notes = 0;

function makeSlider({ name, label, min, max, step, unit, note, value: first, initial }, request) {
  const id = `note-${++notes}`;
  const input = make("input", { type: "range", min, max, step, "aria-describedby": id });
  const output = make("output", { "aria-hidden": "true" });
  const error = make("p", { class: "error", role: "alert" });
  const element = make("div", { class: "slider" },
    make("label", {}, make("span", {}, label), output, input),
    make("p", { class: "note", id }, note), error);
  let isUnlimited = [first, initial].includes(null);
  let isHeld = false;      // whether the user is dragging
  let isDue = false;       // whether the newest choice has yet to be sent
  let isSending = false;
  let sent = 0;
  let settled = 0;         // when the newest choice had arrived: older answers know nothing of it
  let timer = 0;

  function display() {
    const value = Number(input.value);
    const words = isUnlimited && value >= max ? "no limit"
      : unit === "%" ? `${Math.round(value * 100)}%` : `${short.format(value)} ${unit}`.trim();
    setText(output, words);
    input.setAttribute("aria-valuetext", words);
    element.classList.toggle("is-changed", value !== (initial ?? max));
  }

  // At most five a second, and never two at once, so that the newest choice arrives last.
  async function send() {
    clearTimeout(timer);
    if (isSending || !isDue) return;
    const wait = sent + 200 - performance.now();
    if (wait > 0) {
      timer = setTimeout(send, wait);
      return;
    }
    isDue = false;
    isSending = true;
    sent = performance.now();
    let problem = "";
    try {
      const response = await request("/controls", {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name, value: Number(input.value) }),
      });
      if (!response.ok) problem = text(await response.text()) || `Status ${response.status}`;
    } catch {
      problem = "The server can't be reached.";
    }
    setText(error, problem);
    isSending = false;
    settled = performance.now();
    send();
  }

  function choose() {
    isDue = true;
    display();
    send();
  }

  input.addEventListener("input", choose);
  input.addEventListener("pointerdown", () => { isHeld = true; });
  for (const end of ["pointerup", "pointercancel", "blur"]) {
    input.addEventListener(end, () => { isHeld = false; });
  }
  return {
    element,
    take(value, began) {
      if (isHeld || isDue || isSending || began < settled) return;
      isUnlimited ||= value === null;
      input.value = value ?? max;
      display();
    },
    reset() {
      input.value = initial ?? max;
      choose();
    },
    close() { clearTimeout(timer); },
  };
}

// ---- The timeline: what the entries mean. -------------------------------------------------------

const limits = { rows: 300, marks: 60, entries: 5000 };
const lag = 0.3;           // all is shown this much later, so that it comes before its time is now
const ahead = 1.5;         // how much of the future the axis has, for what is planned
const calm = 2;            // how long the axis goes on when nothing happens

const isGivenUp = (work) => work?.phase === "replaced" || work?.phase === "cancelled";

function makeTimeline(view, request) {
  let rows = [];
  let queue = [];                  // entries whose time has not come
  const waiting = new Map();       // the rows of work that waits, by the work's name
  const runs = new Map();          // the rows of work, by the number of the run
  const calls = new Map();         // the rows of requests, by the number of the call
  let burst = 0;                   // changes when something other than typing has happened
  let now = 0;                     // the time of the newest entry
  let totals, names;               // what the summary counts, and the names of the work
  const axis = makeAxis(view, request, frame, () => rows);
  clear();

  function add(kind, values) {
    const row = { kind, burst, marks: [], to: axis.place(now), began: now, t: now, ...values };
    const before = row.parent?.last ?? row.parent;
    rows.splice(before ? rows.lastIndexOf(before) + 1 : rows.length, 0, row);
    if (row.parent) row.parent.last = row;
    return axis.touch(row);
  }

  // What is typed makes a row of events, and one of states, that grow until something else begins.
  function grow(kind, name) {
    let row = rows.findLast((row) => row.kind === kind);
    const isSame = row?.burst === burst && row.name === name && row.times < 40;
    if (!isSame || axis.place(now) - row.to > 1) {
      if (kind === "event") burst += 1;
      row = add(kind, { name, times: 0, bytes: 0, states: [] });
    }
    row.times += 1;
    row.lasted = now - row.began;
    axis.mark(row, kind);
    return row;
  }

  function takeWork(work) {
    const name = text(work, 60);
    const row = waiting.get(name) ?? add("work", { name, title: name || "work", again: -1 });
    waiting.delete(name);
    return row;
  }

  function end(row, phase, why) {
    Object.assign(row, { phase, why: text(why), lasted: now - row.began, isOver: true });
    axis.end(row, { failed: "bad", finished: row.status >= 400 ? "bad" : "" }[phase] ?? "dropped");
    burst += 1;
  }

  const meanings = new Map(Object.entries({
    event({ text: given }) {
      totals.events += 1;
      grow("event", text(given).split("(")[0]).title = text(given, 200) || "event";
    },
    wait({ work, seconds: given }) {
      const row = takeWork(work);
      waiting.set(row.name, row);
      row.again += 1;
      Object.assign(row, { phase: "waits", pause: number(given, 0) });
      if (row.again) axis.mark(row, "again");
      axis.span(row, "wait", now + row.pause, row.again > 0);
    },
    skip({ work }) { end(takeWork(work), "skipped"); },
    start({ work, run }) {
      const row = takeWork(work);
      totals.started += 1;
      names.add(row.title);
      Object.assign(row, { phase: "runs", began: now, run: number(run, 0) });
      runs.set(row.run, row);
      axis.span(row, "run");
      burst += 1;
    },
    end({ work, run, outcome, text: why }) {
      const row = runs.get(number(run, 0)) ?? waiting.get(text(work, 60));
      if (!row || row.isOver) return;
      if (waiting.get(row.name) === row) waiting.delete(row.name);
      row.hasNotRun = row.phase === "waits";
      const isKnown = ["failed", "replaced", "cancelled"].includes(outcome);
      end(row, isKnown ? outcome : "finished", why);
      if (row.phase === "replaced") totals.replaced += 1;
      for (const call of rows) if (call.parent === row) axis.touch(call);
    },
    request(entry) {
      const call = number(entry.call, 0);
      if (!calls.has(call)) {
        totals.requests += 1;
        const parent = runs.get(number(entry.run, 0));
        calls.set(call, add("request", { parent, title: "request", phase: "asks", tries: [] }));
      }
      const row = calls.get(call);
      if (!row.isOver) stages.get(entry.stage)?.(row, entry);
      axis.touch(row);
    },
    state({ n }) { grow("state", "").states.push(number(n, 0)); },
    sent({ bytes: size }) {
      const sent = Math.max(0, number(size, 0));
      totals.bytes += sent;
      const row = rows.findLast((row) => row.kind === "state");
      if (row) axis.touch(row).bytes += sent;
    },
  }));

  // A request's stages.
  const change = (row, phase, bar, values) => {
    Object.assign(row, { phase, ...values });
    axis.span(row, bar, row.pause && now + row.pause);
    row.pause = 0;
  };
  const stages = new Map(Object.entries({
    began: (row, { text: given }) =>
      change(row, "asks", "ask", { title: text(given, 200) || "request" }),
    coalesced: (row) => change(row, "shares", "ask", { isShared: true }),
    queued: (row) => change(row, "queued", "pause"),
    waiting(row, { seconds: given }) {
      const pause = number(given, 0);
      change(row, "limited", "pause", { isLimited: true, pause, lasts: pause });
    },
    resumed: (row) => change(row, "asks", "ask"),
    cache(row, { text: given }) {
      row.isCached = /\bhit\b/.test(text(given));
      row.wasStale = /stale/.test(text(given));
    },
    sending: (row, { attempt }) => change(row, "sends", "send",
      { attempt: number(attempt, row.tries.length + 1), sent: now, isCached: false }),
    head(row, { status }) { Object.assign(row, { phase: "receives", status: number(status, 0) }); },
    received(row, { bytes: size }) { row.bytes = Math.max(0, number(size, 0)); },
    lost(row, { text: why }) {
      row.lost = text(why, 80);
      axis.end(row, "bad");
    },
    retrying(row, { seconds: given, text: why }) {
      totals.retries += 1;
      row.tries.push(text(why, 80) || row.lost || "no answer");
      axis.end(row, "bad");
      const pause = number(given, 0);
      change(row, "retries", "pause", { pause, lasts: pause, status: 0 });
    },
    finished: (row) => end(row, "finished"),
    failed(row, { text: why }) {
      end(row, isGivenUp(row.parent) || /cancel/i.test(text(why)) ? "cancelled" : "failed", why);
    },
  }));

  // ---- Receiving and showing. -------------------------------------------------------------------

  function receive(entries, present) {
    for (const entry of entries) {
      const time = Math.min(number(entry.t, present), present);
      if (meanings.has(entry.kind)) queue.push({ ...entry, time });
    }
    queue = queue.slice(-limits.entries);
    axis.follow(present);
  }

  function frame(present) {
    const due = queue.findIndex((entry) => entry.time > present);
    const entries = queue.splice(0, due < 0 ? queue.length : due);
    for (const entry of entries) {
      const skipped = axis.wake(entry.time);
      now = Math.max(now, entry.time);
      if (skipped > 3 && rows.length && rows.at(-1).kind !== "gap") {
        note(`${seconds(Math.round(skipped))} later`);
      }
      meanings.get(entry.kind)(entry);
      if (rows.length > 2 * limits.rows) trim();
    }
    if (!entries.length) return;
    trim();
    summarize();
  }

  const note = (title) => add("gap", { title });

  function trim(most = limits.rows) {
    for (const row of rows.splice(0, Math.max(0, rows.length - most))) {
      axis.forget(row);
      for (const known of [waiting, runs, calls]) {
        for (const [key, value] of known) if (value === row) known.delete(key);
      }
    }
  }

  function summarize() {
    const { events, started, replaced, requests, retries, bytes: size } = totals;
    const work = names.size === 1 && /^[a-z]+$/.test([...names][0]) ? [...names][0] : "task";
    setText(view.summary, [
      events && count(events, "event"), started && `${count(started, work, plural(work))} started`,
      replaced && `${short.format(replaced)} replaced`, requests && count(requests, "request"),
      retries && count(retries, "retry", "retries"), size && `${bytes(size)} sent`,
    ].filter(Boolean).join(" · "));
    // What one can try next, until all has been seen.
    const canDisturb = !view.controls.hidden;
    setText(view.hint, !started ? "Type into the search field, fast, and watch."
      : canDisturb && !replaced
        ? "Now give the server a latency, and type again while a search is running."
        : canDisturb && !retries ? "Now let requests fail, and search for something new." : "");
  }

  function clear() {
    trim(0);
    names = new Set();
    totals = { events: 0, started: 0, replaced: 0, requests: 0, retries: 0, bytes: 0 };
    summarize();
  }

  return {
    receive, clear, note, pause: axis.pause, close: axis.close,
    separate(title) {
      frame(Infinity);
      axis.restart();
      for (const known of [waiting, runs, calls]) known.clear();
      now = 0;
      burst += 1;
      if (rows.length) note(title);
    },
  };
}

// ---- What a row says. ---------------------------------------------------------------------------

// By kind: the sentence, what is less important, a word for the axis, and the terms it explains.
const sayings = {
  gap: () => ({}),
  event: ({ title, times, lasted }) => ({
    say: times > 1 ? `newest of ${times} events in ${seconds(lasted)}` : "event",
    tip: /"([^"]+)"/.exec(title)?.[1].slice(0, 24),
  }),
  work(row, now) {
    const { title, phase, why, pause, again, hasNotRun } = row;
    const lasted = seconds(row.lasted ?? now - row.began);
    const didWait = pause !== undefined && !hasNotRun && ["runs", "finished"].includes(phase);
    const say = {
      waits: `waits for a ${seconds(pause)} pause in typing`
        + (again ? `, began again ${times(again)}` : ""),
      skipped: "nothing new to do: this is shown already", runs: `running ${lasted}`,
      finished: `finished in ${lasted}`, failed: `failed after ${lasted}: ${why || "no reason"}`,
      replaced: `replaced by a newer ${title} `
        + (hasNotRun ? "before it began" : `after ${lasted}: its answer is ignored`),
      cancelled: `cancelled ${hasNotRun ? "before it began" : `after ${lasted}`}`,
    }[phase];
    return {
      say, tip: phase === "waits" || phase === "runs" ? "" : phase,
      more: !didWait ? "" : again ? `one ${title} instead of ${again + 1}`
        : "waited for a pause in typing",
      terms: [pause !== undefined && "debounce", phase === "replaced" && "latest wins"],
    };
  },
  request(row, now) {
    const { phase, tries, attempt, why, status, parent, lasts, isCached, isShared } = row;
    const nth = attempt > 1 ? `attempt ${attempt}: ` : "";
    const lasted = seconds(row.lasted ?? now - row.began);
    const answer = isCached ? "from the cache" : isShared ? "got the same request's answer"
      : `answered ${status || ""}`.trim();
    const say = {
      asks: "asking", shares: "shares the answer of the same request, already on its way",
      queued: "waits for its turn",
      limited: `waits ${lasts ? seconds(lasts) : ""} for the rate limit`,
      sends: `${nth}asking the server, ${seconds(now - row.sent)}`,
      receives: `${nth}receiving the answer ${status || ""}`,
      retries: `${tries.at(-1)}: tries again in ${seconds(lasts)}`,
      finished: `${answer} in ${lasted}${row.bytes >= 0 ? `, ${bytes(row.bytes)}` : ""}`,
      failed: `failed: ${why || "no answer"}`,
      cancelled: "cancelled"
        + (isGivenUp(parent) ? `: its ${parent.title} was ${parent.phase}` : ""),
    }[phase];
    const reasons = [...new Set(tries)].join(", ");
    return {
      say, tip: phase === "finished" ? isCached ? "cache" : String(status || "done")
        : phase === "failed" || phase === "cancelled" ? phase : "",
      more: tries.length && phase !== "retries"
        ? `${count(tries.length, "attempt")} failed before: ${reasons}`
        : row.wasStale ? "what the cache had was too old" : "",
      terms: [tries.length && "retry", isCached && "cache", isShared && "coalesced",
        row.isLimited && "rate limit"],
    };
  },
  state: ({ times, bytes: size }) => ({
    say: times > 1 ? `${times} new states` : "new state",
    more: size ? `${bytes(size)} sent to the browser` : "",
  }),
};

// ---- The rows on the page, on an axis that ends now. --------------------------------------------

// Places on the axis are seconds, as the server's times are, but for those in which it stood still.
function makeAxis(view, request, frame, getRows) {
  const dirty = new Set();         // rows to be written
  const moving = new Set();        // rows that are on the axis
  const busy = new Set();          // rows with a bar that grows
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)");
  const isNarrow = matchMedia("(max-width: 699px)");
  let past = 0;                    // how many seconds the axis shows
  let offset = null;               // from this clock to the server's
  let folded = 0;                  // how long the axis has stood still
  let still = null;                // the place where it stands still
  let paused = null;               // the place where the user has stopped it
  let at = 0;                      // the place of the newest entry
  let said = 0;                    // when the sentences of growing bars were written
  let scheduled = 0;
  let isClosed = false;
  let isFollowing = true;          // whether the newest row is scrolled to
  let seen = 0;                    // the height of all rows

  const place = (time) => time - folded;
  const clock = () => performance.now() / 1000 + offset - lag;
  const present = () => paused ?? still ?? place(clock());
  const percent = (width) => `${width / (past + ahead) * 100}%`;
  const growing = (row) => row.marks.findLast((mark) => mark.to === null);

  // ---- What happens to a row. -------------------------------------------------------------------

  function touch(row) {
    dirty.add(row);
    return row;
  }

  function put(row, mark) {
    row.from ??= at;
    row.to = at;
    if (mark) row.marks.push({ from: at, to: at, until: null, style: "", ...mark });
    if (row.marks.length > limits.marks) row.marks.splice(1, 1)[0].element?.remove();
    moving.add(touch(row));
  }

  function end(row, style) {
    Object.assign(growing(row) ?? {}, { to: at, until: null, style });
    busy.delete(row);
    put(row);
  }

  // Begins another bar, or goes on with the present one; `until` is when it is planned to end.
  function span(row, kind, until, isLonger) {
    const planned = until ? place(until) : null;
    if (isLonger && growing(row)) {
      growing(row).until = planned;
      return;
    }
    end(row, "");
    put(row, { kind, to: null, until: planned });
    busy.add(row);
  }

  function forget(row) {
    for (const known of [dirty, moving, busy]) known.delete(row);
    row.view?.item.remove();
  }

  // ---- Time. ------------------------------------------------------------------------------------

  // The server's clock is this one's, but for the time that its answers take.
  function follow(now) {
    const next = now - performance.now() / 1000;
    const isNear = offset !== null && Math.abs(next - offset) < 1;
    offset = isNear ? offset + (next - offset) / 5 : next;
    run();
  }

  // Something happens at a time. Returns how long nothing had happened before.
  function wake(time) {
    const skipped = still === null ? 0 : place(time) - still + calm;
    if (still !== null) folded += Math.max(0, place(time) - still - 0.2);
    still = null;
    at = Math.max(at, place(time));
    return skipped;
  }

  // The next entry's time is that of another clock.
  function restart() {
    for (const row of [...busy]) end(row, "dropped");
    still = present();
    folded = -still;
    offset = null;
  }

  function run() {
    if (scheduled || isClosed || paused !== null || offset === null) return;
    scheduled = isReduced.matches ? setTimeout(step, 400) : requestAnimationFrame(step);
  }

  function step() {
    scheduled = 0;
    if (isClosed || paused !== null || offset === null) return;
    frame(clock());
    // When nothing happens any more, the picture stays, so that one can look at it.
    const isBusy = [...busy].some((row) => present() - row.to < 60);
    if (still === null && !isBusy && present() - at > calm) still = at + calm;
    write(present());
    shift(present());
    setText(view.now, still === null ? "now" : "at rest");
    if (still === null) run();
  }

  // ---- Writing rows. ----------------------------------------------------------------------------

  function write(now) {
    if (performance.now() - said > 100) {             // The sentences of growing bars count, too.
      said = performance.now();
      for (const row of busy) dirty.add(row);
    }
    if (!dirty.size) return;
    let previous = null;
    for (const row of getRows()) {
      if (!row.view) {
        row.view = buildRow(row, request);
        if (previous) previous.after(row.view.item);
        else view.rows.prepend(row.view.item);
      }
      previous = row.view.item;
    }
    for (const row of dirty) writeRow(row, now);
    dirty.clear();
    if (isFollowing) view.scroll.scrollTop = view.scroll.scrollHeight;
    seen = view.scroll.scrollHeight;
  }

  function writeRow(row, now) {
    const { item, terms, belt, tip, ...parts } = row.view;
    const { terms: known = [], ...words } = sayings[row.kind](row, now + folded);
    item.className = `row is-${row.kind} is-${row.phase} ${row.parent ? "is-child" : ""}`;
    setText(parts.time, row.t < 1e6 ? row.t.toFixed(1) : "");
    setText(parts.title, row.title ?? "");
    setText(parts.say, words.say ?? "");
    setText(parts.more, words.more ?? "");
    const tags = known.filter(Boolean);
    if (terms.textContent !== tags.join("")) {
      terms.replaceChildren(...tags.map((term) => make("i", {}, term)));
    }
    if (!moving.has(row)) return;
    for (const mark of row.marks) writeMark(row, mark, belt);
    setText(tip, words.tip ?? "");
    tip.style.setProperty("left", percent(row.to - row.from));
  }

  function writeMark(row, mark, belt) {
    mark.element ??= belt.appendChild(make("i"));
    mark.element.className = `mark is-${mark.kind} ${mark.style}`;
    const lay = ({ style }, to) => {
      style.setProperty("left", percent(mark.from - row.from));
      style.setProperty("width", percent(Math.min(60, to - mark.from)));
    };
    lay(mark.element, mark.to ?? present());
    if (mark.until === null) return mark.plan?.remove();
    mark.plan ??= belt.appendChild(make("i", { class: "plan" }));
    lay(mark.plan, mark.until);
  }

  function shift(now) {
    for (const row of moving) {
      const { belt, tip } = row.view;
      if (!busy.has(row) && row.to < now - past - 2) {
        moving.delete(row);
        belt.replaceChildren();
        continue;
      }
      belt.style.setProperty("transform", `translateX(${percent(row.from - now + past)})`);
      const mark = growing(row);
      mark?.element?.style.setProperty("width", percent(now - mark.from));
    }
  }

  // ---- The axis itself. -------------------------------------------------------------------------

  function scale() {
    past = isNarrow.matches ? 6 : 8;
    view.now = make("b", {}, "now");
    const labels = [view.now];
    for (let ago = 2; ago <= past; ago += 2) labels.push(make("span", {}, `${ago} s`));
    labels.forEach((label, index) => label.style.setProperty("left", percent(past - 2 * index)));
    view.axis.replaceChildren(make("div", {}, ...labels));
    view.scroll.style.setProperty("--now", percent(past));
    view.scroll.style.setProperty("--tick", percent(2));
    for (const row of moving) dirty.add(row);
    run();
  }

  // Scrolling up is what the user does; that rows have grown or gone is not.
  view.scroll.addEventListener("scroll", () => {
    const { scrollTop, scrollHeight, clientHeight } = view.scroll;
    if (scrollHeight - scrollTop - clientHeight < 30) isFollowing = true;
    else if (scrollHeight === seen) isFollowing = false;
    view.newest.hidden = isFollowing;
  });
  view.newest.addEventListener("click", () => {
    view.scroll.scrollTop = view.scroll.scrollHeight;
    view.scroll.focus();
  });
  isNarrow.addEventListener("change", scale);
  scale();

  return {
    place, touch, span, end, forget, follow, wake, restart,
    mark(row, kind) { put(row, { kind }); },
    pause(isPaused) {
      paused = isPaused ? present() : null;
      run();
    },
    close() {
      isClosed = true;
      clearTimeout(scheduled);
      isNarrow.removeEventListener("change", scale);
    },
  };
}

function buildRow(row, request) {
  const names = ["time", "terms", "say", "more", "tip", "belt"];
  const parts = Object.fromEntries(names.map((name) => [name, make("span", { class: name })]));
  const { time, terms, say, more, tip, belt } = parts;
  const title = make("bdi", { class: "title" });
  const line = make("div", { class: "line" }, title, " ", terms, " ", say, " ", more);
  const lane = make("div", { class: "lane", "aria-hidden": "true" }, belt);
  const item = make("li", {}, time, line, lane);
  belt.append(tip);
  if (row.kind === "gap") item.replaceChildren(title);
  if (row.kind === "state") {
    const button = make("button", { type: "button", "aria-expanded": "false" }, say);
    const detail = make("div", { class: "detail" });
    detail.hidden = true;
    button.addEventListener("click", () => toggle(button, detail, row, request));
    line.replaceChildren(button, " ", more);
    item.append(detail);
  }
  return { item, title, ...parts };
}

// ---- What a state has changed. ------------------------------------------------------------------

async function toggle(button, detail, { states }, request) {
  const isOpen = detail.hidden;
  button.setAttribute("aria-expanded", isOpen);
  detail.hidden = !isOpen;
  if (!isOpen) return;
  detail.replaceChildren("Loading…");
  const shown = await Promise.all(states.slice(-5).map(async (n) => {
    const name = `State ${states.indexOf(n) + 1} of ${states.length}`;
    const changes = await loadChanges(n, request);
    return states.length > 1 ? [make("h4", {}, name), changes] : [changes];
  }));
  detail.replaceChildren(...shown.flat());
  detail.parentNode.scrollIntoView({ block: "nearest" });
}

async function loadChanges(n, request) {
  try {
    const response = await request(`/state?n=${n}`);
    if (response.status === 404) return make("p", {}, "This state is no longer kept.");
    const answer = await response.json();
    const changes = listOf(answer?.changes);
    const list = make("ul", { role: "list" }, ...changes.slice(0, 60).map(showChange));
    const more = number(answer?.more, 0) + Math.max(0, changes.length - 60);
    if (more > 0) list.append(make("li", {}, `and ${count(more, "more change")}`));
    return list.children.length ? list : make("p", {}, "Nothing has changed.");
  } catch {
    return make("p", {}, "The changes can't be loaded.");
  }
}

function showChange({ path, old, new: next }) {
  const item = make("li", {}, make("code", {}, make("bdi", {}, text(path, 200) || "state")));
  const show = (name, value) => make(name, {}, make("bdi", {}, text(value) || "empty"));
  if (old != null) item.append(" ", show("del", old));
  if (old != null && next != null) item.append(" →");
  if (next != null) item.append(" ", show("ins", next));
  return item;
}
