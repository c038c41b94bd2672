// Changes the DOM to what markup describes, and keeps the nodes that are in both: with their focus,
// selection, scroll position, playing media, and everything else that is in no markup.
//
// A fragment is an element with a key, and also the element that all is in. The children of a
// fragment are the elements with a key below it, however deep, with no other one between. A child
// is the same element wherever in its fragment the markup has it. Other nodes are the same when
// they have the same parent, the same name and a similar position.

// What can't be applied, because somebody else has changed the DOM.
class OutOfSync extends Error {}

// Read from the attributes: a form's properties may be its fields.
const key = (node) => node.nodeType === Node.ELEMENT_NODE
  && (node.getAttribute("id") || node.getAttribute("data-key")) || "";

// Within SVG and MathML, and in what only browsers without a script show, there are no fragments.
const isOpaque = (node) => node.nodeType === Node.ELEMENT_NODE
  && (node.namespaceURI !== "http://www.w3.org/1999/xhtml" || node.localName === "noscript");

// Whether an element's content is that of the page's own script.
const isIgnored = (node) => node.hasAttribute("data-live-ignore");

// The children of the fragments that were asked for during an update.
const knownChildren = new Map();

// Returns a fragment's children by their keys; `null` for a key that several elements have, which
// are no children then.
function childrenOf(fragment) {
  let children = knownChildren.get(fragment);
  if (children) return children;
  children = new Map();
  const visit = (parent) => {
    if (isOpaque(parent)) return;
    for (const element of parent.children) {
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
  if (!child) throw new OutOfSync(`There is no "${name}".`);
  return child;
}

// ---- Applying an update. ------------------------------------------------------------------------

// Replaces all content of the root, or the parts of it that have changed.
function applyUpdate(root, { html, parts = [] }) {
  knownChildren.clear();
  try {
    if (html !== undefined) patchFragment(root, parsed(html));
    for (const part of parts) applyPart(root, part);
  } finally {
    knownChildren.clear();
  }
}

// Makes an element's content that of another document's element.
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
  if (fragment.parentElement?.closest("[data-live-ignore]")) return;
  if (attributes) return patchAttributes(fragment, withAttributes(fragment, attributes));
  const content = parsed(html.replace(/<!--live:(\d+)-->/g, (comment, index) =>
    keep[index] ? standIns(fragment, keep[index]) : comment));
  const next = path.length ? content.firstChild : content;
  const isElement = content.childNodes.length === 1 && next.nodeName === fragment.nodeName;
  if (path.length && !(isElement && key(next) === key(fragment))) {
    throw new OutOfSync(`"${path}" is another element.`);
  }
  if (path.length) patchAttributes(fragment, next);
  if (isIgnored(fragment)) return;
  patchFragment(fragment, next);
  if (keep.length && fragment.querySelector(`[${kept}]`)) {
    throw new OutOfSync(`A child of "${path}" is not where it was.`);
  }
}

// The attribute of elements that stand for children which this part does not change.
const kept = "data-live-kept";

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// An element in this document, unlike one of the page, loads no images.
const inert = document.createElement("template").content.ownerDocument;

// Returns the markup of empty elements that stand for the children from one key to another, and of
// the text between them. It is parsed together with what is around it, because the parser adds and
// closes elements by what is in them: a `tbody` around rows, for example.
function standIns(fragment, keys) {
  const children = [...childrenOf(fragment).values()];
  // Two rows with one key: the page is asked for as a whole.
  if (children.includes(null)) throw new OutOfSync("Two children have the same key.");
  const first = children.indexOf(childOf(fragment, keys[0]));
  const last = children.indexOf(childOf(fragment, keys[keys.length - 1]));
  if (first > last) throw new OutOfSync(`"${keys}" are in another order.`);
  const markup = inert.createElement("div");
  for (let index = first; index <= last; index += 1) {
    const copy = markup.appendChild(inert.importNode(children[index]));
    copy.setAttribute(kept, "");
    let node = index < last ? children[index].nextSibling : null;
    for (; node && node !== children[index + 1]; node = node.nextSibling) {
      if (node.nodeType === Node.TEXT_NODE) markup.append(inert.importNode(node));
    }
  }
  return markup.innerHTML;
}

// Returns an element with an element's attributes after a change.
function withAttributes(element, changes) {
  const next = inert.createElementNS(element.namespaceURI, element.localName);
  for (const { name, value } of element.attributes) next.setAttribute(name, value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.removeAttribute(name);
    else next.setAttribute(name, value);
  }
  return next;
}

// ---- Patching a fragment. -----------------------------------------------------------------------

function patchFragment(fragment, next) {
  const scope = {
    matches: new Map(),   // the existing children of the fragment by the new ones
    matched: new Set(),   // those existing children
    spine: new Set(),     // the new elements that contain some of the new ones
    unwanted: [],         // what is to be removed
  };
  const present = childrenOf(fragment);
  for (const [name, child] of childrenOf(next)) {
    const match = present.get(name);
    if (!child || match?.nodeName !== child.nodeName) continue;
    scope.matches.set(child, match);
    scope.matched.add(match);
    for (let node = child.parentNode; node !== next; node = node.parentNode) scope.spine.add(node);
  }
  patchChildren(fragment, next, scope);
  // At the end, because children have been moved out of there.
  for (const node of scope.unwanted) node.remove();
  knownChildren.delete(fragment);
}

function patchChildren(parent, wanted, scope) {
  const present = [...parent.childNodes];
  const matches = matchNodes(parent, present, wanted, scope);
  const positions = new Map(present.map((node, index) => [node, index]));
  const steady = longestInOrder(
    [...wanted.childNodes].map((next) => matches.get(next)).filter((node) => positions.has(node)),
    positions);
  let last = null;
  for (const next of [...wanted.childNodes]) {
    const before = last ? last.nextSibling : parent.firstChild;
    const match = matches.get(next);
    if (match) {
      if (match !== before && !steady.has(match)) move(match, parent, before);
      patch(match, next, scope);
      last = match;
    } else {
      const isOnSpine = scope.spine.has(next);
      last = parent.insertBefore(document.importNode(next, !isOnSpine), before);
      if (isOnSpine) patchChildren(last, next, scope);
    }
  }
  const used = new Set(matches.values());
  for (const node of present) {
    if (!used.has(node) && !scope.matched.has(node)) scope.unwanted.push(node);
  }
}

function patch(node, next, scope) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
  } else if (!next.hasAttribute(kept)) {
    patchAttributes(node, next);
    if (isIgnored(node)) return;
    if (scope.matched.has(node)) patchFragment(node, next);
    else patchChildren(node, next, scope);
  }
}

