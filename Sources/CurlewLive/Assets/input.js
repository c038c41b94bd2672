// Turns user input into actions: calls `send(name, value, { isText, isEdit, fields })`.
function listenToUser(root, on, send) {
  // Controls in the frame's slots send actions, too.
  const isOurs = (element) => root.contains(element)
    || Boolean(props(element)?.closest("[data-live-slot]"));
  const closest = (event, name) => {
    const element = props(event.target).closest?.(`[data-live-${name}]`);
    return isOurs(element) ? element : null;
  };

  // Without a session, links and forms load documents, as without JavaScript.
  const isPlain = () => root.hasAttribute("data-live-plain");

  const leaveField = () => {
    const field = document.activeElement;
    if (field?.dataset.liveInput !== undefined) field.blur();
  };

  function sendField(event) {
    const field = closest(event, "input");
    if (field) sendContent(field, send);
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
    const { submitter } = event;
    // A button's own address and target belong to the browser, as without JavaScript.
    if (!form || isPlain() || submitter?.matches("[formaction], [formtarget]")) return;
    const method = submitter?.getAttribute("formmethod") ?? props(form).getAttribute("method");
    // The browser closes the dialog of a form.
    if (method?.toLowerCase() !== "dialog") event.preventDefault();
    endComposition();
    // The on-screen keyboard would cover the results.
    if (matchMedia("(pointer: coarse)").matches) leaveField();
    send(props(form).dataset.liveSubmit, "", { fields: fieldsOf(form, submitter) });
  });

  // A reset restores the first contents, because the markup already has the text that the user typed.
  on(document, "reset", (event) => {
    const fields = fieldsIn(root).filter((field) => field.form === event.target && firstContents.has(field))
      .map((field) => [field, contentOf(field)]);
    // After the browser's own reset.
    setTimeout(() => {
      if (event.defaultPrevented || isPlain()) return;
      for (const [field, before] of fields) {
        setContent(field, firstContents.get(field));
        if (differs(field, before)) sendContent(field, send);
      }
    });
  });

  on(document, "click", (event) => {
    const element = closest(event, "click");
    if (!element || !isPlainClick(event) || isPlain()) return;
    const control = props(event.target).closest(
      "a[href], area[href], button, input, select, textarea, summary, label");
    // A label's control is clicked, too.
    if (control?.control && props(element).contains(control.control)) return;
    // Instead of loading a document; what else a click does belongs to the browser, such as opening a menu.
    const isSubmit = /^(submit|image)$/.test(control?.type) && control.form;
    if (isSubmit || control?.matches("a, area")) event.preventDefault();
    leaveField();
    send(element.dataset.liveClick, valueOf(element));
  });

  on(document, "keydown", (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === "Escape") escape(event);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") moveToRow(event);
    else pressShortcut(event);
  });

  // Escape clicks the element with `data-live-escape`, except in a field, where the browser handles it. While a
  // dialog or a menu is open, which the browser closes, it clicks only an element in there.
  function escape(event) {
    if (props(event.target).dataset?.liveInput === undefined) {
      const opened = document.querySelectorAll(":modal, :popover-open:not([popover=manual])");
      ([...opened].pop() ?? root).querySelector("[data-live-escape]")?.click();
    }
  }

  // The up and down arrow keys move the focus between the text fields and the rows.
  function moveToRow(event) {
    if (hasModifier(event)) return;
    // Other controls keep their arrow keys: texts of several lines, numbers, times, and fields with suggestions.
    const fields = textFields(root)
      .filter((field) => /^(text|search)$/.test(field.type) && !field.hasAttribute("list"));
    const stops = [...fields, ...all(root, "row")];
    let index = stops.indexOf(document.activeElement);
    if (index < 0) return;
    // Measures only the elements up to the next visible element.
    do index += event.key === "ArrowDown" ? 1 : -1; while (stops[index]?.getClientRects().length === 0);
    if (!stops[index]) return;
    event.preventDefault();
    stops[index].focus();
  }

  // Focuses the field, or clicks the control, whose `data-live-key` is the pressed key, unless the user
  // is typing or has turned the shortcuts off.
  function pressShortcut(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    if (props(target).closest?.("input, textarea, select, [contenteditable]") || !hasShortcuts()) {
      return;
    }
    const element = all(root, "key").find((element) => element.dataset.liveKey === event.key && element.getClientRects().length);
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

const hasModifier = (event) => event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

const isPlainClick = (event) => event.button === 0 && !hasModifier(event);

// ---- Turning the shortcuts off (WCAG 2.1.4). -----------------------------------------------------

const shortcutStore = "live:keys";

const hasShortcuts = () => withStorage(() => localStorage.getItem(shortcutStore)) !== "off";

// Updates the frame's buttons with `data-live-keys`, which turn the shortcuts on and off. They are hidden
// on pages without shortcuts.
function showShortcuts() {
  for (const button of all(document, "keys")) {
    button.hidden = !document.querySelector("[data-live] [data-live-key]");
    button.setAttribute("aria-pressed", String(hasShortcuts()));
  }
}

document.addEventListener("click", ({ target }) => {
  if (!props(target).closest?.("[data-live-keys]")) return;
  withStorage(() => localStorage.setItem(shortcutStore, hasShortcuts() ? "off" : "on"));
  showShortcuts();
});
