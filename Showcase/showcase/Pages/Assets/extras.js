// Scripts for elements of the home page and of a repository, and for removed rows. showcase.js
// loads this module with the first such element, or when the page is first used.

// ---- A button that copies a text: its own, or the text of the previous element. -----------------

Live.hook("copy", {
  appear(element) {
    const words = element.textContent;
    let timer = 0;
    element.addEventListener("click", async () => {
      clearTimeout(timer);
      const { text } = element.dataset;
      const source = element.previousElementSibling;
      try {
        await navigator.clipboard.writeText(text ?? source.textContent);
        element.textContent = "Copied";
      } catch {
        if (!text) getSelection().selectAllChildren(source);
        element.textContent = text ?? "Selected";
      }
      timer = setTimeout(() => { element.textContent = words; }, 2000);
    });
  },
});

// ---- The home page: types a text into the search field, and shows the measured sizes. ----------

const set = (field, value) => {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

const isStill = matchMedia("(prefers-reduced-motion: reduce)");
let typing = 0;
const stopTyping = () => clearInterval(typing);
for (const type of ["pointerdown", "keydown"]) addEventListener(type, stopTyping, true);

const typeText = (text) => {
  const [field, latency] = ["q", "latency"].map((id) => document.getElementById(id));
  // Without latency, the naive search is correct, too.
  if (latency.value < 1000) set(latency, 1500);
  let length = 0;
  stopTyping();
  typing = setInterval(() => {
    set(field, text.slice(0, length));
    length += 1;
    if (length > text.length) stopTyping();
  }, 120);
};

Live.hook("type", {
  appear(element) {
    const { text } = element.dataset;
    element.addEventListener("click", () => typeText(text));
    // The first visit of a tab shows it, unless the user begins or wants no motion.
    const field = document.getElementById("q");
    if (isStill.matches || field.value || field === document.activeElement) return;
    try {
      if (sessionStorage.typed) return;
      sessionStorage.typed = 1;
    } catch { return; }      // The browser allows no storage, so that each visit would be the first.
    field.addEventListener("focus", () => field.select(), { once: true });
    typing = setInterval(() => typeText(text), 900);
  },
  leave: stopTyping,
});

Live.hook("weight", {
  appear(element) {
    const bytes = performance.getEntriesByType("resource")
      .filter(({ initiatorType }) => initiatorType === "script")
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    if (bytes) element.textContent = `${(bytes / 1000).toFixed(1)} kB`;
  },
});

document.addEventListener("live:state", ({ detail }) => {
  const element = document.getElementById("bytes");
  if (element && detail.text) element.textContent = `${new Blob([detail.text]).size} bytes`;
});

// ---- A single removed row fades out at its former position. ------------------------------------

new MutationObserver((records) => {
  const gone = records.filter(({ target, removedNodes: [row] }) =>
    row?.localName === "li" && !row.isConnected && target.matches(".issues, .cards"));
  if (isStill.matches || gone.length > 5) return;
  for (const { target, removedNodes: [row], previousSibling: before } of gone) {
    const { left, width, top } = target.getBoundingClientRect();
    const ghost = row.cloneNode(true);
    ghost.inert = true;
    ghost.className = "ghost";
    Object.assign(ghost.style, {
      position: "fixed", left: `${left}px`, width: `${width}px`,
      top: `${before?.getBoundingClientRect?.().bottom ?? top}px`,
    });
    document.body.append(ghost);
    ghost.animate({ opacity: [1, 0] }, 250).finished.finally(() => ghost.remove());
  }
}).observe(document.body, { childList: true, subtree: true });
