// ---- The text of rows. --------------------------------------------------------------------------

// Returns an error message without the method and URL of its request.
const reason = (why) => (why ?? "").replace(/^[A-Z]+ https?:\S+: /, "");

// Returns the short name of work for sentences: the part of the screen that the work belongs to.
const shortName = ({ title }) => title.split(".")[0];

// By kind of row: the sentence, less important details, a word for the axis, and the terms to explain.
const sayings = {
  gap: () => ({}),
  event: ({ title, times, lasted }) => ({
    say: times > 1 ? `newest of ${times} events in ${seconds(lasted)}` : "event",
    tip: /"([^"]+)"/.exec(title)?.[1].slice(0, 24),
  }),
  work(row, now) {
    const { phase, why, pause, again, hasNotRun } = row;
    const title = shortName(row);
    const lasted = seconds(row.lasted ?? now - row.began);
    // Work that a click starts immediately has not waited.
    const isPaused = pause !== undefined && (hasNotRun || row.waited === undefined || row.waited > 0.05);
    const didWait = isPaused && !hasNotRun && ["runs", "finished"].includes(phase);
    const say = {
      waits: `waits for a ${seconds(pause)} pause in typing`
        + (again ? `, restarted ${times(again)}` : ""),
      skipped: "skipped: already shown", runs: `running ${lasted}`,
      finished: `finished in ${lasted}`, failed: `failed after ${lasted}: ${reason(why) || "unknown reason"}`,
      replaced: `replaced by a newer ${title} `
        + (hasNotRun ? "before it began" : `after ${lasted}: its response is ignored`),
      cancelled: `cancelled ${hasNotRun ? "before it began" : `after ${lasted}`}`,
    }[phase];
    return {
      say, tip: phase === "waits" || phase === "runs" ? "" : phase,
      more: !didWait ? "" : again ? `one ${title} instead of ${again + 1}`
        : "waited for a pause in typing",
      terms: [isPaused && "debounce", phase === "replaced" && "latest wins"],
    };
  },
  request(row, now) {
    const { phase, tries, attempt, why, status, parent, lasts, isCached, isShared } = row;
    const nth = attempt > 1 ? `attempt ${attempt}: ` : "";
    const lasted = seconds(row.lasted ?? now - row.began);
    const isUnchanged = status === 304;
    const answer = isUnchanged ? "unchanged (304), cached copy used" : isCached ? "from the cache" : isShared ? "shared response"
      : status ? `status ${status}` : "finished";
    const say = {
      asks: "started", shares: "waits for an identical request in flight",
      queued: "waits in the queue",
      limited: `waits ${lasts ? seconds(lasts) : ""} for the rate limit`,
      sends: `${nth}sent ${seconds(now - row.sent)} ago`,
      receives: `${nth}receiving the response ${status || ""}`,
      retries: `${tries.at(-1)}: retries in ${seconds(lasts)}`,
      finished: `${answer} in ${lasted}${row.bytes >= 0 ? `, ${bytes(row.bytes)}` : ""}`,
      failed: `failed: ${reason(why) || "no response"}`,
      cancelled: "cancelled"
        + (isGivenUp(parent) ? `: its ${shortName(parent)} was ${parent.phase}` : ""),
    }[phase];
    const reasons = [...new Set(tries)].join(", ");
    return {
      say, tip: phase === "finished" ? isCached ? "cache" : String(status || "done")
        : phase === "failed" || phase === "cancelled" ? phase : "",
      more: tries.length && phase !== "retries"
        ? `${count(tries.length, "attempt")} failed before: ${reasons}`
        : row.wasStale && !isUnchanged ? "the cached copy was stale" : "",
      terms: [tries.length && "retry", isCached && "cache", isShared && "coalesced",
        row.isLimited && "rate limit"],
    };
  },
  state: ({ times, bytes: size }) => ({
    say: times > 1 ? `${times} new states` : "new state",
    more: size ? `${bytes(size)} sent to the browser` : "",
  }),
};
