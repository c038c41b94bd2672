// Patches the DOM to match new markup. Nodes that are in both are kept, with their focus, selection, scroll
// position, playing media, and other state that markup doesn't contain.
//
// A fragment is an element with a key, or the root element. The children of a fragment are its closest
// descendants with keys: no other element with a key is between them. A child keeps its identity wherever
// the markup moves it within its fragment. Other nodes match if they have the same parent, the same name
// and a similar position.

// Thrown if an update can't be applied, because another script has changed the DOM.
class OutOfSync extends Error {}

// Returns a node with all of its properties: a form's field hides the property of the form that is called like
// the field, such as `children`.
const props = (node) => node instanceof HTMLFormElement ? new Proxy(node, formProperties) : node;

const formProperties = {
  get(form, name) {
    const value = Reflect.get(HTMLFormElement.prototype, name, form);
    return typeof value === "function" ? value.bind(form) : value;
  },
};

const isElement = (node) => props(node).nodeType === Node.ELEMENT_NODE;

const key = (node) => isElement(node)
  && (props(node).getAttribute("id") || props(node).getAttribute("data-key")) || "";

const isSameName = (a, b) => props(a).nodeName === props(b).nodeName;

// Whether a node is SVG, MathML or `noscript`, whose descendants are not children of fragments.
const isOpaque = (node) => isElement(node) && (!(node instanceof HTMLElement) || props(node).localName === "noscript");

// Whether the page's own scripts manage an element's content.
const isIgnored = (node) => props(node).hasAttribute("data-live-ignore");

// A cache of the fragments' children during an update.
const knownChildren = new Map();

// Returns a fragment's children by key; `null` for a key of several elements, which are then not treated
// as children.
function childrenOf(fragment) {
  let children = knownChildren.get(fragment);
  if (children) return children;
  children = new Map();
  const visit = (parent) => {
    if (isOpaque(parent)) return;
    for (const element of props(parent).children) {
      const name = key(element);
      if (name) children.set(name, children.has(name) ? null : element);
      else visit(element);
    }
  };
  visit(fragment);
  knownChildren.set(fragment, children);
  return children;
}

function childOf(fragment, name) {
  const child = childrenOf(fragment).get(name);
  if (!child) throw new OutOfSync();
  return child;
}

// ---- Applying an update. ------------------------------------------------------------------------

// Replaces the root's content, or only the changed parts.
function applyUpdate(root, { html, parts = [] }) {
  knownChildren.clear();
  try {
    if (html !== undefined) patchFragment(root, parsed(html, root));
    for (const part of parts) applyPart(root, part);
  } finally {
    knownChildren.clear();
  }
}

// Patches an element's content to match an element of another document.
function patchDocument(element, next) {
  knownChildren.clear();
  try {
    patchFragment(element, next);
  } finally {
    knownChildren.clear();
  }
}

function applyPart(root, { path, html, keep = [], attributes }) {
  const fragment = path.reduce(childOf, root);
  if (props(props(fragment).parentElement)?.closest("[data-live-ignore]")) return;
  if (attributes) return patchAttributes(fragment, withAttributes(fragment, attributes));
  const content = parsed(html.replace(/<!--live:(\d+)-->/g, (comment, index) =>
    keep[index] ? standIns(fragment, keep[index]) : comment), path.length ? null : root);
  const next = path.length ? content.firstChild : content;
  const isLike = content.childNodes.length === 1 && isSameName(next, fragment);
  if (path.length && !(isLike && key(next) === key(fragment))) {
    throw new OutOfSync();   // another element
  }
  if (path.length) patchAttributes(fragment, next);
  if (isIgnored(fragment)) return;
  patchFragment(fragment, next);
  if (keep.length && props(fragment).querySelector(`[${keptAttribute}]`)) {
    throw new OutOfSync();   // A child is not where it was.
  }
}

// The attribute of placeholders for children that a part does not change.
const keptAttribute = "data-live-kept";

