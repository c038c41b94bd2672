import Application
package import CurlewLive
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// Serves the showcase's pages until the task is cancelled or the process is told to stop.
///
/// - Parameters:
///   - sources: Where the screens get their data from.
///   - source: Says on the pages where the data comes from.
///   - controls: What a visitor can change of the servers.
///   - key: The key that signs what browsers keep.
///   - images: Streams the images of the data through; `nil` when there are none.
///   - log: Where a line is written for each request.
///   - host: The address to listen on.
///   - port: The port to listen on; 0 takes a free one.
///   - clock: The clock of the screens.
///   - stopsOnSignals: Whether Control-C and `SIGTERM` end it gracefully.
///   - onListening: Called with the port once it listens.
/// - Throws: When the address can't be listened on.
package func runWebServer(
  _ sources: DataSources, source: String, controls: [LiveInspector.Control] = [],
  key: SigningKey = .random(), images: ImageRelay? = nil, log: Log = .silent,
  host: String, port: Int,
  clock: any Clock<Duration> = ContinuousClock(), stopsOnSignals: Bool = true,
  onListening: @escaping @Sendable (Int) -> Void
) async throws {
  // Now, and not when somebody comes to its page.
  for view in templateViews { view.check() }
  let layout = PageLayout(source: source)
  let router = Router()
  router.add(middleware: RequestLog(log: log))
  router.add(middleware: MissingPages(layout: layout))
  for asset in [
    LiveAsset.script, PageLayout.stylesheet, PageLayout.cardStyles, PageLayout.homeStyles,
    PageLayout.markdownStyles,
    PageLayout.script, PageLayout.extras, PageLayout.icon,
  ] { router.add(asset) }
  let inspector = LiveInspector(
    controls: controls, scenarios: controls.isEmpty ? [] : .sandbox, code: sourceLines)
  router.add(inspector)
  func add(_ page: some ShowcasePage) {
    router.add(page, clock: clock, key: key, inspector: inspector) { layout.document($0) }
  }
  add(HomePage(sources.dogs, clock: sources.clock))
  for entry in ScreenEntry.all { add(entry.page(sources)) }
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

  let loopback = ["localhost", "127.0.0.1", "::1"]
  var logger = Logger(label: "showcase")
  logger.logLevel = .critical
  let application = Application(
    router: router,
    // Only pages that are meant for other machines too may be asked for under any name.
    server: .live(hosts: loopback.contains(host) ? loopback : nil),
    configuration: ApplicationConfiguration(
      address: .hostname(host, port: port)),
    onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
    logger: logger)
  guard stopsOnSignals else { return try await application.run() }
  var group = ServiceGroupConfiguration(
    services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
  // A client that stalls in the middle of a request must not hold the process up.
  group.maximumGracefulShutdownDuration = .seconds(3)
  try await ServiceGroup(configuration: group).run()
}

/// Responds with a page where an address leads nowhere.
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
