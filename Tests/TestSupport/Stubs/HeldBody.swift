import Curlew
package import CurlewTesting
package import Foundation
package import HTTPTypes
import Testing

extension StubResponse {
  /// A head at once, and a body that comes as a gate lets it.
  ///
  /// - Parameters:
  ///   - first: A piece that comes at once, too.
  ///   - gate: Lets each piece pass.
  ///   - piece: What comes then, each time; `nil` for the body's end.
  package static func body(
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
