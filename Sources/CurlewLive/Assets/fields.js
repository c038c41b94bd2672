// The live fields of a page: finding, updating, storing and restoring them.

const isText = (field) =>
  field.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea");

const fieldNamed = (root, name) => [...root.querySelectorAll("[data-live-input]")]
  .find((field) => field.dataset.liveInput === name);

const textFields = (root) => [...root.querySelectorAll("[data-live-input]")].filter(isText);

// The live checkboxes, radio buttons and selects.
const choices = (root) => [...root.querySelectorAll("[data-live-input]")]
  .filter((field) => !isText(field) && field.type !== "file");

// Returns the text of a field in the markup, as the browser shows it: a number field, for example, shows no
// letters.
function markupText(field) {
  if (field.value === field.defaultValue) return field.value;
  const copy = field.cloneNode();
  copy.value = field.defaultValue;
  return copy.value;
}

// Returns a field's value in actions; for a select with several choices, a line for each of them.
const valueOfField = (field) => field.multiple && field.options
  ? [...field.selectedOptions].map((option) => option.value).join("\n") : field.value;

// Sets live fields to their values in the markup. `isCurrent` is whether the markup includes all of the
// user's actions; otherwise fields keep their values. `isAsked` is whether a back or forward navigation
// requested other text, which also replaces the text of the focused field. `isKept(name)` returns whether a
// field keeps its text. `change(name)` is called for each changed field, `fill(field)` for each field that was filled
// in without an event.
function updateFields(root, isCurrent, isAsked, isKept, change, fill) {
  for (const field of root.querySelectorAll("[data-live-input]")) {
    if (!isText(field)) {
      if (isCurrent && updateChoice(field)) change(field.dataset.liveInput);
    } else if (isAsked || (isCurrent && document.activeElement !== field)) {
      const text = markupText(field);
      if (field.value === text || field.value.trim() === text || isKept(field.dataset.liveInput)) continue;
      const isFilled = !isAsked && field.value !== (knownTexts.get(field) ?? firstContents.get(field));
      if (isFilled) {
        fill(field);
        continue;
      }
      field.value = text;
      knownTexts.set(field, text);
      change(field.dataset.liveInput);
    }
  }
}

// Returns the options of a select that the markup selects.
function markedOptions(field) {
  const options = [...field.options];
  const marked = options.filter((option) => option.defaultSelected);
  if (field.multiple) return marked;
  return [marked.pop() ?? options.find((option) => !option.matches(":disabled"))].filter(Boolean);
}

// Sets a checkbox, radio button or select to its value in the markup; returns whether the value differed.
function updateChoice(field) {
  if (!field.options) {
    const differs = field.checked !== field.defaultChecked;
    if (differs) field.checked = field.defaultChecked;
    return differs;
  }
  const differs = !field.multiple && markedOptions(field).some((option) => !option.selected);
  if (differs) setChosen(field, markedOptions(field));
  return differs;
}

function setChosen(field, chosen) {
  for (const option of field.options) option.selected = chosen.includes(option);
}

// Whether the user has chosen something other than the markup: for radio buttons, only the chosen one.
function isChanged(field) {
  if (field.options) {
    const marked = markedOptions(field);
    const chosen = [...field.selectedOptions];
    return chosen.some((option) => !marked.includes(option))
      || (field.multiple && chosen.length !== marked.length);
  }
  return field.checked !== field.defaultChecked && (field.type !== "radio" || field.checked);
}

// The content of fields in the first state that had them, which a reset button restores.
const firstContents = new WeakMap();

function noteFirstContents(root) {
  for (const field of root.querySelectorAll("[data-live-input]")) {
    if (firstContents.has(field)) continue;
    firstContents.set(field, isText(field) ? markupText(field)
      : field.options ? valuesOf(markedOptions(field)) : field.defaultChecked);
  }
}

const valuesOf = (options) => JSON.stringify([...options].map((option) => option.value));

// Returns a field's text, the values of its chosen options, or whether it is checked.
const contentOf = (field) => isText(field) ? field.value
  : field.options ? valuesOf(field.selectedOptions) : field.checked;

function setContent(field, content) {
  if (isText(field)) field.value = content;
  else if (!field.options) field.checked = content;
  else setChosen(field, [...field.options].filter(({ value }) => JSON.parse(content).includes(value)));
}

// The texts of the text fields that the user or the server has set. Other texts were filled in without an event, as
// by a password manager.
const knownTexts = new WeakMap();

function sendContent(field, send) {
  knownTexts.set(field, field.value);
  send(field.dataset.liveInput, valueOfField(field), { isText: isText(field), isEdit: true });
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

// Stores also the actions that wait, for a reload that the script causes. Returns false if storage is not
// available.
function storeFields(root, path, left, actions = []) {
  // Includes text that the server knows, because the address may not contain it.
  const fields = textFields(root).filter((field) => !field.matches("[type=password]"))
    .map((field) => [field.dataset.liveInput, field.value]);
  try {
    sessionStorage.setItem(fieldStore, JSON.stringify(
      { path, address: location.search, fields, left, actions }));
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
// that the tab has reloaded from, and the actions that wait.
function restoreFields(root, path) {
  let stored = null;
  try {
    stored = JSON.parse(sessionStorage.getItem(fieldStore));
  } catch { /* Not available or invalid. */ }
  forgetFields();
  const isSame = isBack && stored?.path === path && stored.address === location.search;
  isBack = false;
  if (!isSame) return { left: [], actions: [] };
  for (const [name, value] of stored.fields) {
    const field = textFields(root).find((field) => field.dataset.liveInput === name);
    if (field) field.value = value;
  }
  return stored;
}

// ---- Refused actions. ----------------------------------------------------------------------------

// Shows why an action was refused, in its form's element with `data-live-refusal`. Empty text hides the
// reason of the same action.
function showRefusal(root, name, text) {
  const field = fieldNamed(root, name);
  const form = field?.form ?? [...root.querySelectorAll("[data-live-submit]")]
    .find((form) => props(form).dataset.liveSubmit === name);
  const element = props(form)?.querySelector("[data-live-refusal]");
  if (!element || (!text && element.dataset.of !== name)) return;
  element.dataset.of = name;
  element.textContent = text;
  element.hidden = !text;
}