// A document whose elements load no images, unlike the elements of the page's document.
const inert = document.createElement("template").content.ownerDocument;

// Returns an element with the markup as its content: a copy of the root, in which the document has the same
// elements, or a template's content for a fragment.
function parsed(html, root) {
  const element = inert.createElement(root ? root.localName : "template");
  element.innerHTML = withTextInNoscript(html);
  return element.content ?? element;
}

// Escapes the content of `noscript`, which is text in documents with scripts, and elements in the inert document.
const withTextInNoscript = (html) => html.replace(/(<noscript\b[^>]*>)([^]*?)(?=<\/noscript)/gi,
  (all, tag, text) => tag + text.replace(/&/g, "&amp;").replace(/</g, "&lt;"));

// Returns the markup of placeholders for the children from the first key to the last, and the text between
// them. A placeholder is an empty element. It is parsed with the surrounding markup, because the parser adds
// and closes elements depending on their content: a `tbody` around rows, for example.
function standIns(fragment, keys) {
  const children = [...childrenOf(fragment).values()];
  // The error makes the page request the complete markup.
  if (children.includes(null)) throw new OutOfSync();   // Two children have the same key.
  const first = children.indexOf(childOf(fragment, keys[0]));
  const last = children.indexOf(childOf(fragment, keys[keys.length - 1]));
  if (first > last) throw new OutOfSync();
  const markup = inert.createElement("div");
  for (let index = first; index <= last; index += 1) {
    const copy = markup.appendChild(inert.importNode(children[index]));
    props(copy).setAttribute(keptAttribute, "");
    let node = index < last ? props(children[index]).nextSibling : null;
    for (; node && node !== children[index + 1]; node = props(node).nextSibling) {
      if (props(node).nodeType === Node.TEXT_NODE) markup.append(inert.importNode(node));
    }
  }
  return markup.innerHTML;
}

// Returns an empty copy of an element with changed attributes.
function withAttributes(element, changes) {
  const next = inert.createElementNS(element.namespaceURI, element.localName);
  for (const { name, value } of element.attributes) {
    const current = ownedNames.includes(name) ? ownedBy(element, name) : value;
    if (current !== null) next.setAttribute(name, current);
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.removeAttribute(name);
    else next.setAttribute(name, value);
  }
  return next;
}

// ---- Patching a fragment. -----------------------------------------------------------------------

function patchFragment(fragment, next) {
  const scope = {
    matches: new Map(),   // the existing children of the fragment by new child
    matched: new Set(),   // the existing children that match a new child
    spine: new Set(),     // the new elements that contain matching children
    unwanted: [],         // the nodes to remove
    choices: new Map(),   // the names of options, radio buttons and checkboxes, and of elements around one of them
  };
  noteChoices(fragment, scope.choices);
  noteChoices(next, scope.choices);
  const present = childrenOf(fragment);
  for (const [name, child] of childrenOf(next)) {
    const match = present.get(name);
    if (!child || !match || !isSameName(match, child)) continue;
    scope.matches.set(child, match);
    scope.matched.add(match);
    for (let node = props(child).parentNode; node !== next; node = props(node).parentNode) scope.spine.add(node);
  }
  patchChildren(fragment, next, scope);
  // Last, because matching children have been moved out of these nodes.
  for (const node of scope.unwanted) props(node).remove();
  knownChildren.delete(fragment);
}

