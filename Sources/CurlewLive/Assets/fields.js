// The live fields of a page: finding, updating, storing and restoring them.

const isText = (field) =>
  field.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea");

const fieldNamed = (root, name) => [...root.querySelectorAll("[data-live-input]")]
  .find((field) => field.dataset.liveInput === name);

const textFields = (root) => [...root.querySelectorAll("[data-live-input]")].filter(isText);

// Sets live fields to their values in the markup. `isCurrent` is whether the markup includes all of the
// user's actions; otherwise fields keep their values. `isAsked` is whether a back or forward navigation
// requested other text, which also replaces the text of the focused field. `isKept(name)` returns whether a
// field keeps its text. `change(name)` is called for each changed field.
function updateFields(root, isCurrent, isAsked, isKept, change) {
  for (const field of root.querySelectorAll("[data-live-input]")) {
    if (!isText(field)) {
      if (isCurrent && updateChoice(field)) change(field.dataset.liveInput);
    } else if (isAsked || (isCurrent && document.activeElement !== field)) {
      if (field.value.trim() === field.defaultValue || isKept(field.dataset.liveInput)) continue;
      field.value = field.defaultValue;
      change(field.dataset.liveInput);
    }
  }
}

// Sets a checkbox, radio button or select to its value in the markup; returns whether the value differed.
function updateChoice(field) {
  if (!field.options) {
    const differs = field.checked !== field.defaultChecked;
    if (differs) field.checked = field.defaultChecked;
    return differs;
  }
  const options = [...field.options];
  const marked = options.filter((option) => option.defaultSelected).pop()
    ?? options.find((option) => !option.disabled);
  const differs = Boolean(marked) && !field.multiple && !marked.selected;
  if (differs) marked.selected = true;
  return differs;
}

// Returns the names and values of a form's fields, as in the form's HTTP request, but without files.
function fieldsOf(form, submitter) {
  const fields = [];
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value === "string") fields.push([name, wellFormed(value)]);
  }
  return fields;
}

// Replaces lone surrogates, as browsers do when they submit a form.
const wellFormed = (text) => text.toWellFormed?.() ?? text;

// ---- Data that survives a reload of the document. ------------------------------------------------

// The key of the stored text fields, and of the document versions that the tab has reloaded from.
const fieldStore = "live:document";

// Returns false if storage is not available.
function storeFields(root, path, left) {
  // Includes text that the server knows, because the address may not contain it.
  const fields = textFields(root).filter((field) => !field.matches("[type=password]"))
    .map((field) => [field.dataset.liveInput, field.value]);
  try {
    sessionStorage.setItem(fieldStore, JSON.stringify({ path, address: location.search, fields, left }));
    return true;
  } catch {
    return false;
  }
}

function forgetFields() {
  try {
    sessionStorage.removeItem(fieldStore);
  } catch { /* Storage is not available. */ }
}

// Whether the document was reloaded or restored from the history; only for its first page.
let isBack = performance.getEntriesByType("navigation")[0]?.type !== "navigate";

// Restores the stored text, unless a new navigation has opened the document. Returns the document versions
// that the tab has reloaded from.
function restoreFields(root, path) {
  let stored = null;
  try {
    stored = JSON.parse(sessionStorage.getItem(fieldStore));
  } catch { /* Not available or invalid. */ }
  forgetFields();
  const isSame = isBack && stored?.path === path && stored.address === location.search;
  isBack = false;
  if (!isSame) return [];
  for (const [name, value] of stored.fields) {
    const field = textFields(root).find((field) => field.dataset.liveInput === name);
    if (field) field.value = value;
  }
  return stored.left;
}

// ---- Refused actions. ----------------------------------------------------------------------------

// Shows why an action was refused, in its form's element with `data-live-refusal`. Empty text hides the
// reason of the same action.
function showRefusal(root, name, text) {
  const field = fieldNamed(root, name);
  const form = field?.form ?? [...root.querySelectorAll("[data-live-submit]")]
    .find((form) => form.dataset.liveSubmit === name);
  const element = form?.querySelector("[data-live-refusal]");
  if (!element || (!text && element.dataset.of !== name)) return;
  element.dataset.of = name;
  element.textContent = text;
  element.hidden = !text;
}
