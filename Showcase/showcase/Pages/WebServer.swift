import Application
import CurlewLive
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
func runWebServer(
  _ sources: DataSources, source: String, controls: [LiveInspector.Control] = [],
  key: SigningKey = .random(), images: ImageRelay? = nil, log: Log = .silent,
  host: String, port: Int,
  clock: any Clock<Duration> = ContinuousClock(), stopsOnSignals: Bool = true,
  onListening: @escaping @Sendable (Int) -> Void
) async throws {
  let layout = PageLayout(source: source)
  let router = Router()
  router.add(middleware: RequestLog(log: log))
  router.add(middleware: MissingPages(layout: layout))
  router.add(LiveAsset.script)
  router.add(PageLayout.stylesheet)
  router.add(PageLayout.cardStyles)
  router.add(PageLayout.script)
  router.add(PageLayout.icon)
  let inspector = LiveInspector(controls: controls)
  router.add(inspector)
  func redirect(_ path: String, to address: String) {
    for method: HTTPRequest.Method in [.get, .head] {
      router.on(RouterPath(path), method: method) { _, _ in
        Response(status: .found, headers: [.location: address])
      }
    }
  }
  func add(_ page: some ShowcasePage) {
    router.add(page, clock: clock, key: key, inspector: inspector) { layout.document($0) }
  }
  if let images {
    for method: HTTPRequest.Method in [.get, .head] {
      router.on("/images/**", method: method) { request, _ in await images.response(to: request) }
    }
  }
  add(HomePage(DogSearch(sources.dogs)))
  for entry in ScreenEntry.all {
    add(entry.page(sources))
    if entry.link != nil, entry.address != entry.path { redirect(entry.path, to: entry.address) }
  }

  var logger = Logger(label: "showcase")
  logger.logLevel = .critical
  let application = Application(
    router: router,
    server: .live(hosts: loopbackNames(of: host)),
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

/// The names under which a browser on this machine may ask for pages; `nil` when the pages are
/// meant for other machines too.
private func loopbackNames(of host: String) -> [String]? {
  let names = ["localhost", "127.0.0.1", "::1"]
  return names.contains(host) ? names : nil
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
