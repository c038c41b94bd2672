// The fields of a page: which of them are live, and what they show.

const isText = (field) =>
  field.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea");

const textFields = (root) => [...root.querySelectorAll("[data-live-input]")].filter(isText);

// Changes the controls that send their value to what the markup says, unless the user has changed
// them since: `isCurrent` is whether the markup includes everything that the user did. `isAsked` is
// whether the back or forward button requested another text, also of a field that is being edited.
function updateFields(root, isCurrent, isAsked) {
  for (const field of root.querySelectorAll("[data-live-input]")) {
    if (!isText(field)) {
      if (isCurrent) updateChoice(field);
    } else if (isAsked || (isCurrent && document.activeElement !== field)) {
      if (field.value.trim() !== field.defaultValue) field.value = field.defaultValue;
    }
  }
}

function updateChoice(field) {
  if (!field.options) {
    if (field.checked !== field.defaultChecked) field.checked = field.defaultChecked;
    return;
  }
  const options = [...field.options];
  const marked = options.filter((option) => option.defaultSelected).pop()
    ?? options.find((option) => !option.disabled);
  if (marked && !field.multiple && !marked.selected) marked.selected = true;
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
    sessionStorage.setItem(fieldStore, JSON.stringify({ path, fields, left }));
    return true;
  } catch {
    return false;
  }
}

// Returns the versions that were left.
function restoreFields(root, path) {
  let stored = null;
  try {
    stored = JSON.parse(sessionStorage.getItem(fieldStore));
    sessionStorage.removeItem(fieldStore);
  } catch { /* There is nothing that can be read. */ }
  if (stored?.path !== path) return [];
  for (const [name, value] of stored.fields) {
    const field = textFields(root).find((field) => field.dataset.liveInput === name);
    if (field) field.value = value;
  }
  return stored.left;
}
