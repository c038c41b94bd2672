// What elements of the pages do by themselves.
"use strict";

(() => {
  if (!window.Live) return;

  // ---- Ages, which go on, with the date in the reader's own words. -----------------------------

  const ages = new Set();
  const format = new Intl.RelativeTimeFormat("en");
  const units = [["year", 365 * 86400], ["month", 30 * 86400], ["week", 7 * 86400], ["day", 86400],
    ["hour", 3600], ["minute", 60]];

  function show(element) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.getTime())) return;
    const seconds = (Date.now() - date) / 1000;
    const [unit, length] = units.find(([, length]) => seconds >= length) ?? [];
    const age = unit ? format.format(-Math.floor(seconds / length), unit) : "just now";
    if (element.textContent !== age) element.textContent = age;
    element.title = date.toLocaleString(undefined, { dateStyle: "long", timeStyle: "short" });
  }

  Live.hook("age", {
    appear(element) { ages.add(element); show(element); },
    change: show,
    leave(element) { ages.delete(element); },
  });
  setInterval(() => ages.forEach(show), 30_000);

  // ---- A button that copies a text. ------------------------------------------------------------

  Live.hook("copy", {
    appear(element) {
      const words = element.textContent;
      let timer = 0;
      element.addEventListener("click", async () => {
        clearTimeout(timer);
        try {
          await navigator.clipboard.writeText(element.dataset.text);
          element.textContent = "Copied";
        } catch {
          element.textContent = element.dataset.text;
        }
        timer = setTimeout(() => { element.textContent = words; }, 2000);
      });
    },
  });
})();
