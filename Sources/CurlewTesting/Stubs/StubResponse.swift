public import Curlew
public import Foundation
public import HTTPTypes

/// A stub's response, which can fail, be delayed, or be truncated.
///
/// `CurlewFaultServer` adds faults on the wire, which only its server can apply.
public struct StubResponse: Sendable {
  private var delay: Duration?
  private var respond: @Sendable (OutgoingRequest, any Clock<Duration>) async throws -> StubReply

  package init(
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

  /// Throws an error, like a transport that can't reach the server.
  ///
  /// A `FaultServer` resets the connection instead.
  public static func failure(_ error: any Error) -> Self { Self { _, _ in throw error } }

  /// Responds with a sample that a closure creates from the request.
  public static func sample(
    _ makeSample: @escaping @Sendable (OutgoingRequest) async throws -> Sample
  ) -> Self {
    Self { request, _ in StubReply(try await makeSample(request).response) }
  }

  /// Responds with the result of a closure for the request; its body may be streamed.
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

  /// Returns this response after a delay, on the clock of the transport or server.
  public func after(_ delay: Duration) -> Self {
    var copy = self
    copy.delay = (copy.delay ?? .zero) + delay
    return copy
  }

  /// Returns this response with a connection that is lost after this many bytes of the body.
  public func cut(after count: Int) -> Self {
    changed { $0.cutAfter = min($0.cutAfter ?? count, count) }
  }

  /// Returns this response with a changed reply, after the same delay.
  package func changed(_ change: @escaping @Sendable (inout StubReply) -> Void) -> Self {
    var copy = self
    copy.respond = { request, clock in
      var reply = try await respond(request, clock)
      change(&reply)
      return reply
    }
    return copy
  }

  /// Returns the reply to a request, after its delay.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func reply(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> StubReply {
    if let delay { try await clock.sleep(for: delay) }
    try Task.checkCancellation()
    return try await respond(request, clock)
  }
}
