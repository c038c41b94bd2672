public import Curlew
import Foundation
import HTTPTypes

/// Implements `.checkingDigests(required:)`.
struct DigestCheckMiddleware: Middleware {
  /// SHA-256 is preferred, because it is sufficient and supported everywhere (RFC 9530 section 4).
  private static let wanted = "sha-256=2, sha-512=1"

  let isRequired: Bool

  /// Requests digests, and checks the response's digests.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    var request = request
    // Digests refer to the encoded body, so they can't be checked after the transport decodes the
    // body.
    if request.head.headerFields[.acceptEncoding] == nil {
      request.head.headerFields[.acceptEncoding] = "identity"
    }
    for name in [HTTPField.Name.wantContentDigest, .wantReprDigest]
    where request.head.headerFields[name] == nil {
      request.head.headerFields[name] = Self.wanted
    }
    var response = try await next(request)
    guard response.mayHaveBody(for: request) else { return response }
    let digests = response.digestsOfBody
    let whole = request.checksWhole ? response.digestOfWhole : nil
    if let whole { response.checkWhole = { file in try await Self.check(file, whole) } }
    if isRequired, digests.isEmpty, whole == nil, response.head.status.kind == .successful {
      let reason =
        response.isDecoded
        ? "a digest is required, but can't be checked because the content coding was decoded"
        : "a digest is required (RFC 9530), but the response has no supported digest"
      throw request.failure(Client.TransportFailure(.protocolError, reason: reason))
    }
    if !digests.isEmpty { response.body = response.body.checked(against: digests) }
    return response
  }

  private static func check(_ file: URL, _ digest: DigestField) async throws {
    do throws(DigestField.FileError) {
      try await digest.check(file: file)
    } catch {
      if case .cancelled = error { throw CancellationError() }
      throw Client.TransportFailure(.digest, reason: "as a whole, \(error)")
    }
  }
}

extension IncomingResponse {
  fileprivate func mayHaveBody(for request: OutgoingRequest) -> Bool {
    request.head.method != .head && head.status != .noContent && head.status != .notModified
  }

  /// The expected digests of the body.
  fileprivate var digestsOfBody: [ExpectedDigest] {
    guard !isDecoded else { return [] }
    var names = [HTTPField.Name.contentDigest]
    if head.status != .partialContent || isWholeContent {
      names.append(.reprDigest)
    }
    return names.flatMap { name in
      let digests = head.headerFields[name].flatMap { DigestField($0) }?.digests ?? [:]
      return digests.map { ExpectedDigest(field: name.rawName, algorithm: $0.key, value: $0.value) }
    }
  }

  /// Whether the content of a partial response is the whole representation (RFC 9110 section 14.4).
  private var isWholeContent: Bool {
    guard let range = head.headerFields[.contentRange],
      let size = range.split(separator: "/").last.flatMap({ Int($0) })
    else { return false }
    return range == "bytes 0-\(size - 1)/\(size)"
  }

  /// The digests of the representation of which the body is a part; `nil` if there is none.
  fileprivate var digestOfWhole: DigestField? {
    guard head.status == .partialContent, !isDecoded,
      let field = head.headerFields[.reprDigest].flatMap({ DigestField($0) })
    else { return nil }
    return field.digests.isEmpty ? nil : field
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Checks the bodies of responses against their `Content-Digest` and `Repr-Digest` (RFC 9530)
  /// while they are read; SHA-256 and SHA-512 are checked, other algorithms ignored.
  ///
  /// At the end of a body that does not match, reading throws ``Curlew/Client/Error/transport(_:)`` of
  /// kind `.digest`, so collected responses, streams and downloads fail. If the middleware is listed
  /// after `.retrying()`, a collected response is retried.
  ///
  /// Requests without their own `Accept-Encoding` request bodies without content coding, because
  /// digests refer to the encoded body; a body that the transport decoded is not checked. A 206
  /// response is checked against its `Content-Digest`; its `Repr-Digest` refers to the whole
  /// representation, and is checked when a resumed download is complete.
  ///
  /// - Parameter required: Whether a successful response whose body can't be checked is an error, of
  ///   the kind `.protocolError`.
  public static func checkingDigests(required: Bool = false) -> Self {
    Self(DigestCheckMiddleware(isRequired: required))
  }
}
