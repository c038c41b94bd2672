// Navigates between pages without loading a document: the new document is fetched, and its body replaces
// the current body's content. Elements of the frame that are in both documents are kept.

// The current page; `null` before the script has found a page.
let shownPage = null;
// The AbortController of the visit in progress.
let visiting = null;
// The state in which the user left each history entry: the scroll position, the link that was used, and the
// text of the fields.
const leftEntries = new Map();
// The name of the current history entry, because `popstate` events don't contain the previous entry.
let shownEntry = null;

function noteEntry(link) {
  if (!shownEntry) return;
  const fields = storableTexts(document.querySelector("[data-live]"));
  leftEntries.set(shownEntry, { x: scrollX, y: scrollY, link: link?.getAttribute("href"), fields });
}

// Returns whether a document can replace the current document without a page load: it has a live page, the same visitor
// and scripts, and no other version of a current stylesheet.
function fits(next) {
  const files = (one, selector, name) => [...one.querySelectorAll(selector)]
    .map((element) => element.getAttribute(name));
  const identity = (one) => visitorOf(one.querySelector("[data-live]")) + files(one, "script[src]", "src");
  const styles = (one) => files(one, "link[rel~=stylesheet]", "href");
  const stem = (path) => path.split(".")[0];
  const present = styles(document);
  return identity(next) === identity(document)
    && styles(next).every((path) => !present.some((own) => own !== path && stem(own) === stem(path)));
}

// In the head, text would end the head.
const bodyWithTextInNoscript = (html) => html.replace(/<body\b[^]*/i, withTextInNoscript);

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

// Shows the page at an address, in a new history entry or in the entry that the browser has navigated to.
async function visit(url, { isNew = true, link = null } = {}) {
  const load = () => isNew ? location.assign(url) : location.reload();
  stopVisit();
  const own = visiting = new AbortController();
  const visitTimer = setTimeout(
    () => document.documentElement.setAttribute("data-live-visiting", ""), 200);
  try {
    // A new page may be sent before its content is loaded. On back and forward, the server waits for the
    // content, so that the scroll position can be restored.
    const headers = { Accept: "text/html", "Live-Tab": tab, ...(isNew ? { "Live-Visit": "1" } : {}) };
    const response = await fetch(
      url, { headers, credentials: "same-origin", cache: "no-store", signal: own.signal });
    const isHTML = (response.headers.get("Content-Type") || "").startsWith("text/html");
    if (!response.ok || !isHTML) return load();
    const next = new DOMParser().parseFromString(bodyWithTextInNoscript(await response.text()), "text/html");
    if (own.signal.aborted) return;
    if (!fits(next)) return load();
    await addStyles(next);
    if (own.signal.aborted) return;
    if (isNew) noteEntry(link);
    // Styles select the elements of the view transition by `:focus`, and not every browser focuses a clicked
    // link.
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
    // On a network error, the page load shows the browser's error page.
    if (!(error instanceof TypeError)) reportError(error);
    load();
  } finally {
    clearTimeout(visitTimer);
    if (own === visiting) stopVisit();
  }
}

function leavePage() {
  shownPage?.leave();
  shownPage = null;
}

function withTransition(change) {
  const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!document.startViewTransition || prefersReducedMotion || document.hidden) return change();
  const transition = document.startViewTransition(change);
  // Rejected if another transition starts or the tab is hidden; the change is made nevertheless.
  transition.ready.catch(() => {});
  return transition.updateCallbackDone;
}

// Patches the frame, so that elements in both documents are kept, and replaces the page's content.
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
  // Restores text that the address doesn't contain; the page sends it when it starts.
  restoreTexts(document.querySelector("[data-live]"), left?.fields);
  shownPage = startPage();
  offerInspector();
}

// Focuses and scrolls to the start of a new page, or to where the user left it, and announces its title.
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

// Announces the title of a visited page to screen readers, which only do so themselves when a document is
// loaded. It is outside of the body, because visits patch the body.
const announcer = document.createElement("div");

function startVisits() {
  announcer.setAttribute("role", "status");
  announcer.setAttribute("data-live-announcer", "");
  announcer.style.cssText = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
  document.documentElement.append(announcer);
  shownEntry = history.state?.entry;

  // On the window, so that other click handlers run first.
  addEventListener("click", (event) => {
    const link = props(event.target).closest?.("a[href]");
    if (!link || event.defaultPrevented || !isPlainClick(event) || !isVisitable(link)) return;
    event.preventDefault();
    visit(link.href, { link });
  });

  addEventListener("popstate", ({ state }) => {
    // A link to another part of the page has created an entry without a state.
    if (!state && shownPage) return setEntry(false, shownPage.path, location.href);
    noteEntry();
    shownEntry = state?.entry ?? null;
    stopVisit();
    if (shownPage && state?.page === shownPage.path) return shownPage.moved(leftEntries.get(shownEntry));
    // Late updates of the old page must not change the address, which already belongs to the new page.
    leavePage();
    visit(location.href, { isNew: false });
  });
}

// Returns whether an address belongs to a live page of this site. The script requests no other address, because a
// file's address may work only once.
const isLivePage = (url) => url.origin === location.origin
  && new RegExp(document.querySelector("[data-live]")?.dataset.livePages).test(url.pathname);

// Returns whether a link leads to another page of this site, in this tab.
function isVisitable(link) {
  const url = new URL(link.href, location.href);
  if (!isLivePage(url) || link.hasAttribute("download")) return false;
  if ((link.target && link.target !== "_self") || link.closest("[data-live-load]")) return false;
  // Whether the link leads to another part of this document.
  const isHere = url.pathname === location.pathname && url.search === location.search;
  return !(isHere && url.hash);
}