function patchChildren(parent, wanted, scope) {
  if (parent instanceof HTMLTemplateElement) return patchChildren(parent.content, wanted.content, scope);
  const present = [...props(parent).childNodes];
  const nodes = [...props(wanted).childNodes];
  const isSame = (node, index) => isSameName(node, nodes[index]) && key(node) === key(nodes[index])
    && scope.choices.get(node) === scope.choices.get(nodes[index]);
  if (present.length === nodes.length && present.every(isSame)) {
    present.forEach((node, index) => patch(node, nodes[index], scope));
    return;
  }
  const matches = matchNodes(parent, present, nodes, scope);
  const positions = new Map(present.map((node, index) => [node, index]));
  const steady = longestInOrder(
    nodes.map((next) => matches.get(next)).filter((node) => positions.has(node)), positions);
  let last = null;
  for (const next of nodes) {
    const before = last ? props(last).nextSibling : props(parent).firstChild;
    const match = matches.get(next);
    if (match) {
      if (match !== before && !steady.has(match)) move(match, parent, before);
      patch(match, next, scope);
      last = match;
    } else {
      const isOnSpine = scope.spine.has(next);
      last = props(parent).insertBefore(document.importNode(next, !isOnSpine), before);
      noteOwned(last);
      if (isOnSpine) patchChildren(last, next, scope);
    }
  }
  const used = new Set(matches.values());
  for (const node of present) {
    if (!used.has(node) && !scope.matched.has(node)) scope.unwanted.push(node);
  }
}

function patch(node, next, scope) {
  if (!isElement(node)) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
  } else if (!props(next).hasAttribute(keptAttribute)) {
    patchAttributes(node, next);
    // A radio button that takes the position of another one is not chosen, too.
    if (scope.choices.get(node) !== scope.choices.get(next)) unchoose(node);
    if (isIgnored(node)) return;
    if (scope.matched.has(node)) patchFragment(node, next);
    else patchChildren(node, next, scope);
  }
}

function patchAttributes(element, next) {
  const [own, wanted] = [props(element), props(next)];
  for (const { name } of [...own.attributes]) {
    // Attributes that a script has set on its own element stay.
    if (!wanted.hasAttribute(name) && !ownedNames.includes(name) && !isIgnored(element)) {
      own.removeAttribute(name);
    }
  }
  for (const { name, value } of wanted.attributes) {
    if (own.getAttribute(name) !== value && !ownedNames.includes(name)) own.setAttribute(name, value);
  }
  for (const name of ownedNames) {
    const value = wanted.getAttribute(name);
    if (value !== ownedBy(element, name)) patchOwned(element, name, value);
  }
}

// The attributes that the user or the browser sets, too: whether a disclosure or a dialog is open, and the size of
// a text area. They change only when they change in the markup.
const ownedNames = ["open", "style"];

// The values of these attributes in the newest markup, by element.
const owned = new WeakMap();

const ownedBy = (element, name) => owned.get(element)?.[name] ?? null;

// Stores these attributes of a new node and its descendants.
function noteOwned(node) {
  if (!isElement(node)) return;
  for (const element of [node, ...props(node).querySelectorAll("[open], [style]")]) {
    owned.set(element, Object.fromEntries(
      ownedNames.map((name) => [name, props(element).getAttribute(name)])));
  }
}

function patchOwned(element, name, value) {
  owned.set(element, { ...owned.get(element), [name]: value });
  // A modal dialog without the attribute would leave the page inert.
  if (value === null && name === "open" && element instanceof HTMLDialogElement) element.close();
  if (value === null) props(element).removeAttribute(name);
  else props(element).setAttribute(name, value);
}

// Moves a node, with `moveBefore` if the browser supports it, which preserves the focus and other state.
// Browsers may scroll to a focused element that is moved, so scroll positions are restored.
function move(node, parent, before) {
  const focused = props(node).contains(document.activeElement) ? document.activeElement : null;
  const offsets = [...new Set([...selfAndParents(focused), ...selfAndParents(focused && parent)])]
    .map((element) => [element, element.scrollLeft, element.scrollTop]);
  const [target, moved] = [props(parent), props(node)];
  if (target.moveBefore && target.isConnected === moved.isConnected) target.moveBefore(node, before);
  else target.insertBefore(node, before);
  for (const [element, left, top] of offsets) {
    if (element.scrollLeft !== left) element.scrollLeft = left;
    if (element.scrollTop !== top) element.scrollTop = top;
  }
}

function selfAndParents(element) {
  return element ? [element, ...selfAndParents(props(element).parentElement)] : [];
}

