import Curlew
public import CurlewTesting
public import Foundation
public import HTTPTypes
import Testing

extension StubResponse {
  /// Responds with a head at once, and a body whose pieces a gate releases.
  ///
  /// - Parameters:
  ///   - first: A piece that arrives at once, too.
  ///   - gate: Releases each piece.
  ///   - piece: The piece that each release sends; `nil` for the body's end.
  public static func body(
    first: Data? = nil, heldBy gate: StubGate, piece: Data? = nil,
    status: HTTPResponse.Status = .ok, _ headerFields: HTTPFields = [:]
  ) -> StubResponse {
    let pieces = StubTransport()
    pieces.stub(.get, "/**", with: .held(by: gate))
    return .responding { request in
      IncomingResponse(
        head: HTTPResponse(status: status, headerFields: headerFields),
        body: ResponseBody {
          var first = first
          return {
            if let piece = first.take() { return piece }
            _ = try await pieces.send(request)
            return piece
          }
        })
    }
  }
}
