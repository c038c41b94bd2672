// Scripts for elements of the pages.
"use strict";

(() => {
  if (!window.Live) return;

  // ---- Ages, which are updated. Their titles have the date in the user's locale. ---------------

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
    // The footer of a list hides the age of new content.
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

  // The link is the accessible name of a row; the rest is its description.
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(".row > .title")) {
      target.ariaDescribedByElements = [...target.parentElement.querySelectorAll(".labels, .meta")];
    }
  });

  // ---- A module with scripts that few pages need, or that are needed after the first input. ------

  const { extras } = document.currentScript.dataset;
  const load = () => { import(extras); };
  Live.hook("extras", { appear: load });
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, load, { once: true });

  // ---- A link to a list, which goes back if the list is the previous entry of the history. -------

  // Going back restores the state of the list. `data-back` contains the paths of the lists.
  document.addEventListener("click", (event) => {
    // Choosing a link in a popover closes the popover.
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

  // ---- The focused element must not be covered by fixed elements (WCAG 2.2, 2.4.11). ------------

  // In order from the bottom to the top: the adjustment for the top has priority.
  const bars = () => [".links", ".toast", ".age.is-offline span", ".search", ".connection"]
    .flatMap((selector) => [...document.querySelectorAll(selector)]);

  function uncover() {
    const focused = document.activeElement;
    const room = 24;         // also for bars that are still moving in
    // Elements that only scripts focus, such as the title of a panel, may be scrolled out of view.
    if (!focused || focused.tabIndex < 0 || bars().some((bar) => bar.contains(focused))) return;
    // The panel is a scroll container of its own.
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

  // Scrolling must not move an element away from the pointer that presses it.
  document.addEventListener("focusin", ({ target }) => requestAnimationFrame(() => {
    if (target === document.activeElement && target.matches(":focus-visible")) uncover();
  }));

  // Only if a bar has appeared, or the focused element has moved: the user may scroll the focused
  // element out of view.
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
