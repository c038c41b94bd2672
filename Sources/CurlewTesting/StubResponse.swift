public import Curlew
public import Foundation
public import HTTPTypes

/// The response of a stub, with its delay and its faults.
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

  /// Sends a text as it is, instead of an HTTP response.
  ///
  /// Faults that delay, end or extend a response apply to it; those that change its head or its
  /// framing don't.
  public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }

  /// Sends bytes as they are, instead of an HTTP response.
  public static func raw(_ bytes: Data) -> Self {
    Self { _, _ in StubReply(content: .raw(bytes)) }
  }

  /// Throws an error, as a transport does that can't reach the server; a `FaultServer` resets the
  /// connection instead.
  public static func failure(_ error: any Error) -> Self { Self { _, _ in throw error } }

  /// Responds with a sample that a closure makes from the request.
  public static func sample(
    _ makeSample: @escaping @Sendable (OutgoingRequest) async throws -> Sample
  ) -> Self {
    Self { request, _ in StubReply(try await makeSample(request).response) }
  }

  /// Responds with what a closure returns for the request; its body may arrive in pieces.
  public static func responding(
    _ respond: @escaping @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) -> Self {
    Self { request, _ in StubReply(try await respond(request)) }
  }

  /// Holds the request until a gate responds to it.
  public static func held(by gate: StubGate) -> Self {
    Self { request, clock in
      try await gate.hold(request).reply(to: request, on: clock)
    }
  }

  /// Returns this response with a delay before it, on the clock of the transport or server.
  public func after(_ delay: Duration) -> Self {
    var copy = self
    copy.delay = (copy.delay ?? .zero) + delay
    return copy
  }

  /// Returns this response with faults, like ``with(_:)-(Fault...)``.
  public func with(_ faults: [Fault]) -> Self {
    var copy = self
    copy.faults += faults
    return copy
  }

  /// Returns the reply to a request, after its delay.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func reply(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> StubReply {
    if let delay { try await clock.sleep(for: delay) }
    try Task.checkCancellation()
    var reply = try await respond(request, clock)
    reply.faults += faults
    return reply
  }

  /// Returns a player of the bytes that a server sends in response to a request, faults included.
  package func player(
    for request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> WirePlayer {
    let reply = try await reply(to: request, on: clock)
    return WirePlayer(try await reply.script(to: request, on: clock), on: clock)
  }

  /// Returns the response to a request as a correct transport reads it.
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
