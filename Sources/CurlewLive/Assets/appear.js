// The elements with `data-live-appear`, such as the last rows of an endless list: `tell(element)` is
// called once for each that comes near the viewport.
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
    // Watches the elements that have come, and no longer those that have gone.
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
    // Forgets what was told, for a new session, which has not been told of elements that are in view.
    forget() {
      for (const element of watched) observer?.unobserve(element);
      watched.clear();
    },
  };
}
