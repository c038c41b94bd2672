import Curlew
public import CurlewTesting
public import Foundation
import HTTPTypes

extension StubResponse {
  /// Returns this response with faults.
  ///
  /// A body that arrives in pieces is first read to its end.
  public func with(_ faults: Fault...) -> Self { with(faults) }

  /// Returns this response with faults, like ``with(_:)-(Fault...)``.
  public func with(_ faults: [Fault]) -> Self { changed { $0.faults += faults } }

  /// Sends a text as it is, instead of an HTTP response.
  ///
  /// Faults that delay, end or extend a response apply to it; those that change its head or its
  /// framing don't.
  public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }

  /// Sends bytes as they are, instead of an HTTP response.
  public static func raw(_ bytes: Data) -> Self { .status(.ok).with(.raw(bytes)) }

  /// Returns the script in which a server responds to a request, faults included.
  func script(
    for request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> WireScript {
    let reply = try await reply(to: request, on: clock)
    var faults = reply.faults.compactMap { $0 as? Fault }
    if let count = reply.cutAfter { faults.append(.cut(after: .body(count))) }
    var script = WireScript(
      try await WireMessage(reply.response, to: request.head.method, faults), faults)
    for case .followed(let other) in faults.map(\.kind) {
      script = script.followed(by: try await other.script(for: request, on: clock))
    }
    return script
  }
}

extension WireMessage {
  /// Creates the message of a response to a request, or that of raw bytes.
  fileprivate init(
    _ response: IncomingResponse, to method: HTTPRequest.Method, _ faults: [Fault]
  ) async throws {
    for case .raw(let bytes) in faults.map(\.kind) {
      self.init(raw: bytes, faults)
      return
    }
    var body = Data()
    for try await piece in response.body { body.append(piece) }
    self.init(response.head, body, hasBody: method != .head, faults)
  }
}
