// The focus while the markup changes.

// Changes the markup. Focuses a new element with `data-live-focus`; if there is none, restores the focus.
function changeWithFocus(root, change) {
  const before = new Set(all(root, "focus"));
  const row = root.querySelector("[data-live-row][aria-current]");
  const refusals = refusedForms(root);
  const focus = captureFocus(root);
  const focused = root.contains(document.activeElement) && document.activeElement;
  keepingFocus(root, change);
  const opened = all(root, "focus").find((e) => !before.has(e));
  const isClosed = [...before].some((element) => !element.isConnected);
  if (opened) opened.focus();
  // When a panel has closed, focus the row that opened it, which also restores the list's scroll
  // position.
  else if (isClosed && document.activeElement === document.body) row?.focus();
  else if (!focusRefused(root, refusals)) focus?.restore();
  returnFocus(root, focused);
}

// Focuses the page's element with `data-live-refocus`, because the focused element was removed or hidden.
function focusAnew(root) {
  root.querySelector("[data-live-refocus]")?.focus({ preventScroll: true });
}

// The element that lost the focus because it was disabled or hidden, and the element that has it instead.
let interrupted = null;

for (const name of ["pointerdown", "keydown"]) {
  addEventListener(name, () => {
    // Keys that nothing receives don't count: the user waits for a button.
    if (name === "pointerdown" || document.activeElement !== document.body) interrupted = null;
  }, true);
}

// Handles that the focused element was removed, hidden or disabled, and returns the focus to an element that is
// enabled and visible again.
function returnFocus(root, focused) {
  const current = document.activeElement;
  if (interrupted && current !== interrupted.current) interrupted = null;
  const hasFocus = focused === current || current === document.body;
  if (focused && hasFocus && props(focused).isConnected && !canHaveFocus(focused)) {
    const isHidden = !props(focused).matches(":disabled");
    props(focused).blur();
    if (isHidden) focusAnew(root);
    interrupted = { element: focused, current: document.activeElement };
  } else if (interrupted?.element.isConnected && canHaveFocus(interrupted.element)) {
    interrupted.element.focus({ preventScroll: true });
    interrupted = null;
  } else if ((focused || interrupted?.element.isConnected === false) && current === document.body) {
    interrupted = null;
    focusAnew(root);
  }
}

const canHaveFocus = (element) => !props(element).matches(":disabled, [inert], [inert] *")
  && (props(element).checkVisibility?.({ visibilityProperty: true }) ?? true);

// Returns the number of refused submits of each form.
function refusedForms(root) {
  return new Map(all(root, "refused").map((form) => [form, props(form).dataset.liveRefused]));
}

// Focuses the first invalid field of a form whose submit has just been refused; returns whether there
// is such a field.
function focusRefused(root, before) {
  for (const [form, count] of refusedForms(root)) {
    const isNew = before.get(form) !== count && (before.has(form) || count !== "0");
    const field = isNew && props(form).querySelector("[aria-invalid=true]");
    if (!field) continue;
    field.focus();
    return true;
  }
  return false;
}

// Restores the focus and the selection of an element that lost them because it was moved: not every
// browser supports `moveBefore`.
function keepingFocus(root, change) {
  const element = document.activeElement;
  const selection = [element?.selectionStart, element?.selectionEnd, element?.selectionDirection];
  try {
    change();
  } finally {
    if (root.contains(element) && document.activeElement !== element) {
      element.focus({ preventScroll: true });
      if (selection[0] != null) element.setSelectionRange(...selection);
    }
  }
}

// Remembers the focused element. When rows inserted before it push it out of view, or when it was
// removed, `restore()` focuses the first new row, so that keyboard users don't skip the new rows.
function captureFocus(root) {
  const focused = document.activeElement;
  const isSeen = () => {
    const { top, bottom } = focused.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  if (focused === root || !root.contains(focused) || !isSeen()) return null;
  const stops = () => [...root.querySelectorAll(
    "a[href], button, input, select, summary, [data-live-row]")];
  const before = stops();
  const previous = before[before.indexOf(focused) - 1];
  return {
    restore() {
      if (focused.isConnected && (document.activeElement !== focused || isSeen())) return;
      const after = stops();
      const next = after[after.indexOf(previous) + 1];
      if (previous?.isConnected && next && !before.includes(next)) next.focus();
    },
  };
}
