public import Curlew
import Foundation
import HTTPTypes

/// Implements `.gzip(minimum:)`.
struct GzipMiddleware: Middleware {
  let minimum: Int

  /// Compresses the request's body.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await next(try compressed(request) ?? request)
  }

  /// Returns the request with a compressed body; `nil` if its body stays unchanged.
  private func compressed(_ request: OutgoingRequest) throws(Client.Error) -> OutgoingRequest? {
    let fields = request.head.headerFields
    let fixed: [HTTPField.Name] = [.contentEncoding, .contentRange, .contentDigest, .reprDigest]
    guard let body = request.body, (body.length ?? .max) >= Int64(minimum),
      !fixed.contains(where: { fields[$0] != nil })
    else { return nil }
    var coded = request
    if let data = body.data {
      let gzip: Data
      do {
        gzip = try Deflater.gzip(data)
      } catch {
        throw request.invalid("\(error)")
      }
      guard gzip.count < data.count else { return nil }
      coded.body = OutgoingBody(gzip)
    } else {
      coded.body = body.compressed
    }
    coded.head.headerFields[.contentEncoding] = "gzip"
    coded.head.headerFields[.contentLength] = nil
    return coded
  }
}

extension OutgoingBody {
  /// This body, compressed while it is read.
  fileprivate var compressed: OutgoingBody {
    OutgoingBody(isRepeatable: isRepeatable) {
      var chunks = makeAsyncIterator()
      var deflater: Deflater? = try Deflater()
      return {
        guard let current = deflater else { return nil }
        while let chunk = try await chunks.next() {
          let piece = try current.compress(chunk)
          if !piece.isEmpty { return piece }
        }
        deflater = nil
        return try current.finish()
      }
    }
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Compresses the bodies of requests (`Content-Encoding: gzip`, RFC 9110 section 8.4).
  ///
  /// Use it for servers that are known to read gzip. A body in memory stays unchanged if gzip does not
  /// make it smaller. A streamed body is compressed while it is sent, so its length is unknown, and
  /// HTTP/1.1 sends it in chunks.
  ///
  /// Bodies with their own `Content-Encoding`, digest or `Content-Range` stay unchanged.
  ///
  /// - Parameter minimum: The minimum size in bytes of a compressed body; 1 KiB by default. A body of
  ///   unknown length is always compressed.
  public static func gzip(minimum: Int = 1024) -> Self {
    Self(GzipMiddleware(minimum: minimum))
  }
}
