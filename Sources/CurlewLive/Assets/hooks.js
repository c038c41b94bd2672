// The page's own scripts: what they do when an element appears, changes or goes.

// The hooks by their names.
const hooks = new Map();

// Calls what a hook does at a step, if it does anything; its errors are its own.
function callHook(step, element, page) {
  try {
    hooks.get(element.dataset.liveHook)?.[step]?.(element, page);
  } catch (error) {
    reportError(error);
  }
}

// Keeps track of the elements with `data-live-hook` in a root. `page` is what hooks get besides.
function hookedElements(root, page) {
  const present = new Map();     // each element, and the name of its hook then
  const find = () => [...root.querySelectorAll("[data-live-hook]")]
    .filter((element) => hooks.has(element.dataset.liveHook));

  // Calls the hooks for what `changed` names, and for what has come and gone.
  function update(changed = []) {
    for (const [element, name] of present) {
      if (root.contains(element) && element.dataset.liveHook === name) continue;
      present.delete(element);
      try {
        hooks.get(name).leave?.(element, page);
      } catch (error) {
        reportError(error);
      }
    }
    for (const element of find()) {
      if (!present.has(element)) {
        present.set(element, element.dataset.liveHook);
        callHook("appear", element, page);
      } else if (changed.some((node) => element.contains(node))) {
        callHook("change", element, page);
      }
    }
  }

  return {
    update,
    // Changes the markup, and then calls the hooks. Only these changes count, not those of scripts.
    around(change) {
      if (!hooks.size) return change();
      const observer = new MutationObserver(() => {});
      observer.observe(
        root, { subtree: true, childList: true, attributes: true, characterData: true });
      change();
      const changed = new Set(observer.takeRecords().map(({ target }) => target));
      observer.disconnect();
      update([...changed]);
    },
    // The page goes with all of its elements.
    leave() {
      for (const element of present.keys()) callHook("leave", element, page);
      present.clear();
    },
  };
}
