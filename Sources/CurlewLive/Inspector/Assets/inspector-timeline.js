// ---- The timeline: interprets the entries. ------------------------------------------------------

const limits = { rows: 300, marks: 60, entries: 5000 };
const lag = 0.3;           // the display delay in seconds, so that entries arrive before they are due
const ahead = 1.5;         // how many seconds of the future the axis shows, for planned ends
const idleTime = 2;            // for how many seconds the axis moves without entries

const isGivenUp = (work) => work?.phase === "replaced" || work?.phase === "cancelled";

function makeTimeline(view, request) {
  let rows = [];
  let queue = [];                  // entries that are not due yet
  const waiting = new Map();       // the rows of waiting work, by the name of the work
  const runs = new Map();          // the rows of work, by the number of the run
  const calls = new Map();         // the rows of requests, by the number of the call
  let cause;                       // the row of the event or work that causes the next entries
  let state;                       // the newest row of states
  let burst = 0;                   // changes when anything but typing happens
  let now = 0;                     // the time of the newest entry
  let isPaused = false;
  let totals, names;               // the counts in the summary, and the names of the work
  const axis = makeAxis(view, request, frame, () => rows);
  clear();

  function add(kind, values) {
    const row = { kind, burst, marks: [], to: axis.place(now), began: now, t: now, ...values };
    // Below the other rows with the same parent.
    const last = rows.findLastIndex((other) => row.parent && (other === row.parent || other.parent === row.parent));
    rows.splice(last < 0 ? rows.length : last + 1, 0, row);
    return axis.touch(row);
  }

  // Repeated events, such as typing, share a row, which grows until something else happens.
  function growEvent(name) {
    let row = rows.findLast((row) => row.kind === "event");
    const isSame = row?.burst === burst && row.name === name && row.times < 40;
    if (!isSame || axis.place(now) - row.to > 1) {
      burst += 1;
      row = add("event", { name, times: 0 });
    }
    return growing(row);
  }

  // A row of states appears below the event or work that caused the states.
  function growState() {
    if (state?.parent !== cause || !state || state.times >= 40) {
      state = add("state", { parent: cause, times: 0, bytes: 0, states: [] });
    }
    return growing(state);
  }

  function growing(row) {
    row.times += 1;
    row.lasted = now - row.began;
    axis.mark(row, row.kind);
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
    // Work of the page itself after it is opened is not the user's.
    opened({ text: given }) { note(`opened the page ${text(given, 100)}`); },
    event({ text: given }) {
      totals.events += 1;
      cause = growEvent(text(given).split("(")[0]);
      cause.title = text(given, 200) || "event";
    },
    wait({ work, seconds: given }) {
      const row = takeWork(work);
      waiting.set(row.name, row);
      row.again += 1;
      row.waitedFrom ??= now;
      totals.waits += 1;
      Object.assign(row, { phase: "waits", pause: number(given, 0) });
      if (row.again) axis.mark(row, "again");
      axis.span(row, "wait", now + row.pause, row.again > 0);
    },
    skip({ work }) { end(takeWork(work), "skipped"); },
    start({ work, run }) {
      const row = takeWork(work);
      row.waited = row.waitedFrom === undefined ? 0 : now - row.waitedFrom;
      totals.started += 1;
      names.add(row.title);
      Object.assign(row, { phase: "runs", began: now, run: number(run, 0) });
      runs.set(row.run, row);
      cause = row;
      axis.span(row, "run");
      burst += 1;
    },
    end({ work, run, outcome, text: why }) {
      const row = runs.get(number(run, 0)) ?? waiting.get(text(work, 60));
      if (!row || row.isOver) return;
      if (waiting.get(row.name) === row) waiting.delete(row.name);
      row.hasNotRun = row.phase === "waits";
      const isKnown = ["failed", "replaced", "cancelled"].includes(outcome);
      if (!isGivenUp({ phase: outcome })) cause = row;
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
    state({ n }) { growState().states.push(number(n, 0)); },
    sent({ bytes: size }) {
      const sent = Math.max(0, number(size, 0));
      totals.bytes += sent;
      if (state) axis.touch(state).bytes += sent;
    },
  }));

  // The stages of a request.
  const change = (row, phase, bar, values) => {
    Object.assign(row, { phase, ...values });
    axis.span(row, bar, row.pause && now + row.pause);
    row.pause = 0;
  };
  const stages = new Map(Object.entries({
    began: (row, { text: given }) =>
      change(row, "asks", "ask", {
        title: text(given, 300).replace(/^(\S+) https?:\/\/[^/]+/, "$1 ") || "request" }),
    coalesced: (row) => change(row, "shares", "ask", { isShared: true }),
    queued: (row) => change(row, "queued", "pause"),
    waiting(row, { seconds: given }) {
      const pause = number(given, 0);
      change(row, "limited", "pause", { isLimited: true, pause, lasts: pause });
    },
    resumed: (row) => change(row, "asks", "ask"),
    cache(row, { text: given }) {
      row.isCached = /from the cache/.test(text(given));
      row.wasStale = /stale/.test(text(given));
    },
    sending: (row, { attempt }) => change(row, "sends", "send",
      { attempt: number(attempt, row.tries.length + 1), sent: now, isCached: false }),
    head(row, { status }) { Object.assign(row, { phase: "receives", status: number(status, 0) }); },
    received(row, { bytes: size }) { row.bytes = Math.max(0, number(size, 0)); },
    lost(row, { text: why }) {
      row.lost = text(why, 80);
      axis.end(row, isGivenUp(row.parent) || /cancel/i.test(row.lost) ? "dropped" : "bad");
    },
    retrying(row, { seconds: given, text: why }) {
      totals.retries += 1;
      row.tries.push(text(why, 80) || row.lost || "no response");
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
    axis.follow(present, queue.length > 0);
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
    const work = names.size === 1 && names.has("search") ? "search" : "task";
    setText(view.summary, [
      events && count(events, "event"), started && `${count(started, work, plural(work))} started`,
      replaced && `${short.format(replaced)} replaced`, requests && count(requests, "request"),
      retries && count(retries, "retry", "retries"), size && `${bytes(size)} sent`,
    ].filter(Boolean).join(" · "));
    // Suggests the next experiment, until the user has seen all of them.
    const canDisturb = !view.controls.hidden;
    const hasField = Boolean(document.querySelector("[data-live] input[data-live-input]"));
    setText(view.hint, isPaused ? "Paused: Continue shows what happens."
      : !events ? hasField ? "Type into the search field, fast, and watch." : "Use the page, and watch."
      : !hasField || !canDisturb || !totals.waits || view.watchFor.textContent ? ""
      : !replaced ? view.changed.size ? "Type again while a search is running."
        : "Now make the server slow, and type again while a search is running."
      : !retries ? view.changed.has("failures") ? "Search for something new: some requests fail."
        : "Now let requests fail, and search for something new."
      : "You have seen a wait, a newer search that wins, and a retry.");
  }

  function clear() {
    trim(0);
    cause = state = undefined;
    names = new Set();
    totals = { events: 0, waits: 0, started: 0, replaced: 0, requests: 0, retries: 0, bytes: 0 };
    summarize();
  }

  return {
    receive, clear, note, close: axis.close,
    pause(isNow) {
      isPaused = isNow;
      axis.pause(isNow);
      summarize();
    },
    separate(title) {
      frame(Infinity);
      axis.restart();
      for (const known of [waiting, runs, calls]) known.clear();
      cause = state = undefined;
      now = 0;
      burst += 1;
      if (rows.length) note(title);
    },
  };
}
