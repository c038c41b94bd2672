import Curlew
public import CurlewTesting
public import Foundation
import HTTPTypes

extension StubResponse {
  /// Returns this response with faults.
  ///
  /// A streamed body is read to its end first.
  public func with(_ faults: Fault...) -> Self { with(faults) }

  /// Returns this response with faults, like ``with(_:)-(Fault...)``.
  public func with(_ faults: [Fault]) -> Self { changed { $0.faults += faults } }

  /// Sends a text unchanged, instead of an HTTP response.
  ///
  /// Faults that delay, end or extend a response apply to it. Faults that change the head or the framing don't.
  public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }

  /// Sends bytes unchanged, instead of an HTTP response.
  public static func raw(_ bytes: Data) -> Self { .status(.ok).with(.raw(bytes)) }

  /// Returns the script of a server's response to a request, including faults.
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
  /// Creates the message of a response to a request, or a message of raw bytes.
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
