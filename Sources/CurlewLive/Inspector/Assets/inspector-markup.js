// ---- The markup. --------------------------------------------------------------------------------

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const makeButton = (text) => make("button", { type: "button" }, text);

function build({ host, stylesheet }) {
  const isNarrow = matchMedia("(max-width: 699px)").matches;
  const view = {
    summary: make("p", { class: "summary" }),
    status: make("p", { class: "status", role: "status" }),
    pause: makeButton("Pause"), clear: makeButton("Clear"), save: makeButton("Save as a trace"), close: makeButton("Close"),
    grip: make("div", { class: "grip", role: "separator", tabindex: "0",
      "aria-orientation": "horizontal", "aria-label": "Height of the inspector" }),
    reset: makeButton("Reset"), sliders: make("div", { class: "sliders" }),
    scenarios: make("div", { class: "scenarios" }), code: {},
    watchFor: make("p", { class: "watch-for", role: "status" }),
    axis: make("div", { class: "axis", "aria-hidden": "true" }),
    rows: make("ol", { role: "list" }), hint: make("p", { class: "hint" }),
    newest: makeButton("Newest ↓"), wireButton: makeButton("Sent and received"),
    wire: make("ol", { role: "list", class: "wire" }), changes: make("div", { class: "changes" }),
    nothing: make("p", { class: "hint" }, "Use the page: its patches and requests are listed here."),
  };
  view.scroll = make("div", { class: "scroll", role: "region", tabindex: "0",
    "aria-label": "Timeline" }, view.rows, view.hint);
  view.controls = make("section", { class: "controls", "aria-label": "Simulate problems" },
    make("div", { class: "heading" }, make("h3", {}, "Simulate problems"), view.reset),
    view.watchFor, view.scenarios, make("details", isNarrow ? {} : { open: "" }, make("summary", {}, "Sliders"), view.sliders));
  const legend = make("div", { class: "legend", "aria-hidden": "true" }, make("b", {}, "s"),
    make("b", {}, "What happens"),
    make("span", {}, ...[["is-wait", "waits"], ["is-run", "work"], ["is-send", "request"], ["is-pause", "retry"],
      ["is-state", "state"], ["is-change", "changed in the page"]].map(([kind, word]) => make("span", {}, make("i", { class: kind }), word))));
  view.timeline = make("div", { class: "timeline" }, legend, view.axis, view.scroll, view.newest);
  view.wirePane = make("div", { class: "scroll", role: "region", tabindex: "0",
    "aria-label": "Sent and received, newest first" }, view.nothing, view.wire);
  view.drawer = make("div", { class: "drawer" }, view.grip,
    make("div", { class: "head" }, make("h2", {}, "Inspector"), view.summary, view.status,
      make("div", { class: "buttons" }, view.wireButton, view.pause, view.clear, view.save, view.close)),
    make("div", { class: "main" }, view.controls, view.timeline, view.wirePane));
  view.controls.hidden = view.newest.hidden = view.drawer.hidden = true;
  view.newest.className = "newest";
  view.changed = new Set();
  const link = make("link", { rel: "stylesheet", href: stylesheet });
  for (const name of ["load", "error"]) {             // The drawer stays hidden until its styles are loaded.
    link.addEventListener(name, () => { view.drawer.hidden = false; });
  }
  (host.shadowRoot ?? host.attachShadow({ mode: "open" })).replaceChildren(link, view.changes, view.drawer);
  return view;
}

function setText(element, value) {
  if (element.textContent !== value) element.textContent = value;
}
