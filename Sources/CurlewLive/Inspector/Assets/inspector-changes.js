// ---- What a patch has changed in the page, shown there for a moment. ----------------------------

// Over the page, and not in it: the page's elements stay as the server knows them.
function makeChanges(view) {
  const most = 40;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)");
  // Nothing but what has changed since the last task: a patch is applied within one.
  const observer = new MutationObserver(() => {});
  const timers = new Set();

  function patched() {
    const found = new Set();
    for (const { type, target, addedNodes } of observer.takeRecords()) {
      const nodes = type === "childList" && addedNodes.length ? addedNodes : [target];
      for (const node of nodes) {
        const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
        if (element?.isConnected && element.closest("[data-live]")) found.add(element);
      }
    }
    const outer = [...found].filter((element) => {
      for (let up = element.parentElement; up; up = up.parentElement) if (found.has(up)) return false;
      return true;
    });
    outer.slice(0, most).forEach(show);
  }

  function show(element) {
    const { left, top, width, height, bottom, right } = element.getBoundingClientRect();
    if (!width || !height || bottom < 0 || right < 0 || top > innerHeight || left > innerWidth) return;
    const box = make("i", { class: "change" });
    const sizes = { left: left - 2, top: top - 2, width: width + 4, height: height + 4 };
    for (const [name, value] of Object.entries(sizes)) box.style.setProperty(name, `${value}px`);
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
