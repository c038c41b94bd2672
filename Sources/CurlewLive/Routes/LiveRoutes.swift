import CoreMetrics
public import CurlewScreens
import CurlewSupport
import Foundation
package import HTTPTypes
public import Hummingbird
import NIOCore
import Synchronization

extension Router {
  /// Serves a screen as a page, and keeps it live in browsers that run its script.
  ///
  /// It adds three routes: the page itself, `…/live` for the stream of states (server-sent events),
  /// and `…/events` for the user's actions.
  ///
  /// - Parameters:
  ///   - page: The screen and its rendering.
  ///   - limits: The limits on sessions, connections and messages.
  ///   - clock: The clock for the screens and the limits.
  ///   - images: The origins that images may be loaded from, besides the site's own.
  ///   - media: The origins of video and audio, besides the site's own.
  ///   - fonts: The origins of fonts, besides the site's own.
  ///   - frames: The origins of the documents in `iframe` elements, besides the site's own.
  ///   - key: The key that signs the state that browsers store; all processes that serve the page need the same key.
  ///   - texts: The page's languages, the default language first. A session has the first language that its browser
  ///     accepts (`Accept-Language`), and its page is rendered with the language's texts as
  ///     ``CurlewScreens/UserTexts/current``. By default, the only language is ``CurlewScreens/UserTexts/standard``.
  ///   - writes: The count of the pending writes of all sessions, so that the server can wait for
  ///     them before it exits: a write continues after its browser has disconnected.
  ///   - inspector: An inspector of the page's screens, for development; `nil` for none.
  ///   - frame: A closure that renders the complete document around a screen.
  public func add<Page: LivePage>(
    _ page: Page,
    limits: LiveLimits = LiveLimits(),
    clock: any Clock<Duration> = ContinuousClock(),
    images: [String] = [],
    media: [String] = [],
    fonts: [String] = [],
    frames: [String] = [],
    key: SigningKey = .random(),
    texts: [UserTexts] = [],
    writes: PendingWork = PendingWork(),
    inspector: LiveInspector? = nil,
    frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    let paths = LivePaths.of(self)
    let routes = LiveRoutes(
      page, pages: { paths.expression }, limits: limits, clock: clock,
      fields: .page(images: images, media: media, fonts: fonts, frames: frames), key: key,
      texts: texts, writes: writes, inspector: inspector, frame: frame)
    get(RouterPath(page.path)) { request, _ in try await routes.document(for: request) }
    head(RouterPath(page.path)) { request, _ in
      try await routes.document(for: request).createHeadResponse()
    }
    post(RouterPath(page.path)) { request, _ in try await routes.submission(for: request) }
    for method: HTTPRequest.Method in [.put, .patch, .delete, .options] {
      on(RouterPath(page.path), method: method) { request, _ in routes.notAllowed(request) }
    }
    paths.add(page.path)
    let base = page.path == "/" ? "" : page.path
    get(RouterPath(base + "/live")) { request, _ in routes.stream(for: request) }
    if let inspector { routes.addInspector(inspector, to: self, at: base) }
    post(RouterPath(base + "/events")) { request, _ in try await routes.respond(to: request) }
  }
}

/// The three routes of one page.
package final class LiveRoutes<Page: LivePage>: Sendable {
  typealias Session = LiveSession<Page.Content>

  let page: Page
  /// Returns a regular expression for the paths of all live pages.
  let pages: @Sendable () -> String
  /// The version of the page's documents: the fingerprint of the page's version and of the script.
  let build: String
  let limits: LiveLimits
  let clock: any Clock<Duration>
  let fields: HTTPFields
  let key: SigningKey
  let texts: [UserTexts]
  let writes: PendingWork
  let inspector: LiveInspector?
  let frame: @Sendable (LiveDocument) -> HTML
  package let sessions: LiveSessions<Page.Content>
  let events: Counter
  /// The latest rendering of the state that all browsers share, by language index.
  let sharedViews = Mutex<[Int: SharedView<Page.Content.State>]>([:])

  package init(
    _ page: Page, pages: @escaping @Sendable () -> String = { "" }, limits: LiveLimits,
    clock: any Clock<Duration>, fields: HTTPFields = .page, key: SigningKey,
    texts: [UserTexts] = [], writes: PendingWork,
    inspector: LiveInspector? = nil,
    frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    self.page = page
    self.pages = pages
    build = LiveAsset.fingerprint("\(LiveAsset.script.path) \(page.version)".utf8)
    self.fields = fields
    self.limits = limits
    self.clock = clock
    self.key = key
    self.texts = texts
    self.writes = writes
    self.inspector = inspector
    self.frame = frame
    sessions = LiveSessions(
      page.screen, activity: page.activity, limits: limits, clock: clock, writes: writes,
      path: page.path,
      isInspected: inspector != nil, isShared: page.isShared)
    events = Counter(label: "curlew.live.events", dimensions: [("page", page.path)])
  }

  /// Returns the index of the page's language that a browser accepts.
  func language(of fields: HTTPFields) -> Int {
    guard texts.count > 1 else { return 0 }
    let wanted = WeightedValues(fields[.acceptLanguage]).preferred
    let language = UserTexts.preferred(of: texts, for: wanted).language
    return texts.firstIndex { $0.language == language } ?? 0
  }

  /// Calls a closure with a language's texts as the current texts.
  func show<Value>(in language: Int, _ body: () throws -> Value) rethrows -> Value {
    texts.isEmpty ? try body() : try texts[language].show(body)
  }

  /// Sends a screen the events of an address.
  func navigate(
    _ runner: Runner<Page.Content>, to query: LiveQuery, _ address: String,
    _ timeline: Timeline?
  ) {
    guard !page.isShared else { return runner.begin() }
    let send = { [page] in
      let events = page.events(for: query, in: runner.state)
      // The first event starts the screen itself, so that the screen loads nothing that the event then replaces.
      if events.isEmpty { runner.begin() }
      for event in events { runner.send(event) }
    }
    if let timeline { timeline.opens(address, by: send) } else { send() }
  }
}

/// Returns an error response with a plain-text explanation.
func refusal(_ status: HTTPResponse.Status, _ text: String) -> Response {
  let fields: HTTPFields = [
    .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
    .contentSecurityPolicy: "default-src 'none'", .xContentTypeOptions: "nosniff",
  ]
  return Response(
    status: status, headers: fields,
    body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
}

extension Response {
  /// A response without content, for a request that was applied.
  static var done: Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }

  /// Returns a JSON response that caches don't store.
  static func json(_ content: ByteBuffer) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: content))
  }
}
