// Shows the state of the connection in the element with `data-live-connection`: lost ("lost"), slow server
// ("slow"), or no stream ("held"). The element contains a template for each state.
//
// `retry()` is called when the user requests another attempt, `refocus()` when the focused element is
// removed with the notice.
function connectionNotice(root, on, retry, refocus) {
  const notice = document.querySelector("[data-live-connection]");
  const templates = [...notice?.querySelectorAll("template") ?? []];
  let shown = "";
  let nextTry = 0;
  let ticker = 0;

  function tick() {
    const seconds = Math.max(0, Math.ceil((nextTry - Date.now()) / 1000));
    for (const element of notice.querySelectorAll("[data-live-seconds]")) {
      element.textContent = seconds;
    }
  }

  function content(state) {
    return templates.find((one) => (one.dataset.liveWhen ?? "lost") === state)?.content.cloneNode(true) ?? "";
  }

  on(notice, "click", ({ target }) => {
    if (props(target).closest("[data-live-retry]")) retry();
  });
  return {
    shows: (state) => shown === state,
    set(state) {
      root.toggleAttribute("data-live-lost", state === "lost");
      if (shown === state) return;
      shown = state;
      if (!notice) return;
      clearInterval(ticker);
      const hadFocus = notice.contains(document.activeElement);
      notice.replaceChildren(...templates);
      if (state) notice.append(content(state));
      if (hadFocus) refocus();
      if (state !== "lost") return;
      tick();
      ticker = setInterval(tick, 500);
    },
    show(wait) {
      nextTry = Date.now() + wait;
      this.set("lost");
    },
    hide() { this.set(""); },
  };
}
