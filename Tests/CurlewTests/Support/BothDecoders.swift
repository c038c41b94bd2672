import Curlew
import CurlewTesting
import Foundation
import Testing

extension StubTransport {
  /// Sends a request with Foundation's JSON decoder and with the fast decoder, expects equal results, and returns the
  /// result.
  func resultOfBothDecoders<E: Endpoint>(
    of endpoint: E, _ location: SourceLocation = #_sourceLocation
  ) async -> Result<E.Response, Client.Error> {
    let fast = await Client.stubbed(by: self).result(of: endpoint)
    let client = Client.stubbed(by: self) { $0.jsonDecoder = JSONDecoder() }
    let foundation = await client.result(of: endpoint)
    #expect("\(fast)" == "\(foundation)", sourceLocation: location)
    return fast
  }
}
