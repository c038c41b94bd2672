// ---- The changes of a state. --------------------------------------------------------------------

async function toggle(button, detail, { states }, request) {
  const isOpen = detail.hidden;
  button.setAttribute("aria-expanded", isOpen);
  detail.hidden = !isOpen;
  if (!isOpen) return;
  detail.replaceChildren("Loading…");
  const shown = await Promise.all(states.slice(-5).map(async (n) => {
    const name = `State ${states.indexOf(n) + 1} of ${states.length}`;
    const changes = await loadChanges(n, request);
    return states.length > 1 ? [make("h4", {}, name), changes] : [changes];
  }));
  detail.replaceChildren(...shown.flat());
  detail.parentNode.scrollIntoView({ block: "nearest" });
}

async function loadChanges(n, request) {
  try {
    const response = await request(`/state?n=${n}`);
    if (response.status === 404) return make("p", {}, "This state was removed.");
    const answer = await response.json();
    const changes = listOf(answer?.changes);
    const list = make("ul", { role: "list" }, ...changes.slice(0, 60).map(showChange));
    const more = number(answer?.more, 0) + Math.max(0, changes.length - 60);
    if (more > 0) list.append(make("li", {}, `and ${count(more, "more change")}`));
    if (!changes.length && more > 0) return make("p", {}, `The first state: ${count(more, "value")}.`);
    return list.children.length ? list : make("p", {}, "Nothing has changed.");
  } catch {
    return make("p", {}, "The changes can't be loaded.");
  }
}

function showChange({ path, old, new: next }) {
  const item = make("li", {}, make("code", {}, make("bdi", {}, text(path, 200) || "state")));
  const show = (name, value) => make(name, {}, make("bdi", {}, text(value) || "empty"));
  if (old != null) item.append(" ", show("del", old));
  if (old != null && next != null) item.append(" →");
  if (next != null) item.append(" ", show("ins", next));
  return item;
}
