import CurlewScreens
import CurlewSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// Adds the routes of the inspector, which respond only to browsers on this machine.
  func addInspector<Context>(
    _ inspector: LiveInspector, to router: Router<Context>, at base: String,
    for visitors: LiveVisitors<Page.Visitor, Context>
  ) {
    let session: @Sendable (Request, Context) async throws -> Session? = { [self] in
      try await sessions.session(of: $0.headers, for: visitors.admit($0, $1).visitor)
    }
    router.get(RouterPath(base + "/inspector")) { [self] request, context in
      try await locally(request) { request in
        guard let timeline = try await session(request, context)?.timeline else { return missing }
        let after = LiveQuery(request.uri.query ?? "")["after"].flatMap(Int.init) ?? 0
        return json(
          LiveInspector.$visitor.withValue(request.headers.liveTab) {
            InspectorReport(timeline, after: after, inspector, server: fleet?.address)
          })
      }
    }
    router.get(RouterPath(base + "/inspector/state")) { [self] request, context in
      try await locally(request) { request in
        let number = LiveQuery(request.uri.query ?? "")["n"].flatMap(Int.init)
        guard let timeline = try await session(request, context)?.timeline, let number,
          let difference = StateDifference(of: number, in: timeline)
        else { return missing }
        return json(difference)
      }
    }
    router.get(RouterPath(base + "/inspector/trace")) { [self] request, context in
      guard isLocal(request), let timeline = try await session(request, context)?.timeline,
        let data = try? timeline.trace.data
      else { return missing }
      return .json(ByteBuffer(bytes: data))
    }
    router.post(RouterPath(base + "/inspector/controls")) { [self] request, context in
      try await locally(request) { request in
        guard request.isSameOrigin, try await session(request, context) != nil else {
          return missing
        }
        return try await set(inspector.controls, by: request)
      }
    }
  }

  /// Returns the response to a request of this machine; only such a request is forwarded to the session's server.
  private func locally(
    _ request: Request, _ respond: (Request) async throws -> Response
  ) async throws -> Response {
    isLocal(request) ? try await atOwner(request, respond) : missing
  }

  private var missing: Response { refusal(.notFound, "There is no session to inspect.") }

  private func set(
    _ controls: [LiveInspector.Control], by request: Request
  ) async throws -> Response {
    guard let body = try await body(of: request), let setting: ControlSetting = decoded(body),
      let control = controls.first(where: { $0.name == setting.name })
    else { return refusal(.badRequest, "This control does not exist.") }
    guard control.range.contains(setting.value) else {
      let (low, high) = (control.range.lowerBound.formatted(), control.range.upperBound.formatted())
      return refusal(.unprocessableContent, "\(control.label) must be between \(low) and \(high).")
    }
    // Returns the error instead of throwing it: the compiler (6.3) crashes if this closure has a
    // typed throw.
    let failure = LiveInspector.$visitor.withValue(request.headers.liveTab) {
      () -> LiveInspector.Control.Failure? in
      do throws(LiveInspector.Control.Failure) {
        try control.set(setting.value)
        return nil
      } catch {
        return error
      }
    }
    if let failure { return refusal(.unprocessableContent, failure.text) }
    return .done
  }

  /// Returns whether a request comes from a browser on this machine, and is addressed to a loopback
  /// host.
  ///
  /// Requests through a proxy, which acts for other clients, and requests from other sites don't
  /// count.
  ///
  /// The address of the peer is known only with ``LiveChannel``.
  func isLocal(_ request: Request) -> Bool {
    guard LiveChannel.peer?.isLocal == true, !request.head.isForwarded,
      !request.head.isFromAnotherSite,
      let authority = request.head.authority.flatMap({ Authority($0) })
    else { return false }
    return authority.host.isLoopback
  }

  private func json(_ value: some Encodable) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return missing }
    return .json(ByteBuffer(bytes: data))
  }
}

extension StateDifference {
  /// Creates the changes that a state of a timeline made; returns `nil` if the state is no longer
  /// stored.
  fileprivate init?(of number: Int, in timeline: Timeline) {
    var before: (any Sendable)?
    for entry in timeline.entries where entry.number <= number {
      guard case .state(let state) = entry.kind else { continue }
      if entry.number == number {
        self.init(from: before, to: state)
        return
      }
      before = state
    }
    return nil
  }
}

/// A request to set a control.
private struct ControlSetting: Decodable {
  let name: String
  let value: Double
}
