import Curlew
import Foundation
import HTTPTypes

/// One request and what came in response, with its secrets.
struct RecordedExchange: Sendable {
  enum Ending: Sendable {
    case complete
    /// Nobody wanted the rest of the body.
    case unread
    case failed(String)
  }

  /// An estimate of the memory for what is not counted.
  private static let fixedSize = 1_024

  private(set) var request: HTTPRequest
  let url: String
  let redaction: Redaction
  /// The request's body, or its beginning; `nil` for none, or for one that is not recorded.
  let requestBody: Data?
  let requestSize: Int?
  /// Why the request's body is not recorded; `nil` if it is.
  let missingBody: String?
  /// What the cache said of the request before it was sent, or served; `nil` without a cache.
  let cacheStatus: CacheStatus?
  let startedAt: Date
  /// On the client's clock.
  let start: Duration
  private(set) var head: HTTPResponse?
  private(set) var httpVersion: String?
  /// On the client's clock.
  private(set) var (headTime, endTime) = (Duration?.none, Duration?.none)
  /// The response's body, or its beginning.
  private(set) var body = Data()
  private(set) var bodySize = 0
  private(set) var ending: Ending?

  /// - Parameter bodyLimit: The number of bytes of a body that are kept.
  init(
    _ request: OutgoingRequest, _ redaction: Redaction, bodyLimit: Int, startedAt: Date,
    start: Duration
  ) {
    (self.request, url, cacheStatus) = (request.head, request.url, request.cacheStatus)
    (self.redaction, self.startedAt, self.start) = (redaction, startedAt, start)
    // Nobody finds secrets in what is compressed.
    let isEncoded = request.body != nil && request.head.headerFields[.contentEncoding] != nil
    let data = isEncoded ? nil : request.body?.data
    // A copy, which does not retain the rest.
    requestBody = data.map { $0.count <= bodyLimit ? $0 : Data(Array($0.prefix(bodyLimit))) }
    requestSize = request.body?.length.map { Int(clamping: $0) }
    missingBody =
      isEncoded ? "encoded" : request.body != nil && data == nil ? "streamed" : nil
  }

  /// The number of bytes that it holds.
  var size: Int {
    Self.fixedSize + url.utf8.count + Self.size(of: request.headerFields)
      + (requestBody?.count ?? 0) + Self.size(of: head?.headerFields ?? [:]) + body.count
  }

  static func size(of fields: HTTPFields) -> Int {
    fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }

  /// - Parameter sent: The request with the fields that observers added; `nil` if it is not known.
  mutating func receive(
    _ head: HTTPResponse, to sent: HTTPRequest?, version: String?, at time: Duration
  ) {
    if let sent { request.headerFields = sent.headerFields }
    (self.head, httpVersion, headTime) = (head, version, time)
  }

  /// Adds bytes of the body, of which only a number is kept.
  mutating func receive(_ bytes: Data, keeping count: Int) {
    body += bytes.prefix(count)
    bodySize += bytes.count
  }

  mutating func end(_ ending: Ending, at time: Duration) {
    // The first one counts: after a failure the body is released, too.
    guard self.ending == nil else { return }
    (self.ending, endTime) = (ending, time)
    let length = head?.headerFields[.contentLength].flatMap { Int($0) }
    if case .unread = ending, length == bodySize { self.ending = .complete }
  }
}

extension RecordedExchange {
  /// The secret values in it, wherever they may be quoted.
  var secrets: Set<String> {
    var secrets = redaction.secretValues(of: request)
    secrets.formUnion(redaction.secretValues(inURL: url))
    secrets.formUnion(redaction.secretValues(of: request.headerFields, now: startedAt))
    if let requestBody {
      secrets.formUnion(redaction.secretValues(of: requestBody, request.headerFields[.contentType]))
    }
    if let fields = head?.headerFields {
      secrets.formUnion(redaction.secretValues(of: fields, now: startedAt))
      // In what servers send a "key" is often no secret but an identifier, such as `mit`: it is masked where
      // it is, and not elsewhere.
      var redaction = redaction
      redaction.queryItems.remove("key")
      secrets.formUnion(redaction.secretValues(of: body, fields[.contentType]))
    }
    return secrets
  }

  /// Returns it as an entry without secrets.
  func entry(_ mask: SecretMask) -> HAR.Entry {
    var entry = HAR.Entry(
      request.method, mask.masked(redaction.redacting(url: url)),
      headerFields: masked(request.headerFields, mask), response: response(mask))
    let isCut = requestSize.map { $0 > requestBody?.count ?? 0 } ?? false
    entry.body = requestBody.map { masked($0, request.headerFields, isCut: isCut, mask) }
    entry.bodySize = isCut ? requestSize : nil
    entry.responseSize = bodySize > body.count ? bodySize : nil
    entry.httpVersion = httpVersion
    entry.startedAt = startedAt
    entry.timings = timings
    if case .failed(let reason) = ending { entry.failure = mask.masked(reason) }
    let comments = comments
    entry.comment = comments.isEmpty ? nil : comments.joined(separator: " ")
    return entry
  }

  private func response(_ mask: SecretMask) -> Sample {
    guard let head else { return Sample(status: HTTPResponse.Status(code: 0)) }
    let isComplete = if case .complete = ending { bodySize == body.count } else { false }
    return Sample(
      status: HTTPResponse.Status(
        code: head.status.code, reasonPhrase: mask.masked(head.status.reasonPhrase)),
      headerFields: masked(head.headerFields, mask),
      body: masked(body, head.headerFields, isCut: !isComplete, mask))
  }

  private func masked(_ fields: HTTPFields, _ mask: SecretMask) -> HTTPFields {
    var result = HTTPFields()
    for var field in redaction.redactingURLs(in: fields) {
      field.value = mask.masked(field.value)
      result.append(field)
    }
    return result
  }

  private func masked(
    _ body: Data, _ fields: HTTPFields, isCut: Bool, _ mask: SecretMask
  ) -> Data {
    // The mask knows the secrets of all requests.
    let none = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
    let named = redaction.redacting(
      body: body, contentType: fields[.contentType], secretsOf: none)
    return mask.masked(redaction.redactingLinks(in: named) ?? named, isCut: isCut)
  }

  private var timings: HAR.Timings {
    HAR.Timings(
      send: .zero, wait: (headTime ?? endTime).map { $0 - start },
      receive: headTime.flatMap { head in endTime.map { $0 - head } })
  }

  private var comments: [String] {
    var comments = cacheStatus.map { ["Cache: \($0)"] } ?? []
    if let missingBody {
      comments.append("The request's body was \(missingBody) and is not recorded.")
    }
    if let requestBody, let requestSize, requestSize > requestBody.count {
      comments.append("The request's body is cut off after \(requestBody.count) bytes.")
    }
    if bodySize > body.count {
      comments.append("The response's body is cut off after \(body.count) bytes.")
    }
    switch ending {
    case nil where head == nil: comments.append("The response had not arrived yet.")
    case nil: comments.append("The response's body was still arriving.")
    case .unread: comments.append("The response's body was not read to its end.")
    case .complete, .failed: break
    }
    return comments
  }
}
