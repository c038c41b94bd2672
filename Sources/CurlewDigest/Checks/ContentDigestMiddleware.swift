public import Curlew
import HTTPTypes

/// Implements `.contentDigest(_:)`.
struct ContentDigestMiddleware: Middleware {
  let algorithm: DigestAlgorithm

  /// Adds the digest of the request's body.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    guard request.body?.isRepeatable == true, request.head.headerFields[.contentDigest] == nil
    else { return try await next(request) }
    var request = request
    let digest = DigestField([algorithm: try await request.hashOfBody(algorithm.hash)])
    request.head.headerFields[.contentDigest] = digest.description
    return try await next(request)
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Adds a `Content-Digest` (RFC 9530 section 2) to requests with a body, unless they have this
  /// field.
  ///
  /// A body that is streamed is read twice: for its digest, and to send it. A body that can be read
  /// only once gets no digest. List it after ``gzip(minimum:)``: the digest refers to the encoded
  /// body.
  public static func contentDigest(_ algorithm: DigestAlgorithm = .sha256) -> Self {
    Self(ContentDigestMiddleware(algorithm: algorithm))
  }
}
