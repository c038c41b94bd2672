import CurlewLive
import CurlewScreens
import CurlewTesting
import Hummingbird
import NIOCore
import Synchronization
import Testing

/// A screen whose state is a random tree.
struct PatchScreen: Screen {
  enum Event: Sendable {
    case start(seed: UInt64)
    /// Changes the tree randomly.
    case step
    /// Sets the title of the element with a key.
    case title(key: String)
    /// The user has typed in the field with a key.
    case type(key: String, text: String)
  }

  /// The current state, for rendering it from scratch.
  final class Newest: Sendable {
    let tree = Mutex(RandomTree(seed: 0))
  }

  let newest = Newest()

  var initial: RandomTree { RandomTree(seed: 0) }

  func handle(_ event: Event, _ state: inout RandomTree, _ work: inout Work<RandomTree>) {
    switch event {
    case .start(let seed): state = RandomTree(seed: seed)
    case .step: state.step()
    case .title(let key):
      state.count += 1
      state.set("title", to: "\(state.count)", of: key)
    case .type(let key, let text): state.set("value", to: text, of: key)
    }
    newest.tree.withLock { [state] in $0 = state }
  }
}

/// The page of the tree: `/patches?seed=7`.
///
/// The field `#step` triggers a change of the tree, because a click would move the focus.
struct PatchPage: LivePage {
  let screen = PatchScreen()
  let path = "/patches"

  func events(for query: LiveQuery, in state: RandomTree) -> [PatchScreen.Event] {
    [.start(seed: query["seed"].flatMap { UInt64($0) } ?? 0)]
  }

  func event(for action: LiveAction) -> PatchScreen.Event? {
    switch action.name {
    case "step": .step
    case "title": .title(key: action.value)
    default: .type(key: action.name, text: action.value)
    }
  }

  func address(of state: RandomTree) -> LiveAddress {
    LiveAddress(["seed": "\(state.seed)"])
  }

  func title(of state: RandomTree) -> String { "Change \(state.count)" }

  func render(_ state: RandomTree, _ activity: ScreenActivity) -> HTML {
    var pieces: [LivePiece] = []
    let tree = RandomTree.Node(tag: "main", children: state.nodes).html(&pieces)
    return HTML(
      trusted: """
        <input id="step" hidden data-live-input="step">\
        <input id="title" hidden data-live-input="title">\
        <output id="count">\(state.count)</output>\(tree)
        """, pieces: pieces)
  }
}

/// The page on loopback, and the browser's requests.
struct PatchSite {
  let browser: Browser
  let origin: String
  fileprivate let log: PatchLog

  /// The addresses of all requests.
  var addresses: [String] { log.addresses.withLock { $0 } }
}

private final class PatchLog: Sendable {
  let addresses = Mutex<[String]>([])
}

/// Records the address of each request.
private struct PatchLogger<Context: RequestContext>: RouterMiddleware {
  let log: PatchLog

  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    log.addresses.withLock { $0.append(request.uri.string) }
    return try await next(request, context)
  }
}

/// Runs a closure with a browser and the page, and stops the server.
func withPatchSite(_ body: @escaping @Sendable (PatchSite) async throws -> Void) async throws {
  let browsers = try #require(DrivenByChrome.browsers)
  let (page, log) = (PatchPage(), PatchLog())
  try await serve(
    page,
    prepare: { router in
      router.add(middleware: PatchLogger(log: log))
      router.get("/fresh") { _, _ in
        page.render(page.screen.newest.tree.withLock { $0 }, ScreenActivity()).text
      }
    }
  ) { port in
    try await browsers.withBrowser(Browser.Options()) { browser in
      try await body(PatchSite(browser: browser, origin: "http://127.0.0.1:\(port)", log: log))
    }
  }
}
