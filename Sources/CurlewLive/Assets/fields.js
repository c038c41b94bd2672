// The fields of a page: which of them are live, and what they show.

const isText = (field) =>
  field.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea");

const fieldNamed = (root, name) => [...root.querySelectorAll("[data-live-input]")]
  .find((field) => field.dataset.liveInput === name);

const textFields = (root) => [...root.querySelectorAll("[data-live-input]")].filter(isText);

// Changes the controls that send their value to what the markup says, unless the user has changed
// them since: `isCurrent` is whether the markup includes everything that the user did. `isAsked` is
// whether the back or forward button requested another text, also of a field that is being edited. `isKept`
// tells by its name whether a field stays as it is; `change` is called with the name of each that does not.
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

// Returns whether the control had another value.
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

// The names and texts of a form's fields, as a form's request has them, without files.
function fieldsOf(form, submitter) {
  const fields = [];
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value === "string") fields.push([name, wellFormed(value)]);
  }
  return fields;
}

// As in a form's request, a half of a surrogate pair is replaced.
const wellFormed = (text) => text.toWellFormed?.() ?? text;

// ---- What a tab takes along when its document is loaded again. -----------------------------------

// The text of its fields, and the versions of the document that it has left.
const fieldStore = "live:document";

// Returns false when the browser stores nothing.
function storeFields(root, path, left) {
  // Also text that the server has, because it may be in no address.
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
  } catch { /* The browser stores nothing. */ }
}

// Whether the user has reloaded the document, or come back to it; asked once, for its first page.
let isBack = performance.getEntriesByType("navigation")[0]?.type !== "navigate";

// Puts back what was stored, unless the user has come anew. Returns the versions that were left.
function restoreFields(root, path) {
  let stored = null;
  try {
    stored = JSON.parse(sessionStorage.getItem(fieldStore));
  } catch { /* There is nothing that can be read. */ }
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

// ---- What the server refuses. --------------------------------------------------------------------

// Says in the form of an action, in the element for that, why it was refused; with an empty text, no longer.
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
