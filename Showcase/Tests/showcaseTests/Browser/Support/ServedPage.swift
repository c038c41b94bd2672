import CurlewLive
import Hummingbird

/// Serves a page while a closure runs, which receives the port.
///
/// - Parameters:
///   - visitors: Who visits the page; `nil` for anyone.
///   - port: The port to listen on; 0 selects a free port.
///   - prepare: Adds middleware and routes.
func serve<Page: LivePage>(
  _ page: Page, visitors: LiveVisitors<Page.Visitor, BasicRequestContext>? = nil, port: Int = 0,
  limits: LiveLimits = LiveLimits(),
  prepare: (Router<BasicRequestContext>) -> Void = { _ in },
  _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
  let router = Router()
  prepare(router)
  router.add(LiveAsset.script)
  let anyone = LiveVisitors<Page.Visitor, BasicRequestContext>(id: { _ in "" }) { _, _ in
    guard let anyone = Anyone() as? Page.Visitor else { throw LiveRefusal.unauthorized }
    return anyone
  }
  router.add(page, visitors: visitors ?? anyone, limits: limits) { document in
    HTML(
      trusted: """
        <!doctype html><html lang="en"><head><title>\(document.title)</title>\
        <link rel="icon" href="data:,">\(document.head.text)</head>\
        <body>\(document.content.text)<p role="status" data-live-connection>\
        <template>Lost.</template><template data-live-when="held"><i>Held.</i></template></p></body></html>
        """)
  }
  let (ports, port) = (AsyncStream<Int>.makeStream(), port)
  let application = Application(
    router: router, server: .live(),
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
    onServerRunning: { ports.continuation.yield($0.localAddress?.port ?? 0) })
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await application.run() }
    group.addTask {
      guard let port = await ports.stream.first(where: { _ in true }) else { return }
      try await body(port)
    }
    try await group.next()
    group.cancelAll()
  }
}
