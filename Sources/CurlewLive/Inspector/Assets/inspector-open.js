// Shows the activity of a live page's screen in a drawer: events, work, requests, states, bytes.
// Received data is not trusted: it may be missing, huge or of another type, and is shown as text.

export function open(page) {
  const view = build(page);
  const closing = new AbortController();
  const drawer = makeDrawer(view);
  const timeline = makeTimeline(view, request);
  const controls = makeControls(view, request);
  const wire = makeWire(view);
  const changes = makeChanges(view);
  let shownSession = "";          // the page and session of the displayed entries; each session has its own numbers
  let after = 0;           // the number of the newest entry
  let latest = 0;          // the server time in the newest response
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
    if (!page.identity()?.session) {                  // No session yet, such as between two pages.
      timer = setTimeout(poll, 100);
      return;
    }
    isPolling = true;
    if (shownSession !== here()) startAnew();
    const began = performance.now();
    let status = 0;
    let answer = null;
    try {
      const response = await request(`?after=${after}`);
      status = response.status;
      if (status === 200) answer = await response.json();
    } catch { /* No connection, or an invalid response. */ }
    isPolling = false;
    if (closing.signal.aborted) return;
    const isOld = shownSession !== here();
    if (answer && !isOld && !isPaused) receive(answer, began);
    setText(view.status, answer ? serverOf(answer) : isOld ? ""
      : status === 404 ? "Waiting for the page…" : "Connection lost");
    timer = setTimeout(poll, isOld ? 0 : answer ? 250 : status === 404 ? 500 : 2000);
  }

  function startAnew() {
    if (shownSession) timeline.separate("new page");
    shownSession = here();
    after = latest = 0;
  }

  function receive(answer, began) {
    const now = number(answer.now, latest);
    if (now < latest - 1) return startAnew();         // The server has restarted.
    latest = now;
    const entries = listOf(answer.entries);
    if (answer.isCut === true && number(entries[0]?.n, 0) > after + 1) {
      timeline.note("older entries were removed");
    }
    for (const entry of entries) after = Math.max(after, number(entry.n, 0));
    timeline.receive(entries, now);
    wire.receive(entries);
    controls.show(listOf(answer.controls), began);
    if (answer.scenarios) controls.offer(listOf(answer.scenarios));
    for (const [term, line] of Object.entries(answer.code ?? {})) view.code[term] = text(line, 60);
  }

  function close() {
    if (closing.signal.aborted) return;
    closing.abort();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", poll);
    for (const part of [timeline, controls, wire, changes, drawer]) part.close();
    view.drawer.remove();
    page.onClose?.();
  }

  view.pause.addEventListener("click", () => {
    isPaused = !isPaused;
    view.pause.textContent = isPaused ? "Continue" : "Pause";
    timeline.pause(isPaused);
    poll();
  });
  view.clear.addEventListener("click", () => {
    timeline.clear();
    wire.clear();
  });
  view.save.addEventListener("click", async () => {
    const response = await request("/trace").catch(() => null);
    if (!response?.ok) return setText(view.status, "The trace can't be saved");
    const href = URL.createObjectURL(await response.blob());
    make("a", { href, download: "trace.json" }).click();
    URL.revokeObjectURL(href);
  });
  view.close.addEventListener("click", close);
  view.drawer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();                          // The page handles this key, too.
    close();
  });
  document.addEventListener("visibilitychange", poll);
  poll();
  if (page.opener) showField(page.opener);
  return { close };
}

// The server of a fleet that has the session.
const serverOf = ({ server }) => typeof server === "string" ? `Server ${text(server, 60)}` : "";

// Focuses the page's first visible field, and scrolls it out from under the drawer. Without delay, because
// the user presses a key or clicks next. Does nothing if the user has moved the focus in the meantime.
function showField(opener) {
  if (document.activeElement !== opener && document.activeElement !== document.body) return;
  const field = [...document.querySelectorAll("[data-live] input[data-live-input]")]
    .find((field) => field.getClientRects().length);
  if (!field) return;
  if (!matchMedia("(pointer: coarse)").matches) field.focus({ preventScroll: true });
  // Scrolls only if necessary, so that the page doesn't move under the pointer.
  const { top, bottom } = field.getBoundingClientRect();
  const drawer = parseFloat(document.documentElement.style.getPropertyValue("--live-inspector"));
  if (top < 0 || bottom > innerHeight - drawer) field.scrollIntoView({ block: "center" });
}
