package import Curlew
import Foundation

/// A stub's reply to a request.
package struct StubReply: Sendable {
  package let response: IncomingResponse
  /// The number of bytes of the body after which the connection is lost.
  package var cutAfter: Int?
  /// The faults on the wire, whose type only CurlewFaultServer knows.
  package var faults: [any Sendable] = []

  package init(_ response: IncomingResponse) { self.response = response }

  /// The response as a transport receives it, with a body that fails where the connection is lost.
  var received: IncomingResponse {
    guard let cutAfter else { return response }
    var response = response
    response.body = response.body.cut(after: cutAfter)
    return response
  }
}

extension ResponseBody {
  /// Returns this body, whose bytes are counted when they are read.
  func counted(in run: ExplorationRun) -> ResponseBody {
    ResponseBody {
      var pieces = makeAsyncIterator()
      return {
        let piece = try await pieces.next()
        run.count(bytes: piece?.count ?? 0)
        return piece
      }
    }
  }

  /// Returns this body, which fails after this many bytes unless it ends by then.
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
