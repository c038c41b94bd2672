// Goes from page to page without loading the document again: the new one is fetched, and its body
// takes the place of the old one's. What is in neither its content nor its slots stays as it is.

// The page that is shown; `null` before the script has found one.
let shownPage = null;
// The AbortController of the visit that is under way.
let visiting = null;
// How the user left each entry of the history: how far it was scrolled, which link was used, and what
// was in the fields.
const leftEntries = new Map();
// The entry that is shown, which the browser no longer tells after it has gone to another one.
let shownEntry = null;

function noteEntry(link) {
  if (!shownEntry) return;
  const root = document.querySelector("[data-live]");
  const fields = textFields(root).filter((field) => !field.matches("[type=password]"))
    .map((field) => [field.dataset.liveInput, field.value]);
  leftEntries.set(
    shownEntry, { x: scrollX, y: scrollY, link: link?.getAttribute("href"), fields });
}

// Returns whether a document can take the other's place: it has a live page, the same scripts, and no other
// version of a stylesheet.
function fits(next) {
  const files = (one, selector, name) => [...one.querySelectorAll(selector)]
    .map((element) => element.getAttribute(name));
  const scripts = (one) => files(one, "script[src]", "src").join(" ");
  const styles = (one) => files(one, "link[rel~=stylesheet]", "href");
  const stem = (path) => path.split(".")[0];
  const present = styles(document);
  return Boolean(next.querySelector("[data-live]")) && scripts(next) === scripts(document)
    && styles(next).every((path) => !present.some((own) => own !== path && stem(own) === stem(path)));
}

// Loads the stylesheets that the document does not have yet.
function addStyles(next) {
  const links = [...next.querySelectorAll("link[rel~=stylesheet]")].filter((link) =>
    ![...document.querySelectorAll("link[rel~=stylesheet]")].some((own) => own.getAttribute("href") === link.getAttribute("href")));
  return Promise.all(links.map((link) => new Promise((done) => {
    const own = document.importNode(link);
    own.onload = own.onerror = done;
    document.head.append(own);
  })));
}

function stopVisit() {
  visiting?.abort();
  visiting = null;
  document.documentElement.removeAttribute("data-live-visiting");
}

// Shows the page at an address, with an entry of the history of its own: a new one, or the one that
// the browser has gone to.
async function visit(url, { isNew = true, link = null } = {}) {
  const load = () => isNew ? location.assign(url) : location.reload();
  stopVisit();
  const own = visiting = new AbortController();
  const patience = setTimeout(
    () => document.documentElement.setAttribute("data-live-visiting", ""), 200);
  try {
    // A new page may come while it loads; one that the user goes back to comes with its list, whose
    // scroll position is restored.
    const headers = { Accept: "text/html", "Live-Tab": tab, ...(isNew ? { "Live-Visit": "1" } : {}) };
    const response = await fetch(
      url, { headers, credentials: "same-origin", cache: "no-store", signal: own.signal });
    const isHTML = (response.headers.get("Content-Type") || "").startsWith("text/html");
    if (!response.ok || !isHTML) return load();
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    if (own.signal.aborted) return;
    if (!fits(next)) return load();
    await addStyles(next);
    if (own.signal.aborted) return;
    if (isNew) noteEntry(link);
    // Styles name what moves in the transition by the focus, which a click gives not in every browser.
    link?.focus({ preventScroll: true });
    leavePage();
    const root = next.querySelector("[data-live]");
    const final = new URL(response.url);
    final.hash = new URL(url, location.href).hash;
    setEntry(isNew, pagePath(root), final.href);
    const left = isNew ? null : leftEntries.get(shownEntry);
    await withTransition(() => {
      replaceDocument(next, left);
      arrive(left, final.hash);
    });
  } catch (error) {
    if (own.signal.aborted) return;
    // Without a connection, the browser says so.
    if (!(error instanceof TypeError)) reportError(error);
    load();
  } finally {
    clearTimeout(patience);
    if (own === visiting) stopVisit();
  }
}

function leavePage() {
  shownPage?.leave();
  shownPage = null;
}

function withTransition(change) {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!document.startViewTransition || isCalm || document.hidden) return change();
  const transition = document.startViewTransition(change);
  // It is skipped when another one begins, or the tab is hidden; the change is made nevertheless.
  transition.ready.catch(() => {});
  return transition.updateCallbackDone;
}

// The frame is patched, so that what is in both documents stays; the page's content is new.
function replaceDocument(next, left) {
  document.querySelector("[data-live]")?.remove();
  document.title = next.title;
  for (const name of ["lang", "dir", "class"]) {
    for (const [element, other] of [[document.documentElement, next.documentElement],
      [document.body, next.body]]) {
      if (other.hasAttribute(name)) element.setAttribute(name, other.getAttribute(name));
      else element.removeAttribute(name);
    }
  }
  patchDocument(document.body, next.body);
  // Text that is in no address is sent again when the page starts.
  for (const [name, value] of left?.fields ?? []) {
    const field = textFields(document.querySelector("[data-live]"))
      .find((field) => field.dataset.liveInput === name);
    if (field && field.value !== value) field.value = value;
  }
  shownPage = startPage();
  offerInspector();
}

// Puts the user where a new page begins, or where they left it, and says its title.
function arrive(left, hash) {
  const root = document.querySelector("[data-live]");
  const target = hash && document.getElementById(decoded(hash.slice(1)));
  const focused = root.querySelector("[data-live-focus], [autofocus]")
    ?? (left?.link && [...root.querySelectorAll("a[href]")]
      .find((link) => link.getAttribute("href") === left.link))
    ?? root.querySelector("h1") ?? root;
  if (!focused.matches("a, button, input, select, textarea, [tabindex]")) focused.tabIndex = -1;
  focused.focus({ preventScroll: true });
  if (target) target.scrollIntoView();
  else scrollTo({ left: left?.x ?? 0, top: left?.y ?? 0, behavior: "instant" });
  announcer.textContent = document.title;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// A screen reader announces the title of a page that no document was loaded for. It is outside of
// the body, which is patched.
const announcer = document.createElement("div");

function startVisits() {
  announcer.setAttribute("role", "status");
  announcer.setAttribute("data-live-announcer", "");
  const { style } = announcer;
  for (const [name, value] of Object.entries(
    { position: "absolute", width: "1px", height: "1px", overflow: "hidden", "clip-path": "inset(50%)" })) {
    style.setProperty(name, value);
  }
  document.documentElement.append(announcer);
  shownEntry = history.state?.entry;

  // On the window, so that whatever else handles a click comes first.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || !isPlainClick(event) || !isVisitable(link)) return;
    event.preventDefault();
    visit(link.href, { link });
  });

  addEventListener("popstate", ({ state }) => {
    // A link to another part of the page has made an entry without a state.
    if (!state && shownPage) return setEntry(false, shownPage.path, location.href);
    noteEntry();
    shownEntry = state?.entry ?? null;
    stopVisit();
    if (shownPage && state?.page === shownPage.path) return shownPage.moved();
    // What the old page still receives must not change the address, which is already another one.
    leavePage();
    visit(location.href, { isNew: false });
  });
}

// Returns whether a link leads to another page of this site, in this tab.
function isVisitable(link) {
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || link.hasAttribute("download")) return false;
  if ((link.target && link.target !== "_self") || link.closest("[data-live-load]")) return false;
  // To another part of this document.
  const isHere = url.pathname === location.pathname && url.search === location.search;
  return !(isHere && url.hash);
}
