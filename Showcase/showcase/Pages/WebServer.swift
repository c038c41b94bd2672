import Application
import CurlewLive
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Serves the showcase's pages until the task is cancelled or the process is told to stop.
///
/// - Parameters:
///   - tracker: The screen.
///   - source: Says on the pages where the data comes from.
///   - host: The address to listen on.
///   - port: The port to listen on; 0 takes a free one.
///   - stopsOnSignals: Whether Control-C and `SIGTERM` end it gracefully.
///   - onListening: Called with the port once it listens.
/// - Throws: When the address can't be listened on.
func runWebServer(
  tracker: IssueTracker, source: String, host: String, port: Int, stopsOnSignals: Bool = true,
  onListening: @escaping @Sendable (Int) -> Void
) async throws {
  let frame = try Frame(source: source)
  let router = Router()
  router.add(middleware: MissingPages(frame: frame))
  router.add(LiveAsset.script)
  router.add(Frame.stylesheet)
  router.add(Frame.icon)
  router.get("/") { _, _ in Response(status: .found, headers: [.location: "/issues"]) }
  router.add(try IssuesPage(screen: tracker)) { frame.document($0) }

  var logger = Logger(label: "showcase")
  logger.logLevel = .critical
  let application = Application(
    router: router,
    configuration: ApplicationConfiguration(
      address: .hostname(host, port: port), serverName: "Curlew"),
    onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
    logger: logger)
  if stopsOnSignals {
    try await application.runService()
  } else {
    try await application.run()
  }
}

/// Answers an address that leads nowhere with a page instead of nothing.
private struct MissingPages<Context: RequestContext>: RouterMiddleware {
  let frame: Frame

  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      let page = frame.missing(request.uri.path.removingPercentEncoding ?? request.uri.path)
      return Response(
        status: .notFound, headers: .page, body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
    }
  }
}
