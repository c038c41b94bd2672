import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Synchronization

/// All simulated servers at one address; logs each API request and delays its response.
final class Sites: Sendable {
  private struct State {
    var options: Sandbox.Options
    /// The options of visitors that have their own options.
    var visitors = VisitorTable<Sandbox.Options>()
    var random: SeededGenerator
    var baseURL = ""
  }

  let log = RequestLog()
  private let images = Images()
  private let gitHub: GitHub
  private let iTunes: ITunes
  private let tmdb: TMDB
  private let kennel = Kennel()
  private let state: Mutex<State>

  init(options: Sandbox.Options) {
    let now = options.now()
    gitHub = GitHub(now: now, clock: options.clock)
    (iTunes, tmdb) = (ITunes(now: now), TMDB(now: now))
    state = Mutex(State(options: options, random: SeededGenerator(seed: options.seed)))
  }

  var options: Sandbox.Options { state.withLock { $0.options } }

  func options(of visitor: String?) -> Sandbox.Options {
    state.withLock { state in visitor.flatMap { state.visitors[$0] } ?? state.options }
  }

  var visitorOptions: [Sandbox.Options] {
    state.withLock { state in state.visitors.visitors.compactMap { state.visitors[$0] } }
  }

  func update(for visitor: String? = nil, _ change: (inout Sandbox.Options) -> Void) {
    state.withLock { state in
      guard let visitor else { return change(&state.options) }
      var options = state.visitors[visitor] ?? state.options
      change(&options)
      state.visitors.set(options, of: visitor)
    }
  }

  var visitors: [String] { state.withLock { $0.visitors.visitors } }

  /// Sets the base URL, which is known after the port is bound.
  func isListening(at baseURL: String) { state.withLock { $0.baseURL = baseURL } }

  /// The maximum size of a request body, in bytes.
  private static let maximumContentSize = 256 * 1024

  func respond(to request: Request) async -> Response {
    if let refusal = request.refusal { return refusal }
    let site = site(for: request.uri.path)
    // On the real servers, images have other hosts: no limits, failures or delays apply to them.
    if site is Images { return response(to: request, from: site) }
    let id = log.add(
      .init(
        method: request.method.rawValue, path: request.uri.path,
        query: request.uri.query.map { RequestLog.masked($0) }))
    var request = request
    guard let content = try? await request.collectBody(upTo: Self.maximumContentSize) else {
      return GitHub.error(.contentTooLarge, "Payload too big")
    }
    let options = options(of: request.visitor)
    let latency = options.latency + (site is Kennel ? Kennel.slowness : .zero)
    if latency > .zero {
      // Stopping the sandbox ends the delay early.
      try? await cancelWhenGracefulShutdown {
        try await options.clock.sleep(for: latency, tolerance: nil)
      }
    }
    if let end = self.options(of: request.visitor).outageEnd, options.now() < end {
      return Response(status: .ok, body: ResponseBody { _ in throw Outage() })
    }
    let response = response(to: request, from: site, Data(content.readableBytesView))
    log.setStatus(response.status.code, of: id)
    return response
  }

  /// Reads the options after the delay, so that changes during the delay apply.
  private func response(
    to request: Request, from site: any Site, _ content: Data = Data()
  ) -> Response {
    let (request, fails) = state.withLock { state in
      let own = request.visitor.flatMap { state.visitors[$0] }
      let options = own ?? state.options
      let request = SiteRequest(
        request: request, query: Query(request.uri.query ?? ""), home: state.baseURL,
        options: options, now: options.now(), visitor: own == nil ? nil : request.visitor,
        body: content)
      return (request, !(site is Images) && state.random.unit() < options.failureRate)
    }
    return fails
      ? GitHub.error(.internalServerError, "Server Error")
      : site.response(to: request).conditional(on: request)
  }

  private func site(for path: String) -> any Site {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (segments.first ?? "", segments.dropFirst().first ?? "") {
    case ("avatars", "u"), ("t", "p"), ("covers", _), ("dogs", "pictures"), ("page.css", _):
      return images
    case ("3", _), ("movies", _): return tmdb
    case ("dogs", "breeds"): return kennel
    case (let country, "rss"), (let country, "movie"):
      return country.count == 2 ? iTunes : gitHub
    default: return gitHub
    }
  }
}

/// An error that closes a connection during a response, as a killed server would.
private struct Outage: Error {}

extension Request {
  fileprivate var visitor: String? {
    HTTPField.Name(Sandbox.visitorField).flatMap { headers[$0] }
      .flatMap { $0.utf8.count <= 64 ? $0 : nil }
  }
}
