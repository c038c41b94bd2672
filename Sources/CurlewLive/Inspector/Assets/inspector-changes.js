// ---- What a patch has changed in the page, shown there for a moment. ----------------------------

// Over the page, and not in it: the page's elements stay as the server knows them.
function makeChanges(view) {
  const most = 40;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  // Nothing but what has changed since the last task: a patch is applied within one.
  const observer = new MutationObserver(() => {});
  const timers = new Set();

  function patched() {
    const found = new Map();       // elements, and whether their contents are new
    for (const { type, target, addedNodes } of observer.takeRecords()) {
      const isNew = type !== "attributes" && (type !== "childList" || addedNodes.length > 0);
      for (const node of addedNodes.length ? addedNodes : [target]) {
        // White space and comments between elements.
        if (node !== target && node.nodeType !== Node.ELEMENT_NODE && !node.data.trim()) continue;
        if (node.nodeType === Node.COMMENT_NODE) continue;
        const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
        if (!element?.isConnected || !element.closest("[data-live]")) continue;
        if (element.closest("[data-live-ignore]")) continue;
        found.set(element, isNew || found.get(element));
      }
    }
    // Of what is new, the whole; of what has another attribute, only what is not around something else.
    const elements = [...found.keys()];
    const contains = (one, other) => one !== other && one.contains(other);
    const outer = elements.filter((one) => !elements.some((other) =>
      found.get(one) ? found.get(other) && contains(other, one) : contains(one, other)));
    outer.slice(0, most).forEach(show);
  }

  function show(element) {
    const { left, top, width, height, bottom, right } = element.getBoundingClientRect();
    if (!width || !height || bottom < 0 || right < 0 || top > innerHeight || left > innerWidth) return;
    const box = make("i", { class: "change" });
    const sizes = { left: left - 2, top: top - 2, width: width + 4, height: height + 4 };
    for (const [name, value] of Object.entries(sizes)) box.style.setProperty(name, `${value}px`);
    // Most of the page is framed and not covered.
    box.classList.toggle("is-large", width * height > innerWidth * innerHeight / 4);
    view.changes.append(box);
    if (!isStill.matches) box.animate({ opacity: [1, 1, 0] }, 1200);
    const timer = setTimeout(() => {
      box.remove();
      timers.delete(timer);
    }, 1200);
    timers.add(timer);
  }

  observer.observe(document.body,
    { subtree: true, childList: true, characterData: true, attributes: true });
  document.addEventListener("live:state", patched);
  return {
    close() {
      observer.disconnect();
      document.removeEventListener("live:state", patched);
      timers.forEach(clearTimeout);
      view.changes.remove();
    },
  };
}
