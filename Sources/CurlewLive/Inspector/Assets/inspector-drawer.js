// ---- The drawer's height. -----------------------------------------------------------------------

function makeDrawer({ drawer, grip }) {
  const key = "live:inspector";
  const root = document.documentElement;
  // Adds space at the bottom of the page, so that the drawer doesn't cover its end or scroll targets.
  const styles = [[document.body, "padding-bottom"], [root, "scroll-padding-bottom"],
    [root, "--live-inspector"]]
    .map(([{ style }, name]) => ({ style, name, value: style.getPropertyValue(name) }));
  let stored = {};
  try {
    stored = Object(JSON.parse(localStorage.getItem(key)));
  } catch { /* Not available or invalid. */ }
  let chosen = number(stored.height, 0);
  let height = 0;

  const most = () => Math.max(140, innerHeight - 60);

  function show() {
    const usual = Math.max(280, innerHeight * (innerWidth < 700 ? 0.58 : 0.42));
    height = Math.round(Math.min(most(), Math.max(140, chosen || usual)));
    drawer.style.setProperty("height", `${height}px`);
    for (const { style, name } of styles) style.setProperty(name, `${height}px`);
    for (const [name, value] of Object.entries({ min: 140, max: most(), now: height })) {
      grip.setAttribute("aria-value" + name, value);
    }
  }

  function choose(value) {
    chosen = Math.min(most(), Math.max(140, value));
    show();
    try {
      localStorage.setItem(key, JSON.stringify({ ...stored, height }));
    } catch { /* Storage is not available. */ }
  }

  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    const start = event.clientY + height;
    const move = (next) => choose(start - next.clientY);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture",
      () => grip.removeEventListener("pointermove", move), { once: true });
  });
  grip.addEventListener("keydown", (event) => {
    const heights = { ArrowUp: height + 24, ArrowDown: height - 24, Home: 140, End: most() };
    if (!Object.hasOwn(heights, event.key)) return;
    event.preventDefault();
    choose(heights[event.key]);
  });
  addEventListener("resize", show);
  show();
  return {
    close() {
      removeEventListener("resize", show);
      for (const { style, name, value } of styles) style.setProperty(name, value);
    },
  };
}