function patchAttributes(element, next) {
  for (const { name } of [...element.attributes]) {
    // A disclosure that the user has opened stays open.
    const isOpened = name === "open" && element.nodeName === "DETAILS";
    // What a script has set on its own element stays, too.
    const isKept = isOpened || isIgnored(element);
    if (!next.hasAttribute(name) && !isKept) element.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

// Moves a node, if the browser can, without its losing focus and more. A browser may scroll to a
// focused element that is moved, so what contains that one is scrolled back.
function move(node, parent, before) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  const offsets = [...new Set([...selfAndParents(focused), ...selfAndParents(focused && parent)])]
    .map((element) => [element, element.scrollLeft, element.scrollTop]);
  if (parent.moveBefore && parent.isConnected === node.isConnected) parent.moveBefore(node, before);
  else parent.insertBefore(node, before);
  for (const [element, left, top] of offsets) {
    if (element.scrollLeft !== left) element.scrollLeft = left;
    if (element.scrollTop !== top) element.scrollTop = top;
  }
}

function selfAndParents(element) {
  return element ? [element, ...selfAndParents(element.parentElement)] : [];
}

// ---- Which nodes are the same. ------------------------------------------------------------------

// Returns the existing nodes by the new child nodes of a parent.
function matchNodes(parent, present, wanted, scope) {
  const matches = new Map();
  const next = [...wanted.childNodes];
  const isSame = (node, index) => node.nodeName === next[index].nodeName
    && key(node) === key(next[index]);
  if (present.length === next.length && present.every(isSame)) {
    present.forEach((node, index) => matches.set(next[index], node));
    return matches;
  }
  // Elements with keys that are no children of the fragment are found in their parent.
  const others = new Map();
  for (const node of present) {
    if (!key(node) || scope.matched.has(node)) continue;
    const name = `${node.nodeName} ${key(node)}`;
    others.set(name, [...(others.get(name) ?? []), node]);
  }
  for (const node of next) {
    if (!key(node)) continue;
    const match = scope.matches.get(node) ?? others.get(`${node.nodeName} ${key(node)}`)?.shift();
    if (match) matches.set(node, match);
  }
  // Nodes without keys are aligned between the same elements with keys.
  const anchors = new Set([...matches.values()].filter((node) => node.parentNode === parent));
  const runs = runsAfter(present, (node) => anchors.has(node) ? node : null);
  const nextRuns = runsAfter(next, (node) => {
    const match = matches.get(node);
    return anchors.has(match) ? match : null;
  });
  for (const [anchor, run] of nextRuns) align(runs.get(anchor), run, matches);
  return matches;
}

// Returns the nodes without keys that follow each anchor; those at the start follow `null`.
function runsAfter(nodes, anchor) {
  const runs = new Map([[null, []]]);
  let run = runs.get(null);
  for (const node of nodes) {
    if (anchor(node)) runs.set(anchor(node), run = []);
    else if (!key(node)) run.push(node);
  }
  return runs;
}

// Matches nodes by their names: from both ends, and what is between in order.
function align(present, next, matches) {
  const isLike = (i, j) => present[i].nodeName === next[j].nodeName;
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

// Returns the most nodes that are in the order of their positions, and so need not be moved.
function longestInOrder(nodes, positions) {
  const ends = [];               // for each length, the lowest end of a sequence that is in order
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
