import Foundation
extension Transport where Self == URLSessionTransport {
  public static var urlSession: Self { .init() }
}
public struct URLSessionTransport: Transport {
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse { throw CancellationError() }
}
