// ---- The wire: received updates and sent requests, verbatim. ------------------------------------

function makeWire(view) {
  const [most, longest] = [60, 20_000];

  function add(kind, title, words) {
    const code = make("code", {}, words.slice(0, longest));
    const copy = makeButton("Copy");
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(words);
        copy.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        copy.textContent = "Selected";
      }
    });
    const rest = words.length - longest;
    view.wire.prepend(make("li", {}, make("details", {},
      make("summary", {}, make("b", {}, kind), " ", title),
      make("div", { class: "bytes" }, make("pre", { tabindex: "0" }, code,
        rest > 0 ? `\n… and ${count(rest, "more character")}` : ""), copy))));
    while (view.wire.children.length > most) view.wire.lastChild.remove();
    view.nothing.hidden = true;
  }

  // Only updates from the stream have a text; states in responses don't.
  function patched({ detail }) {
    if (!detail.text) return;
    add("patch", bytes(new Blob([detail.text]).size), `event: state\ndata: ${detail.text}`);
  }

  function choose(isWire) {
    view.timeline.hidden = isWire;
    view.wirePane.hidden = !isWire;
    view.wireButton.setAttribute("aria-pressed", isWire);
  }

  document.addEventListener("live:state", patched);
  view.wireButton.addEventListener("click", () => choose(view.wirePane.hidden));
  choose(false);
  return {
    receive(entries) {
      for (const { curl, attempt } of entries) {
        if (typeof curl !== "string" || !curl) continue;
        const [, address = ""] = /(https?:[^\s'\\]+)/.exec(curl) ?? [];
        const nth = number(attempt, 1);
        add("request", (nth > 1 ? `attempt ${nth}: ` : "") + text(address, 200), curl);
      }
    },
    clear() {
      view.wire.replaceChildren();
      view.nothing.hidden = false;
    },
    close() { document.removeEventListener("live:state", patched); },
  };
}
