import HTTPTypes
import Hummingbird
import Synchronization

/// The way of each request: written down, delayed, perhaps failed, answered.
///
/// Pictures take a way of their own, as they come from other hosts than the APIs that they imitate.
final class Pipeline: Sendable {
  private struct State {
    var options: Sandbox.Options
    var dice: SplitMix
    var baseURL = ""
  }

  let log = RequestLog()
  let naps = Naps()
  private let site: any Site
  private let state: Mutex<State>

  init(options: Sandbox.Options, site: any Site) {
    self.site = site
    state = Mutex(State(options: options, dice: SplitMix(seed: options.seed)))
  }

  var options: Sandbox.Options { state.withLock { $0.options } }

  func update(_ change: (inout Sandbox.Options) -> Void) throws(Sandbox.Failure) {
    try state.withLock { state throws(Sandbox.Failure) in
      var options = state.options
      change(&options)
      try options.validate()
      state.options = options
    }
  }

  /// Tells the base URL, which nobody knows before the port is bound.
  func isListening(at baseURL: String) { state.withLock { $0.baseURL = baseURL } }

  func respond(to request: Request) async -> Response {
    if let picture = Images.answer(request.method, request.uri.path, headers: request.headers) {
      return picture.response(to: request.method)
    }
    let ticket = log.arrived(
      .init(
        method: request.method.rawValue, path: request.uri.path,
        query: request.uri.query.map { RequestLog.masked($0) }))
    let before = options
    if before.latency > .zero { await naps.sleep(for: before.latency, on: before.clock) }
    let answer = site.answer(inquiry(request))
    log.answered(ticket, status: answer.status.code)
    return answer.response(to: request.method)
  }

  /// Reads the options only now, so that a change made during the latency counts.
  private func inquiry(_ request: Request) -> Inquiry {
    state.withLock { state in
      Inquiry(
        method: request.method, path: request.uri.path, query: Query(request.uri.query ?? ""),
        headers: request.headers, size: request.uri.string.utf8.count, home: state.baseURL,
        host: request.head.authority, fails: state.dice.unit() < state.options.failureRate,
        options: state.options, now: state.options.now())
    }
  }
}
