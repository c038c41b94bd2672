package import Curlew
import Foundation

/// The reply of a stub to one request.
package enum StubReply: Sendable {
  /// A response, of which perhaps only this many bytes of the body arrive.
  case response(IncomingResponse, cutAfter: Int? = nil)
  /// One with faults on the wire, from CurlewFaultServer.
  case onWire(any WireReply)

  /// Returns this reply, of which only this many bytes of the body arrive.
  func cut(after count: Int) -> StubReply {
    switch self {
    case .response(let response, let earlier):
      .response(response, cutAfter: min(earlier ?? count, count))
    case .onWire(let reply): .onWire(reply.cut(after: count))
    }
  }
}

/// A reply that is defined by the bytes that a server sends, as CurlewFaultServer implements it.
package protocol WireReply: Sendable {
  /// Returns this reply, whose connection is closed after this many bytes of the body.
  func cut(after count: Int) -> Self

  /// Returns the response as a correct transport reads it.
  func response(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> IncomingResponse
}

extension ResponseBody {
  /// Returns this body, which fails after this many bytes unless it ends there.
  func cut(after count: Int) -> ResponseBody {
    ResponseBody {
      var (pieces, rest, isCut) = (makeAsyncIterator(), count, false)
      return {
        let piece = isCut ? Data() : try await pieces.next()
        guard let piece else { return nil }
        isCut = isCut || piece.count > rest
        guard rest > 0 || !isCut else {
          throw Client.TransportFailure(.lost, reason: "the stub cut the response off")
        }
        defer { rest = isCut ? 0 : rest - piece.count }
        return piece.prefix(rest)
      }
    }
  }
}
