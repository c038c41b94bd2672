import Curlew
public import CurlewTesting
public import Foundation

extension StubResponse {
  /// Returns this response with faults.
  ///
  /// A body that arrives in pieces is first read to its end.
  public func with(_ faults: Fault...) -> Self { with(faults) }

  /// Returns this response with faults, like ``with(_:)-(Fault...)``.
  public func with(_ faults: [Fault]) -> Self {
    changed { reply in
      var reply = FaultyReply(reply)
      reply.faults += faults
      return .onWire(reply)
    }
  }

  /// Sends a text as it is, instead of an HTTP response.
  ///
  /// Faults that delay, end or extend a response apply to it; those that change its head or its
  /// framing don't.
  public static func raw(_ text: String) -> Self { .raw(Data(text.utf8)) }

  /// Sends bytes as they are, instead of an HTTP response.
  public static func raw(_ bytes: Data) -> Self {
    Self { _, _ in .onWire(FaultyReply(content: .raw(bytes))) }
  }

  /// Returns a player of the bytes that a server sends in response to a request, faults included.
  func player(
    for request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> WirePlayer {
    let reply = FaultyReply(try await reply(to: request, on: clock))
    return WirePlayer(try await reply.script(to: request, on: clock), on: clock)
  }
}
