// What elements of the pages do by themselves.
"use strict";

(() => {
  if (!window.Live) return;

  // ---- Ages, which go on, with the date in the reader's own words. -----------------------------

  const ages = new Set();
  const format = new Intl.RelativeTimeFormat("en");
  const units = [["year", 365 * 86400], ["month", 30 * 86400], ["week", 7 * 86400], ["day", 86400],
    ["hour", 3600], ["minute", 60]];

  function show(element) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.getTime())) return;
    const seconds = (Date.now() - date) / 1000;
    const [unit, length] = units.find(([, length]) => seconds >= length) ?? [];
    const age = unit ? format.format(-Math.floor(seconds / length), unit) : "just now";
    if (element.textContent !== age) element.textContent = age;
    // Below a list, what is new needs no word.
    element.closest(".age:not(.is-offline)")?.toggleAttribute("hidden", seconds < 60);
    const timeStyle = element.dateTime.length > 10 ? "short" : undefined;
    element.title = date.toLocaleString(undefined, { dateStyle: "long", timeStyle });
  }

  Live.hook("age", {
    appear(element) { ages.add(element); show(element); },
    change: show,
    leave(element) { ages.delete(element); },
  });
  setInterval(() => ages.forEach(show), 30_000);

  // ---- Rows. -----------------------------------------------------------------------------------

  // A row is named by its link; the rest of it is the description.
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(".row > .title")) {
      target.ariaDescribedByElements = [...target.parentElement.querySelectorAll(".labels, .meta")];
    }
  });

  // ---- What few pages need, or only a page that is used, is a module of its own. -----------------

  const { extras } = document.currentScript.dataset;
  const load = () => { import(extras); };
  Live.hook("extras", { appear: load });
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, load, { once: true });

  // ---- A link to a list, which goes back to it when it is the entry before in the history. ------

  // The list is then as it was left. `data-back` has the paths of the lists.
  document.addEventListener("click", (event) => {
    // What is chosen from a popover closes it.
    event.target.closest?.("[popover] a")?.closest("[popover]").hidePopover();
    const link = event.target.closest?.("a[data-back]");
    const isPlain = event.button === 0
      && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || !window.navigation?.currentEntry) return;
    const before = navigation.entries()[navigation.currentEntry.index - 1];
    if (!before?.url || !link.dataset.back.split(" ").includes(new URL(before.url).pathname)) return;
    event.preventDefault();
    history.back();
  });

  // ---- What has the focus is under nothing that stays in the window (WCAG 2.2, 2.4.11). ---------

  // From the bottom to the top, which counts most.
  const bars = () => [".links", ".toast", ".age.is-offline span", ".search", ".connection"]
    .flatMap((selector) => [...document.querySelectorAll(selector)]);

  function uncover() {
    const focused = document.activeElement;
    const room = 24;         // also for what still rises
    // What only a script focuses, such as the title of a panel, is read, and may be scrolled away.
    if (!focused || focused.tabIndex < 0 || bars().some((bar) => bar.contains(focused))) return;
    // The panel scrolls by itself.
    if (focused.closest(".picked")) focused.scrollIntoView({ block: "nearest", behavior: "instant" });
    for (const bar of bars()) {
      const [own, other] = [focused, bar].map((element) => element.getBoundingClientRect());
      const isApart = own.bottom + room <= other.top || own.top - 4 >= other.bottom
        || own.right <= other.left || own.left >= other.right;
      if (isApart || !other.height || own.height > innerHeight / 2) continue;
      const isAtTop = other.top + other.bottom < innerHeight;
      const distance = isAtTop ? own.top - other.bottom - room : own.bottom - other.top + room;
      scrollBy({ top: distance, behavior: "instant" });
    }
  }

  // A pointer must not lose what it presses.
  document.addEventListener("focusin", ({ target }) => requestAnimationFrame(() => {
    if (target === document.activeElement && target.matches(":focus-visible")) uncover();
  }));

  // Only when a bar has come, or the focus has moved in the page: who scrolls may leave it anywhere.
  let known = new Set();
  let place = [];
  function check() {
    const focused = document.activeElement;
    const [present, now] = [bars(), [focused, focused?.getBoundingClientRect().top + scrollY]];
    const isMoved = now[0] === place[0] && now[1] !== place[1] && !focused.closest(".picked");
    if (isMoved || present.some((bar) => !known.has(bar))) uncover();
    known = new Set(present);
    place = now;
  }
  document.addEventListener("live:state", check);
  new ResizeObserver(check).observe(document.body);
  const connection = document.querySelector("[data-live-connection]");
  if (connection) new MutationObserver(uncover).observe(connection, { childList: true });
})();
