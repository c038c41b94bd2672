// ---- The sandbox server's controls. -------------------------------------------------------------

function makeControls(view, request) {
  let sliders = [];
  let shape = "";          // the controls for which the sliders were created, as JSON
  const close = () => { for (const slider of sliders) slider.close(); };

  function show(values, began) {
    const controls = values.filter(({ name }) => text(name)).slice(0, 12).map(readControl);
    const next = JSON.stringify(controls.map(({ value, ...rest }) => rest));
    if (next !== shape) {
      close();
      shape = next;
      sliders = controls.map((control) => makeSlider(control, request));
      view.sliders.replaceChildren(...sliders.map((slider) => slider.element));
      view.controls.hidden = !sliders.length;
    }
    sliders.forEach((slider, index) => slider.take(controls[index].value, began));
    // The hints depend on the changed controls.
    view.changed = new Set(controls.filter(({ value, initial }) => value !== initial)
      .map(({ name }) => name));
  }

  function offer(scenarios) {
    view.scenarios.replaceChildren(...scenarios.slice(0, 8).map(
      ({ label, values, note, submitsTwice }) => {
        const button = makeButton(text(label, 40));
        button.addEventListener("click", () => {
          setText(view.watchFor, text(note, 300));
          for (const one of view.scenarios.children) one.setAttribute("aria-pressed", one === button);
          if (submitsTwice === true) return pressTwice();
          for (const slider of sliders) slider.set(number(Object(values)[slider.name], null));
        });
        return button;
      }));
  }

  // Clicks a submit button twice: of a form that writes (`post`), otherwise of a search form (`get`).
  function pressTwice() {
    const buttons = ["post", "get"].flatMap((method) =>
      [...document.querySelectorAll(`[data-live] form[method=${method}] button:not([type=button])`)]);
    const button = buttons.find((button) => button.getClientRects().length);
    button?.click();
    button?.click();
  }

  view.reset.addEventListener("click", () => {
    for (const slider of sliders) slider.set(null);
    for (const button of view.scenarios.children) button.setAttribute("aria-pressed", "false");
    setText(view.watchFor, "");
  });
  return { show, offer, close };
}

// A value is a number, or `null` for no limit, which is the slider's right end.
function readControl({ name, label, min: least, max, step, unit, note, value, initial = least }) {
  const min = number(least, 0);
  const read = (value) => value === null ? null : number(value, min);
  return {
    name, label: text(label || name, 40), min, max: Math.max(min, number(max, 100)),
    step: number(step, 0) > 0 ? number(step, 1) : "any", unit: text(unit, 12),
    note: text(note, 120), value: read(value), initial: read(initial),
  };
}

let notes = 0;

function makeSlider({ name, label, min, max, step, unit, note, value: first, initial }, request) {
  const id = `note-${++notes}`;
  const input = make("input", { type: "range", min, max, step, "aria-describedby": id });
  const output = make("output", { "aria-hidden": "true" });
  const error = make("p", { class: "error", role: "alert" });
  const element = make("div", { class: "slider" },
    make("label", {}, make("span", {}, label), output, input),
    make("p", { class: "note", id }, note), error);
  let isUnlimited = [first, initial].includes(null);
  let isDragging = false;      // whether the user is dragging
  let isDue = false;       // whether the newest value has not been sent yet
  let isSending = false;
  let sent = 0;
  let settled = 0;         // when the last request ended: responses to polls that started earlier are outdated
  let timer = 0;

  function display() {
    const value = Number(input.value);
    const words = isUnlimited && value >= max ? "no limit"
      : unit === "%" ? `${Math.round(value * 100)}%` : `${short.format(value)} ${unit}`.trim();
    setText(output, words);
    input.setAttribute("aria-valuetext", words);
    element.classList.toggle("is-changed", value !== (initial ?? max));
  }

  // Sends at most five requests per second and one at a time, so that the newest value arrives last.
  async function send() {
    clearTimeout(timer);
    if (isSending || !isDue) return;
    const wait = sent + 200 - performance.now();
    if (wait > 0) {
      timer = setTimeout(send, wait);
      return;
    }
    isDue = false;
    isSending = true;
    sent = performance.now();
    let problem = "";
    try {
      const response = await request("/controls", {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ name, value: Number(input.value) }),
      });
      if (!response.ok) problem = text(await response.text()) || `Status ${response.status}`;
    } catch {
      problem = "The server can't be reached.";
    }
    setText(error, problem);
    isSending = false;
    settled = performance.now();
    send();
  }

  function choose() {
    isDue = true;
    display();
    send();
  }

  input.addEventListener("input", choose);
  input.addEventListener("pointerdown", () => { isDragging = true; });
  for (const end of ["pointerup", "pointercancel", "blur"]) {
    input.addEventListener(end, () => { isDragging = false; });
  }
  return {
    element,
    take(value, began) {
      if (isDragging || isDue || isSending || began < settled) return;
      isUnlimited ||= value === null;
      input.value = value ?? max;
      display();
    },
    name,
    // Sets a value; `null` restores the initial value.
    set(value) {
      const next = String(value ?? initial ?? max);
      if (input.value === next) return;
      input.value = next;
      choose();
    },
    close() { clearTimeout(timer); },
  };
}
