public import Curlew
public import Foundation
public import HTTPTypes

/// What a stub responds, when, and what goes wrong with it.
public struct StubResponse: Sendable {
  private var delay: Duration?
  private var faults: [Fault] = []
  private let respond: @Sendable (OutgoingRequest, any Clock<Duration>) async throws -> StubReply

  private init(
    _ respond:
      @escaping @Sendable (OutgoingRequest, any Clock<Duration>) async throws -> StubReply
  ) {
    self.respond = respond
  }

  /// Responds with a sample.
  public static func sample(_ sample: Sample) -> Self {
    Self { _, _ in StubReply(sample.response) }
  }

  /// Responds with JSON text.
  public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Self {
    .sample(.json(text, status: status))
  }

  /// Responds with bytes.
  public static func data(
    _ data: Data, contentType: String = "application/octet-stream",
    status: HTTPResponse.Status = .ok
  ) -> Self {
    .sample(Sample(status: status, headerFields: [.contentType: contentType], body: data))
  }

  /// Responds with a status and no body.
  public static func status(_ status: HTTPResponse.Status, _ headerFields: HTTPFields = [:]) -> Self
  {
    .sample(Sample(status: status, headerFields: headerFields))
  }

  /// Sends a text in place of a response, HTTP or not.
  ///
  /// Faults of time, ends, places and extra bytes work on it; those that change a head don't.
  public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }

  /// Sends bytes in place of a response, HTTP or not.
  public static func raw(_ bytes: Data) -> Self {
    Self { _, _ in StubReply(content: .raw(bytes)) }
  }

  /// Throws an error, as a transport that reached no server does; a server resets the connection.
  public static func failure(_ error: any Error) -> Self { Self { _, _ in throw error } }

  /// Responds with what a function makes of the request.
  public static func sample(
    _ makeSample: @escaping @Sendable (OutgoingRequest) async throws -> Sample
  ) -> Self {
    Self { request, _ in StubReply(try await makeSample(request).response) }
  }

  /// Responds with what a function makes of the request, whose body may arrive piece by piece.
  public static func responding(
    _ respond: @escaping @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) -> Self {
    Self { request, _ in StubReply(try await respond(request)) }
  }

  /// Holds the request until the gate responds to it.
  public static func held(by gate: StubGate) -> Self {
    Self { request, clock in
      try await gate.hold(request).reply(to: request, on: clock)
    }
  }

  /// Returns this response with a delay before it, on the stub transport's clock.
  public func after(_ delay: Duration) -> Self {
    var copy = self
    copy.delay = (copy.delay ?? .zero) + delay
    return copy
  }

  /// Returns this response with faults on its way, as ``with(_:)-(Fault...)``.
  public func with(_ faults: [Fault]) -> Self {
    var copy = self
    copy.faults += faults
    return copy
  }

  /// Returns what responds to a request, when its time has come; throws `CancellationError` as soon as
  /// its task is cancelled.
  func reply(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> StubReply {
    if let delay { try await clock.sleep(for: delay) }
    try Task.checkCancellation()
    var reply = try await respond(request, clock)
    reply.faults += faults
    return reply
  }

  /// Returns what a server sends in response to a request, faults included, each piece at its time.
  package func player(
    for request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> WirePlayer {
    let reply = try await reply(to: request, on: clock)
    return WirePlayer(try await reply.script(to: request, on: clock), on: clock)
  }

  /// Responds to a request as a correct transport would.
  func response(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> IncomingResponse {
    let reply = try await reply(to: request, on: clock)
    if case .response(let response) = reply.content, reply.faults.isEmpty { return response }
    let script = try await reply.script(to: request, on: clock)
    return try await WireReader.response(
      to: request.head.method, from: WirePlayer(script, on: clock))
  }
}
