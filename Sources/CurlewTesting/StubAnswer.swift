public import Curlew
public import Foundation
public import HTTPTypes

/// What a stub answers, and when.
public struct StubAnswer: Sendable {
  private var delay: Duration?
  private let respond:
    @Sendable (OutgoingRequest, any Clock<Duration>) async throws -> IncomingResponse

  private init(
    _ respond:
      @escaping @Sendable (OutgoingRequest, any Clock<Duration>) async throws ->
      IncomingResponse
  ) {
    self.respond = respond
  }

  /// Answers with a sample.
  public static func sample(_ sample: Sample) -> Self { Self { _, _ in sample.response } }

  /// Answers with JSON text.
  public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Self {
    .sample(.json(text, status: status))
  }

  /// Answers with bytes.
  public static func data(
    _ data: Data, contentType: String = "application/octet-stream",
    status: HTTPResponse.Status = .ok
  ) -> Self {
    .sample(Sample(status: status, headerFields: [.contentType: contentType], body: data))
  }

  /// Answers with a status and no body.
  public static func status(_ status: HTTPResponse.Status, _ headerFields: HTTPFields = [:]) -> Self
  {
    .sample(Sample(status: status, headerFields: headerFields))
  }

  /// Throws an error, as a transport that reached no server does.
  public static func failure(_ error: any Error) -> Self { Self { _, _ in throw error } }

  /// Answers with what a function makes of the request.
  public static func answering(
    _ answer: @escaping @Sendable (OutgoingRequest) async throws -> Sample
  ) -> Self {
    Self { request, _ in try await answer(request).response }
  }

  /// Answers with what a function makes of the request, whose body may arrive piece by piece.
  public static func responding(
    _ respond: @escaping @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) -> Self {
    Self { request, _ in try await respond(request) }
  }

  /// Holds the request until the gate answers it.
  public static func held(by gate: StubGate) -> Self {
    Self { request, clock in
      try await gate.hold(request).response(to: request, on: clock)
    }
  }

  /// Returns this answer with a delay before it, on the stub transport's clock.
  public func after(_ delay: Duration) -> Self {
    var copy = self
    copy.delay = (copy.delay ?? .zero) + delay
    return copy
  }

  /// Answers a request; throws `CancellationError` as soon as its task is cancelled.
  func response(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> IncomingResponse {
    if let delay { try await clock.sleep(for: delay) }
    try Task.checkCancellation()
    return try await respond(request, clock)
  }
}
