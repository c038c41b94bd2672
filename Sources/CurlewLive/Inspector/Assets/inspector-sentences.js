// ---- What a row says. ---------------------------------------------------------------------------

// An error without the request that it is of.
const reason = (why) => (why ?? "").replace(/^[A-Z]+ https?:\S+: /, "");

// The name of work in sentences: the part of the screen that it is of.
const shortName = ({ title }) => title.split(".")[0];

// By kind: the sentence, what is less important, a word for the axis, and the terms it explains.
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
    // Work that a click starts at once has not waited.
    const isPaused = pause !== undefined && (hasNotRun || row.waited === undefined || row.waited > 0.05);
    const didWait = isPaused && !hasNotRun && ["runs", "finished"].includes(phase);
    const say = {
      waits: `waits for a ${seconds(pause)} pause in typing`
        + (again ? `, began again ${times(again)}` : ""),
      skipped: "nothing new to do: this is shown already", runs: `running ${lasted}`,
      finished: `finished in ${lasted}`, failed: `failed after ${lasted}: ${reason(why) || "no reason"}`,
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
    const answer = isUnchanged ? "unchanged (304), so the cached copy is good," : isCached ? "from the cache" : isShared ? "got the same request's response"
      : `answered ${status || ""}`.trim();
    const say = {
      asks: "asking", shares: "shares the response of the same request, already on its way",
      queued: "waits for its turn",
      limited: `waits ${lasts ? seconds(lasts) : ""} for the rate limit`,
      sends: `${nth}asking the server, ${seconds(now - row.sent)}`,
      receives: `${nth}receiving the response ${status || ""}`,
      retries: `${tries.at(-1)}: tries again in ${seconds(lasts)}`,
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
        : row.wasStale && !isUnchanged ? "what the cache had was too old" : "",
      terms: [tries.length && "retry", isCached && "cache", isShared && "coalesced",
        row.isLimited && "rate limit"],
    };
  },
  state: ({ times, bytes: size }) => ({
    say: times > 1 ? `${times} new states` : "new state",
    more: size ? `${bytes(size)} sent to the browser` : "",
  }),
};
