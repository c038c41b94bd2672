// The live fields of a page: finding, updating, storing and restoring them.

// Returns the elements with an attribute of the script, such as `data-live-input`.
const all = (root, name) => [...root.querySelectorAll(`[data-live-${name}]`)];

// Calls a function that uses the browser's storage; returns `undefined` if it is not available.
function withStorage(use) {
  try {
    return use();
  } catch { /* Not available, or its content is invalid. */ }
}

const isText = (field) =>
  field.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea");

const nameOf = (field) => field.dataset.liveInput;

const fieldNamed = (root, name) => all(root, "input").find((field) => nameOf(field) === name);

// The fields whose content can be set.
const fieldsIn = (root) => all(root, "input").filter((field) => field.type !== "file");

const textFields = (root) => fieldsIn(root).filter(isText);

// Returns the text of a field in the markup, as the browser shows it: a number field, for example, shows no
// letters.
function markupText(field) {
  if (field.value === field.defaultValue) return field.value;
  const copy = field.cloneNode();
  copy.value = field.defaultValue;
  return copy.value;
}

// Returns the options of a select that the markup selects.
function markedOptions(field) {
  const options = [...field.options];
  const marked = options.filter((option) => option.defaultSelected);
  if (field.multiple) return marked;
  return [marked.pop() ?? options.find((option) => !option.matches(":disabled"))].filter(Boolean);
}

const valuesOf = (options) => [...options].map((option) => option.value);

// Returns a field's text, the values of its chosen options, or whether it is checked.
const contentOf = (field) => isText(field) ? field.value
  : field.options ? JSON.stringify(valuesOf(field.selectedOptions)) : field.checked;

// Returns the content of a field in the markup.
const markupContent = (field) => isText(field) ? markupText(field)
  : field.options ? JSON.stringify(valuesOf(markedOptions(field))) : field.defaultChecked;

function setContent(field, content) {
  if (isText(field)) field.value = content;
  else if (!field.options) field.checked = content;
  else for (const option of field.options) option.selected = JSON.parse(content).includes(option.value);
}

// Whether a field's content differs from another one: of radio buttons, only the chosen one does.
const differs = (field, content) =>
  contentOf(field) !== content && (field.type !== "radio" || field.checked);

// Sets a checkbox, radio button or select to its value in the markup; returns whether the value differed.
function updateChoice(field) {
  const content = markupContent(field);
  if (field.multiple || contentOf(field) === content) return false;
  setContent(field, content);
  return true;
}

// The content of fields in the first state that had them, which a reset button restores.
const firstContents = new WeakMap();

function noteFirstContents(root) {
  for (const field of fieldsIn(root)) {
    if (!firstContents.has(field)) firstContents.set(field, markupContent(field));
  }
}

// The texts of the text fields that the user or the server has set. Other texts were filled in without an event, as
// by a password manager.
const knownTexts = new WeakMap();

// Sends a field's text or choice; for a select with several choices, a line for each of them.
function sendContent(field, send) {
  knownTexts.set(field, field.value);
  send(nameOf(field), valueOfField(field), { isText: isText(field), isEdit: true });
}

const valueOfField = (field) => field.selectedOptions ? valuesOf(field.selectedOptions).join("\n") : field.value;

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

// Returns the hash of a document's visitor; empty for a visitor who is not known.
const visitorOf = (root) => root?.dataset.liveBuild.replace(/^\w+/, "");

// Returns the key of the visitor's stored text fields, and of the document versions that the tab has reloaded from.
const fieldStore = (root) => "live:document" + visitorOf(root);

// Returns the names and texts of the text fields, except passwords. They include text that the server knows, because
// the address may not contain it.
const storableTexts = (root) => textFields(root).filter((field) => field.type !== "password")
  .map((field) => [nameOf(field), field.value]);

function restoreTexts(root, texts = []) {
  for (const [name, text] of texts) {
    const field = textFields(root).find((field) => nameOf(field) === name);
    if (field && field.value !== text) field.value = text;
  }
}

// Stores also the actions that wait, for a reload that the script causes, which may lead to a sign-in first. Returns
// false if storage is not available.
const storeFields = (root, path, left, actions) => withStorage(() => {
  const fields = storableTexts(root);
  sessionStorage.setItem(fieldStore(root), JSON.stringify({ path, address: location.search, fields, left, actions }));
  return true;
});

const forgetFields = (root) => withStorage(() => sessionStorage.removeItem(fieldStore(root)));

// Whether the document was reloaded or restored from the history; only for its first page.
let isBack = performance.getEntriesByType("navigation")[0]?.type !== "navigate";

// Restores the visitor's stored text, unless a new navigation of the user has opened the document. Returns the document versions
// that the tab has reloaded from, and the actions that wait.
function restoreFields(root, path) {
  const stored = withStorage(() => JSON.parse(sessionStorage.getItem(fieldStore(root))));
  forgetFields(root);
  const isSame = (isBack || stored?.actions) && stored?.path === path && stored.address === location.search;
  isBack = false;
  if (!isSame) return { left: [], actions: [] };
  restoreTexts(root, stored.fields);
  return stored;
}

// ---- Refused actions. ----------------------------------------------------------------------------

// Shows why an action was refused, in its form's element with `data-live-refusal`. Empty text hides the
// reason of the same action.
function showRefusal(root, name, text) {
  const field = fieldNamed(root, name);
  const form = field?.form ?? all(root, "submit").find((form) => props(form).dataset.liveSubmit === name);
  const element = props(form)?.querySelector("[data-live-refusal]");
  if (!element || (!text && element.dataset.of !== name)) return;
  element.dataset.of = name;
  element.textContent = text;
  element.hidden = !text;
}
