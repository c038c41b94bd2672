// ---- The rows and their time axis, which ends at the present. -----------------------------------

// Positions on the axis are server times in seconds, minus the time for which the axis stood still.
function makeAxis(view, request, frame, getRows) {
  const dirty = new Set();         // rows to write
  const moving = new Set();        // rows that are on the axis
  const busy = new Set();          // rows with a growing bar
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)");
  const isNarrow = matchMedia("(max-width: 699px)");
  let past = 0;                    // how many seconds of the past the axis shows
  let offset = null;               // the server time minus the local time, in seconds
  let folded = 0;                  // for how many seconds the axis has stood still
  let still = null;                // the position at which the axis stands still
  let paused = null;               // the position at which the user has paused the axis
  let at = 0;                      // the position of the newest entry
  let lastTextChange = 0;                    // when the text of growing bars was last written
  let scheduled = 0;
  let isClosed = false;
  let isFollowing = true;          // whether the view stays scrolled to the newest row
  let seen = 0;                    // the height of all rows when they were last written

  // Only bars in visible rows are moved.
  const owners = new WeakMap();
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) owners.get(target).isInView = isIntersecting;
    updateView();
  }, { root: view.scroll, rootMargin: "60px 0px" });

  const place = (time) => time - folded;
  const clock = () => performance.now() / 1000 + offset - lag;
  const present = () => paused ?? still ?? place(clock());
  const percent = (width) => `${width / (past + ahead) * 100}%`;
  const growing = (row) => row.marks.findLast((mark) => mark.to === null);

  // ---- Changes of rows. -------------------------------------------------------------------------

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

  // Starts another bar, or with `isLonger` extends the current bar; `until` is its planned end.
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
    if (!row.view) return;
    sight.unobserve(row.view.item);
    row.view.item.remove();
  }

  // ---- Time. ------------------------------------------------------------------------------------

  // Estimates the offset to the server's clock, smoothed because response times vary.
  function follow(now, hasNews) {
    const next = now - performance.now() / 1000;
    const isNear = offset !== null && Math.abs(next - offset) < 1;
    offset = isNear ? offset + (next - offset) / 5 : next;
    if (hasNews || still === null) run();
  }

  // Moves the axis again for an entry at a time. Returns the seconds without entries before it.
  function wake(time) {
    const skipped = still === null ? 0 : place(time) - still + idleTime;
    if (still !== null) folded += Math.max(0, place(time) - still - 0.2);
    still = null;
    at = Math.max(at, place(time));
    return skipped;
  }

  // Ends the growing bars, because the next entry's time comes from another clock.
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
    // Stops the axis when nothing happens any more, so that the user can examine the rows.
    const isBusy = [...busy].some((row) => present() - row.to < 60);
    if (still === null && !isBusy && present() - at > idleTime) still = at + idleTime;
    write(present());
    updateView();
    if (still === null) run();
  }

  // ---- Writing rows. ----------------------------------------------------------------------------

  function write(now) {
    if (performance.now() - lastTextChange > 100) {             // The text of growing bars contains the elapsed time.
      lastTextChange = performance.now();
      for (const row of busy) dirty.add(row);
    }
    const known = [...dirty].filter((row) => row.isInView !== false || !busy.has(row));
    if (!known.length) return;
    let previous = null;
    for (const row of getRows()) {
      if (!row.view) {
        row.view = buildRow(row, request);
        owners.set(row.view.item, row);
        sight.observe(row.view.item);
        if (previous) previous.after(row.view.item);
        else view.rows.prepend(row.view.item);
      } else if (previous && previous.nextSibling !== row.view.item) {
        previous.after(row.view.item);
      }
      previous = row.view.item;
    }
    for (const row of known) writeRow(row, now);
    dirty.clear();
    if (isFollowing) view.scroll.scrollTop = view.scroll.scrollHeight;
    seen = view.scroll.scrollHeight;
  }

  function writeRow(row, now) {
    const { item, terms, belt, tip, ...parts } = row.view;
    const { terms: known = [], ...words } = sayings[row.kind](row, now + folded);
    const isPast = item.classList.contains("is-past") ? " is-past" : "";
    item.className = `row is-${row.kind} is-${row.phase} ${row.parent ? "is-child" : ""}${isPast}`;
    setText(parts.time, row.t < 1e6 ? row.t.toFixed(1) : "");
    setText(parts.title, row.title ?? "");
    setText(parts.say, words.say ?? "");
    setText(parts.more, words.more ?? "");
    const tags = known.filter(Boolean);
    if (terms.dataset.of !== tags.join()) {
      terms.dataset.of = tags.join();
      // Shows each term with the line of Swift code for it.
      terms.replaceChildren(...tags.map((term) => make("i", {}, term,
        ...view.code[term] ? [" ", make("code", {}, view.code[term])] : [])));
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

  // The axis ends at the present, or, if the user has scrolled back, at the newest visible row.
  function updateView() {
    if (offset === null) return;
    const inView = isFollowing ? [] : [...moving].filter((row) => row.isInView);
    const end = inView.length ? Math.min(present(), Math.max(...inView.map(({ to }) => to)) + 0.5) : null;
    shift(end ?? present());
    setText(view.now, end !== null ? `${(end + folded).toFixed(1)} s` : still === null ? "now" : "idle");
  }

  function shift(now) {
    for (const row of moving) {
      if (row.isInView === false || !row.view) continue;
      const { item, belt } = row.view;
      // A row that is too old for the axis keeps its bars, in the middle of the axis.
      const isPast = !busy.has(row) && row.to < now - past;
      const end = isPast ? row.to + past / 2 : now;
      item.classList.toggle("is-past", isPast);
      belt.style.setProperty("transform", `translateX(${percent(row.from - end + past)})`);
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

  // Only scrolling by the user counts; a change of the rows' height doesn't.
  view.scroll.addEventListener("scroll", () => {
    const { scrollTop, scrollHeight, clientHeight } = view.scroll;
    if (scrollHeight - scrollTop - clientHeight < 30) isFollowing = true;
    else if (scrollHeight === seen) isFollowing = false;
    view.newest.hidden = isFollowing;
    updateView();
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
      sight.disconnect();
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
