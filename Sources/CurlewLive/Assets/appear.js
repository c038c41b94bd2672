// Watches the elements with `data-live-appear`, such as the last rows of an infinite list: calls
// `tell(element)` once when an element comes within one viewport height of the viewport.
function appearanceWatcher(root, tell) {
  const watched = new Set();
  const observer = window.IntersectionObserver && new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !watched.has(target)) continue;
      observer.unobserve(target);
      tell(target);
    }
  }, { rootMargin: "100% 0px" });
  return {
    // Observes added elements, and stops observing removed elements.
    update() {
      if (!observer) return;
      for (const element of watched) {
        if (element.isConnected && element.dataset.liveAppear !== undefined) continue;
        observer.unobserve(element);
        watched.delete(element);
      }
      for (const element of root.querySelectorAll("[data-live-appear]")) {
        if (watched.has(element)) continue;
        watched.add(element);
        observer.observe(element);
      }
    },
    // Observes no elements, so that the next `update()` reports visible elements again: for a new session.
    forget() {
      for (const element of watched) observer?.unobserve(element);
      watched.clear();
    },
  };
}
