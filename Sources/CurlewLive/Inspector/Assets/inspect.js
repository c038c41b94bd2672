// The inspector: a drawer whose script is loaded when the user opens it with a button in the frame.

// The object that closes the open inspector; `null` while it is closed.
let openInspector = null;

const inspectorStore = "live:inspector-open";

// Shows the inspector buttons on pages that have an inspector. Returns the paths of its files.
function offerInspector() {
  const files = document.querySelector("[data-live]")?.dataset.liveInspector;
  for (const button of all(document, "inspect")) {
    button.hidden = !files;
    button.setAttribute("aria-expanded", String(Boolean(openInspector)));
  }
  return files?.split(" ");
}

async function toggleInspector(isAsked = true) {
  if (openInspector) return openInspector.close();
  const files = offerInspector();
  if (!files) return;
  const opener = document.activeElement;
  // Outside of the body, because visits patch the body.
  const host = document.createElement("aside");
  host.setAttribute("aria-label", "Inspector");
  // Keys pressed in the inspector must not trigger the page's shortcuts.
  host.addEventListener("keydown", (event) => event.stopPropagation());
  openInspector = { close() {} };
  try {
    const { open } = await import(files[0]);
    document.documentElement.append(host);
    openInspector = open({
      path: () => shownPage?.path ?? "",
      identity: () => shownPage?.identity() ?? {},
      stylesheet: files[1],
      opener: isAsked ? opener : null,
      host,
      onClose() {
        host.remove();
        openInspector = null;
        rememberInspector(false);
        offerInspector();
        document.querySelector("[data-live-inspect]")?.focus();
      },
    });
    rememberInspector(true);
  } catch (error) {
    openInspector = null;
    reportError(error);
  }
  offerInspector();
}

function rememberInspector(isOpen) {
  withStorage(() => isOpen ? sessionStorage.setItem(inspectorStore, "") : sessionStorage.removeItem(inspectorStore));
}

function startInspector() {
  offerInspector();
  document.addEventListener("click", ({ target }) => {
    if (props(target).closest?.("[data-live-inspect]")) toggleInspector();
  });
  if (withStorage(() => sessionStorage.getItem(inspectorStore)) === "") toggleInspector(false);
}
