// Hooks: functions of the page's own scripts for elements that appear, change or are removed.

// The hooks by name.
const hooks = new Map();

const nameOfHook = (element) => props(element).dataset.liveHook;

// Calls a hook's function for a step, if it has one. Its errors are reported, not thrown.
function callHook(step, element, page) {
  try {
    hooks.get(nameOfHook(element))?.[step]?.(element, page);
  } catch (error) {
    reportError(error);
  }
}

// Tracks the elements with `data-live-hook` in a root. `page` is the second argument of the hooks.
function hookedElements(root, page) {
  const present = new Map();     // the name of the hook of each element when it appeared
  const find = () => all(root, "hook").filter((element) => hooks.has(nameOfHook(element)));

  // Calls the hooks of added and removed elements, and of elements that contain a node of `changed`.
  function update(changed = []) {
    const touched = new Set();
    for (let node of changed) {
      for (; node && !touched.has(node); node = props(node).parentNode) touched.add(node);
    }
    for (const [element, name] of present) {
      if (root.contains(element) && nameOfHook(element) === name) continue;
      present.delete(element);
      try {
        hooks.get(name).leave?.(element, page);
      } catch (error) {
        reportError(error);
      }
    }
    for (const element of find()) {
      if (!present.has(element)) {
        present.set(element, nameOfHook(element));
        callHook("appear", element, page);
      } else if (touched.has(element)) {
        callHook("change", element, page);
      }
    }
  }

  return {
    update,
    // Changes the markup, and then calls the hooks. Changes by other scripts are ignored.
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
    // Calls the `leave` hooks of all elements, because the page is being replaced.
    leave() {
      for (const element of present.keys()) callHook("leave", element, page);
      present.clear();
    },
  };
}
