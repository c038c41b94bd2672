// Turns user input into actions: calls `send(name, value, { isText, isEdit, fields })`.
function listenToUser(root, on, send) {
  // Controls in the frame's slots send actions, too.
  const isOurs = (element) => root.contains(element)
    || Boolean(element?.closest("[data-live-slot]"));
  const closest = (event, name) => {
    const element = event.target.closest ? event.target.closest(`[data-live-${name}]`) : null;
    return isOurs(element) ? element : null;
  };

  // Without a session, links and forms load documents, as without JavaScript.
  const isPlain = () => root.hasAttribute("data-live-plain");

  const leaveField = () => {
    const field = document.activeElement;
    if (field && field.dataset.liveInput !== undefined) field.blur();
  };

  function sendField(event) {
    const field = closest(event, "input");
    if (!field) return;
    // A checkbox action toggles a value, so it must not be sent again to a new session.
    send(field.dataset.liveInput, field.value,
      { isText: isText(field), isEdit: field.type !== "checkbox" });
  }

  // Text that is being composed with an input method is incomplete: "tiếng" passes through "tie" and "tiê".
  // But phone keyboards compose every word, so the text is also sent after a pause of one second.
  let composed = null;
  let pause = 0;

  function endComposition() {
    clearTimeout(pause);
    const event = composed;
    composed = null;
    if (event) sendField(event);
  }

  on(document, "input", (event) => {
    if (!event.isComposing) return sendField(event);
    composed = event;
    clearTimeout(pause);
    pause = setTimeout(endComposition, 1000);
  });
  on(document, "compositionend", endComposition);

  on(document, "submit", (event) => {
    const form = closest(event, "submit");
    if (!form || isPlain()) return;
    event.preventDefault();
    endComposition();
    // The on-screen keyboard would cover the results.
    if (matchMedia("(pointer: coarse)").matches) leaveField();
    send(form.dataset.liveSubmit, "", { fields: fieldsOf(form, event.submitter) });
  });

  on(document, "click", (event) => {
    const element = closest(event, "click");
    if (!element || !isPlainClick(event) || isPlain()) return;
    event.preventDefault();
    leaveField();
    send(element.dataset.liveClick, valueOf(element));
  });

  on(document, "keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") escape(event);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") moveToRow(event);
    else pressShortcut(event);
  });

  // Escape clicks the element with `data-live-escape`, except in a field, where the browser handles
  // it.
  function escape(event) {
    if (event.target.dataset?.liveInput === undefined) {
      root.querySelector("[data-live-escape]")?.click();
    }
  }

  // The up and down arrow keys move the focus between the text fields and the rows.
  function moveToRow(event) {
    // Other controls, such as a select or a slider, keep their arrow keys.
    const fields = textFields(root).filter((field) => field.type !== "range");
    const stops = [...fields, ...root.querySelectorAll("[data-live-row]")]
      .filter((element) => element.getClientRects().length);
    const index = stops.indexOf(document.activeElement);
    const stop = index < 0 ? null : stops[index + (event.key === "ArrowDown" ? 1 : -1)];
    if (!stop) return;
    event.preventDefault();
    stop.focus();
  }

  // Focuses the field, or clicks the control, whose `data-live-key` is the pressed key, unless the user
  // is typing or has turned the shortcuts off.
  function pressShortcut(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    if (target.closest?.("input, textarea, select, [contenteditable]") || !hasShortcuts()) {
      return;
    }
    const element = [...root.querySelectorAll("[data-live-key]")]
      .find((element) => element.dataset.liveKey === event.key && element.getClientRects().length);
    if (!element) return;
    event.preventDefault();
    if (!element.matches("input, textarea, select")) return element.click();
    element.focus();
    element.select?.();
  }
}

// Returns the value that an element sends: its `data-live-value`, else the key of a row, else empty text.
function valueOf(element) {
  const { liveRow, liveValue } = element.dataset;
  return liveValue ?? (liveRow === undefined ? "" : element.closest("[data-key]")?.dataset.key ?? "");
}

function isPlainClick(event) {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

// ---- Turning the shortcuts off (WCAG 2.1.4). -----------------------------------------------------

const shortcutStore = "live:keys";

function hasShortcuts() {
  try {
    return localStorage.getItem(shortcutStore) !== "off";
  } catch {
    return true;
  }
}

// Updates the frame's buttons with `data-live-keys`, which turn the shortcuts on and off. They are hidden
// on pages without shortcuts.
function showShortcuts() {
  for (const button of document.querySelectorAll("[data-live-keys]")) {
    button.hidden = !document.querySelector("[data-live] [data-live-key]");
    button.setAttribute("aria-pressed", String(hasShortcuts()));
  }
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-live-keys]")) return;
  try {
    localStorage.setItem(shortcutStore, hasShortcuts() ? "off" : "on");
  } catch { /* Storage is not available. */ }
  showShortcuts();
});
