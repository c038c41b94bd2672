// Says that the connection is lost, in the document's element for that, which has a template.
//
// `retry()` is called when the user asks for another attempt, `refocus()` when the focus was in what
// goes away.
function lostNotice(root, on, retry, refocus) {
  const notice = document.querySelector("[data-live-connection]");
  const words = notice?.querySelector("template");
  let nextTry = 0;
  let ticker = 0;

  function tick() {
    const seconds = Math.max(0, Math.ceil((nextTry - Date.now()) / 1000));
    for (const element of notice.querySelectorAll("[data-live-seconds]")) {
      element.textContent = seconds;
    }
  }

  on(notice, "click", ({ target }) => {
    if (target.closest("[data-live-retry]")) retry();
  });
  return {
    show(wait) {
      nextTry = Date.now() + wait;
      root.setAttribute("data-live-lost", "");
      if (!words || ticker) return;
      notice.append(words.content.cloneNode(true));
      tick();
      ticker = setInterval(tick, 500);
    },
    hide() {
      root.removeAttribute("data-live-lost");
      if (!ticker) return;
      clearInterval(ticker);
      ticker = 0;
      const hadFocus = notice.contains(document.activeElement);
      notice.replaceChildren(words);
      if (hadFocus) refocus();
    },
  };
}
