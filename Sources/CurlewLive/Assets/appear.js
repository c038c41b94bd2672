// Watches the elements with `data-live-appear`, such as the last rows of an infinite list: calls
// `tell(element)` once for each value of an element that comes within one viewport height of the viewport.
function appearanceWatcher(root, tell) {
  const watched = new Map();     // the name and the value of each element
  const markOf = (element) => ["appear", "value"]
    .map((name) => props(element).getAttribute(`data-live-${name}`)).join();
  const observer = window.IntersectionObserver && new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !watched.has(target)) continue;
      observer.unobserve(target);
      tell(target);
    }
  }, { rootMargin: "100% 0px" });
  return {
    // Observes added elements and elements with a new value, and stops observing the others.
    update() {
      if (!observer) return;
      for (const [element, value] of watched) {
        if (props(element).isConnected && markOf(element) === value) continue;
        observer.unobserve(element);
        watched.delete(element);
      }
      for (const element of all(root, "appear")) {
        if (watched.has(element)) continue;
        watched.set(element, markOf(element));
        observer.observe(element);
      }
    },
    // Observes no elements, so that the next `update()` reports visible elements again: for a new session.
    forget() {
      for (const element of watched.keys()) observer?.unobserve(element);
      watched.clear();
    },
  };
}
