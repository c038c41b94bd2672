// ---- Highlights of the elements that a patch has changed. ---------------------------------------

// Draws above the page instead of in it, so that the page's elements still match the server's markup.
function makeChanges(view) {
  const most = 40;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  // The callback discards the records of each task. A patch is applied within one task, so `takeRecords`
  // returns only its changes.
  const observer = new MutationObserver(() => {});
  const timers = new Set();

  function patched() {
    const found = new Map();       // changed elements, and whether their content is new
    for (const { type, target, addedNodes } of observer.takeRecords()) {
      const isNew = type !== "attributes" && (type !== "childList" || addedNodes.length > 0);
      for (const node of addedNodes.length ? addedNodes : [target]) {
        // Skips white space and comments between elements.
        if (node !== target && node.nodeType !== Node.ELEMENT_NODE && !node.data.trim()) continue;
        if (node.nodeType === Node.COMMENT_NODE) continue;
        const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
        if (!element?.isConnected || !element.closest("[data-live]")) continue;
        if (element.closest("[data-live-ignore]")) continue;
        found.set(element, isNew || found.get(element));
      }
    }
    // Highlights the outermost elements with new content, and of the elements with only changed attributes the
    // innermost.
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
    // An element larger than a quarter of the window gets a frame without a fill.
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
