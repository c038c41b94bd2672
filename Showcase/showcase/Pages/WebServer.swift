import Application
package import CurlewLive
package import CurlewScreens
import Foundation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// Serves the showcase's pages until the task is cancelled or the process receives a termination
/// signal.
///
/// - Parameters:
///   - sources: The data sources of the screens.
///   - source: A text about the data source, shown on the pages.
///   - accounts: The users who can sign in; `nil` if nobody can.
///   - controls: The controls with which visitors can change the servers.
///   - traces: The recorder of the screens.
///   - key: The key that signs the state stored in browsers.
///   - fleet: The servers of the same pages; `nil` for this one alone.
///   - metrics: Returns the response with the metrics, at `/metrics`; `nil` for none.
///   - images: The proxy for the images in the data; `nil` without images.
///   - log: The log for requests.
///   - host: The address to listen on.
///   - port: The port to listen on; 0 selects a free port.
///   - clock: The clock of the screens.
///   - stopsOnSignals: Whether Control-C and `SIGTERM` stop the server gracefully.
///   - onListening: Called with the port when the server listens.
/// - Throws: An error if listening on the address fails.
package func runWebServer(
  _ sources: DataSources, source: String, accounts: Accounts? = nil,
  controls: [LiveInspector.Control] = [], traces: TraceRecorder? = nil,
  key: SigningKey = .random(), fleet: LiveFleet? = nil, metrics: (@Sendable () -> Response)? = nil,
  images: ImageRelay? = nil, log: Log = .silent,
  host: String, port: Int,
  clock: any Clock<Duration> = ContinuousClock(), stopsOnSignals: Bool = true,
  onListening: @escaping @Sendable (Int) -> Void
) async throws {
  // Detects template errors at startup instead of at the first request.
  for view in templateViews { view.check() }
  let layout = PageLayout(source: source, hasAccounts: accounts != nil)
  let loopback = ["localhost", "127.0.0.1", "::1"]
  let signIn = accounts.map {
    SignInPages(
      accounts: $0, cookie: SessionCookie(isSecure: !loopback.contains(host)), layout: layout)
  }
  let router = Router()
  router.add(middleware: RequestLog(log: log))
  if let signIn { router.add(middleware: CurrentUser(pages: signIn)) }
  router.add(middleware: MissingPages(layout: layout))
  for asset in [
    LiveAsset.script, PageLayout.stylesheet, PageLayout.cardStyles, PageLayout.homeStyles,
    PageLayout.accountStyles,
    PageLayout.markdownStyles,
    PageLayout.script, PageLayout.extras,
  ] { router.add(asset) }
  let inspector = LiveInspector(
    controls: controls, scenarios: controls.isEmpty ? [] : .sandbox, code: sourceLines,
    recorder: traces)
  router.add(inspector)
  let visitors = signIn?.visitors ?? SignInPages.Visitors(id: { _ in "" }) { _, _ in nil }
  signIn?.add(to: router, visitors)
  func add<Page: ShowcasePage>(
    _ page: Page, own: @escaping @Sendable (DataSources) -> (any ShowcasePage)? = { _ in nil }
  ) {
    let page = AccountPage(page: page) { user in
      accounts?.sources(of: user).flatMap { (own($0) as? Page)?.screen }
    }
    router.add(
      page, visitors: visitors, clock: clock, key: key, fleet: fleet, inspector: inspector
    ) { layout.document($0) }
  }
  add(HomePage(sources.dogs, clock: sources.clock))
  for entry in ScreenEntry.all { add(entry.page(sources), own: entry.page) }
  add(BoardPage(Board(host: sources.host), isOffline: sources.isOffline))
  // nginx stops sending requests to a server that shuts down.
  let readiness = LiveReadiness(drainTime: fleet == nil ? .zero : .seconds(1))
  router.add(readiness)
  if let metrics { router.get("/metrics") { _, _ in metrics() } }
  for method: HTTPRequest.Method in [.get, .head] {
    if let images {
      router.on("/images/**", method: method) { request, _ in await images.response(to: request) }
    }
    for entry in ScreenEntry.all where entry.link != nil && entry.address != entry.path {
      router.on(RouterPath(entry.path), method: method) { _, _ in
        Response(status: .found, headers: [.location: entry.address])
      }
    }
  }

  var logger = Logger(label: "showcase")
  logger.logLevel = .critical
  let application = Application(
    router: router,
    // Only servers for other machines accept requests with any host name.
    server: .live(
      hosts: loopback.contains(host) ? loopback : nil,
      proxies: fleet == nil ? .none : try TrustedProxies(["127.0.0.1", "::1"])),
    configuration: ApplicationConfiguration(
      address: .hostname(host, port: port)),
    onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
    logger: logger)
  guard stopsOnSignals else { return try await application.run() }
  var group = ServiceGroupConfiguration(
    services: (fleet.map { [$0] } ?? [] as [any Service]) + [application, readiness],
    gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
  // A client that stalls in the middle of a request must not delay the shutdown.
  group.maximumGracefulShutdownDuration = .seconds(3)
  try await ServiceGroup(configuration: group).run()
}

/// Responds with a page to requests for unknown addresses.
private struct MissingPages<Context: RequestContext>: RouterMiddleware {
  let layout: PageLayout

  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      let page = layout.missing(request.uri.path.removingPercentEncoding ?? request.uri.path)
      let response = Response(
        status: .notFound, headers: .page,
        body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
      return request.method == .head ? response.createHeadResponse() : response
    }
  }
}