// ---- Choices: what the user chose must not move to another option. -------------------------------

// Stores the names of a fragment's options (their values), and of its radio buttons and checkboxes (their names and
// values); also the names of elements without keys around a single one.
function noteChoices(fragment, names) {
  for (const node of props(fragment).querySelectorAll(
    "option, input[type=radio i], input[type=checkbox i]")) {
    let name = `=${node.getAttribute("name") ?? ""}=${node.value}`;
    for (let element = node; element !== fragment && !key(element); element = props(element).parentNode) {
      if (names.has(element)) name = "";
      names.set(element, name);
      if (node.localName === "option") break;
    }
  }
}

// Sets a choice to its value in the markup.
function unchoose(node) {
  if (node.localName === "option" && node.hasAttribute("value")) node.selected = node.defaultSelected;
  else if (/^(radio|checkbox)$/.test(node.type)) node.checked = node.defaultChecked;
}

// ---- Matching nodes. ----------------------------------------------------------------------------

// Matches the new nodes of a parent with its existing nodes; returns the existing nodes by new node.
function matchNodes(parent, present, next, scope) {
  const matches = new Map();
  // Elements with keys that are not children of the fragment, such as in SVG, and choices match within their parent.
  const others = new Map();
  const nameOf = (node) => key(node) || scope.choices.get(node);
  for (const node of present) {
    if (!nameOf(node) || scope.matched.has(node)) continue;
    const name = `${props(node).nodeName} ${nameOf(node)}`;
    others.set(name, [...(others.get(name) ?? []), node]);
  }
  for (const node of next) {
    if (!nameOf(node)) continue;
    const match = scope.matches.get(node) ?? others.get(`${props(node).nodeName} ${nameOf(node)}`)?.shift();
    if (match) matches.set(node, match);
  }
  // Nodes without keys match between the same two elements with keys.
  const anchors = new Set([...matches.values()].filter((node) => props(node).parentNode === parent));
  const runs = runsAfter(present, (node) => anchors.has(node) ? node : null);
  const nextRuns = runsAfter(next, (node) => {
    const match = matches.get(node);
    return anchors.has(match) ? match : null;
  });
  for (const [anchor, run] of nextRuns) align(runs.get(anchor), run, matches);
  return matches;
}

// Groups the nodes without keys by the preceding anchor; `null` for nodes before the first anchor.
function runsAfter(nodes, anchor) {
  const runs = new Map([[null, []]]);
  let run = runs.get(null);
  for (const node of nodes) {
    if (anchor(node)) runs.set(anchor(node), run = []);
    else if (!key(node)) run.push(node);
  }
  return runs;
}

// Matches nodes by name: first from both ends, then the remaining nodes in order.
function align(present, next, matches) {
  const isLike = (i, j) => isSameName(present[i], next[j]);
  let [start, end, nextEnd] = [0, present.length, next.length];
  for (; start < end && start < nextEnd && isLike(start, start); start += 1) {
    matches.set(next[start], present[start]);
  }
  while (end > start && nextEnd > start && isLike(end - 1, nextEnd - 1)) {
    matches.set(next[--nextEnd], present[--end]);
  }
  let from = start;
  for (let j = start; j < nextEnd; j += 1) {
    let i = from;
    while (i < end && !isLike(i, j)) i += 1;
    if (i === end) continue;
    matches.set(next[j], present[i]);
    from = i + 1;
  }
}

// Returns the longest sequence of nodes whose positions increase: they need not be moved.
function longestInOrder(nodes, positions) {
  const ends = [];               // by length: the last node of the increasing sequence that ends lowest
  const previous = new Map();
  for (const node of nodes) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (positions.get(ends[middle]) < positions.get(node)) low = middle + 1;
      else high = middle;
    }
    previous.set(node, ends[low - 1]);
    ends[low] = node;
  }
  const sequence = new Set();
  for (let node = ends[ends.length - 1]; node; node = previous.get(node)) sequence.add(node);
  return sequence;
}
