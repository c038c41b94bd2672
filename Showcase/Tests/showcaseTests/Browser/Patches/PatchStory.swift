/// The report of a story's script in the browser.
struct PatchReport: Decodable, Sendable {
  let problems: [String]
  /// The number of checks, by kind, whose element was still present after a change.
  let kept: [String: Int]
}

extension Browser {
  /// Uses the page randomly while it changes, and compares it with a fresh rendering each time.
  func tellPatchStory(seed: UInt64, steps: Int) async throws -> PatchReport {
    try await run(
      patchScript + "return story(Number(arguments[0]), Number(arguments[1]));",
      "\(seed % 1_000_000)", "\(steps)", returning: PatchReport.self)
  }

  /// Removes an element with a key, triggers a change of it, and reports whether it is restored.
  func removeAndChange() async throws -> PatchReport {
    try await run(patchScript + "return removal();", returning: PatchReport.self)
  }
}

private let patchScript = """
  const root = document.querySelector("#live");
  const key = (element) => element.id || element.dataset.key || "";
  const nameOf = (element, top) => {
    const keys = [];
    for (let one = element; one !== top; one = one.parentNode) if (key(one)) keys.unshift(key(one));
    return `${element.nodeName} ${keys.join("/")}`;
  };
  const keyed = (top) => new Map([...top.querySelectorAll("[id], [data-key]")]
    .map((element) => [nameOf(element, top), element]));

  // The compared markup excludes text typed by the user, and whether details are open.
  const normalized = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
    const attributes = [...node.attributes]
      .filter(({ name }) => !(node.nodeName === "DETAILS" && name === "open"))
      .map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).sort();
    return `<${node.nodeName}${attributes.join("")}>${content(node)}</>`;
  };
  const content = (node) => [...node.childNodes].map(normalized).join("");

  const fresh = async () => {
    const template = document.createElement("template");
    template.innerHTML = await (await fetch("/fresh")).text();
    return template.content;
  };

  const compare = async (problems) => {
    const wanted = await fresh();
    const [there, expected] = [content(root), content(wanted)];
    if (there === expected) return wanted;
    let start = 0;
    while (there[start] === expected[start]) start += 1;
    const cut = (text) => text.slice(Math.max(0, start - 60), start + 90);
    problems.push(`${cut(there)} instead of ${cut(expected)}`);
    return wanted;
  };

  // Types a text into a field, with an event as the browser sends it.
  const type = (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // Sends an action, and waits for the state that includes it.
  const act = (name, value) => new Promise((resolve, reject) => {
    const count = String(Number(root.querySelector("#count").textContent) + 1);
    const timer = setTimeout(() => reject(new Error("no state within 180 s")), 180_000);
    const look = () => {
      if (root.querySelector("#count").textContent !== count) return;
      clearTimeout(timer);
      root.removeEventListener("live:state", look);
      resolve();
    };
    root.addEventListener("live:state", look);
    type(root.querySelector(name), value);
  });

  const prepare = () => {
    // All elements are in view, and small scroll containers have content to scroll.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { font: 5px/5px sans-serif; margin: 0; padding: 0; border-width: 1px }
      .scroller { height: 10px; overflow: auto; overflow-anchor: none }
      .scroller::after { content: ""; display: block; height: 90px }`);
    document.adoptedStyleSheets = [sheet];
  };

  const story = async (seed, steps) => {
    prepare();
    const problems = [];
    const kept = { element: 0, focus: 0, selection: 0, text: 0, scroll: 0, opened: 0 };
    // A linear congruential generator (Numerical Recipes).
    const chance = (times) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor(seed / 2 ** 32 * times);
    };
    let markup = keyed(await fresh());
    for (let step = 1; step <= steps && problems.length < 3; step += 1) {
      const before = keyed(root);
      const pick = (selector) => {
        const found = [...before].filter(([, element]) => element.matches(selector));
        return found.length ? found[chance(found.length)] : [];
      };
      const tell = (what) => problems.push(`step ${step}: ${what}`);
      const checks = [];      // names of elements, with conditions for the elements that are still present

      const [name, field] = pick("input:not([hidden])");
      field?.focus();
      const active = document.activeElement;
      if (field && active === field) {
        if (chance(2)) type(field, `typed ${step}`);
        const [text, start] = [field.value, chance(4)];
        field.setSelectionRange(start, start + chance(4));
        const end = field.selectionEnd;
        // A disclosure that the page has closed hides the field.
        checks.push([name, () => document.activeElement === field || !field.checkVisibility(),
          "focus"]);
        checks.push([name, () => !text.startsWith("typed") || field.value === text, "text"]);
        // Chromium forgets the selection of a field that it does not render.
        checks.push([name, () => field.value !== text || !field.checkVisibility()
          || (field.selectionStart === Math.min(start, text.length) && field.selectionEnd === end),
          "selection"]);
      }
      const [draft, unsent] = pick("input:not([data-live-input])");
      if (unsent && unsent !== field && chance(2)) {
        unsent.value = `draft ${step}`;
        checks.push([draft, () => unsent.value === `draft ${step}`, "text"]);
      }
      const [list, scroller] = pick(".scroller");
      if (scroller?.clientHeight) {
        scroller.scrollTop = chance(60);
        const top = scroller.scrollTop;
        // If the focused element is removed, the browser scrolls to the newly focused element.
        checks.push([list, () => document.activeElement !== active || !scroller.clientHeight
          || scroller.scrollTop === Math.min(top, scroller.scrollHeight - scroller.clientHeight),
          "scroll"]);
      }
      const [disclosure, details] = pick("details");
      if (details) {
        details.open = true;
        checks.push([disclosure, () => details.open || closed(disclosure), "opened"]);
      }

      await act("#step", String(step));
      const closed = (name) => markup?.get(name)?.open && !expected.get(name)?.open;
      const expected = keyed(await compare(problems));
      const after = keyed(root);
      for (const [name, element] of before) {
        if (!expected.has(name)) continue;
        if (after.get(name) === element) kept.element += 1;
        else tell(`${name} is another element`);
      }
      for (const [name, holds, what] of checks) {
        if (!expected.has(name)) continue;
        if (holds()) kept[what] += 1;
        else tell(`${name} has lost its ${what}`);
      }
      markup = expected;
    }
    return { problems, kept };
  };

  const removal = async () => {
    const problems = [];
    const [name, removed] = [...keyed(root)].find(([, one]) => one.matches("div, ul, table, p"));
    removed.remove();
    const key = name.split(/[ /]/).pop();
    await act("#title", key);
    await compare(problems);
    const isBack = keyed(root).get(name)?.title === "1";
    return { problems, kept: { element: isBack ? 1 : 0 } };
  };

  """
