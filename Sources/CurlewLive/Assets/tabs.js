// A browser allows six connections per host for all its tabs together. So a tab closes its
// connection while it is hidden, or when four other tabs have been used more recently.

// The name of this tab. A session belongs to one tab, so a duplicated tab gets its own session.
const tab = [...crypto.getRandomValues(new Uint8Array(16))]
  .map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Calls `yieldTo(isOld)` whenever another tab reports that it is visible, used or closed; `isOld` is
// whether at least four other tabs have been used more recently than this tab.
function tabShare(yieldTo) {
  let channel = null;
  const others = new Map();      // the other visible tabs, with the time when each was last used
  let used = Date.now();
  const newer = () => [...others.values()].filter((time) => time > used).length;
  const share = {
    announce(isVisible) {
      channel?.postMessage({ tab, isVisible, used });
    },
    // Marks this tab as the most recently used tab.
    use() {
      const wasNewest = newer() === 0;
      used = Date.now();
      if (!wasNewest) share.announce(true);
    },
    open() {
      if (channel || !window.BroadcastChannel) return;
      channel = new BroadcastChannel("live");
      channel.onmessage = ({ data }) => {
        if (data.isVisible) others.set(data.tab, data.used);
        else others.delete(data.tab);
        yieldTo(newer() >= 4);
      };
    },
    // Called before the page enters the back/forward cache, because a message would evict the page.
    close() {
      channel?.close();
      channel = null;
    },
  };
  return share;
}
