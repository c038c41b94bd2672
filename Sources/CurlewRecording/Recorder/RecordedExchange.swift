import Curlew
import Foundation
import HTTPTypes

/// A request and its response so far, with their secrets.
struct RecordedExchange: Sendable {
  enum Ending: Sendable {
    case complete
    /// The consumer released the rest of the body unread.
    case unread
    case failed(String)
  }

  /// An estimate of the memory that is not counted otherwise.
  private static let fixedSize = 1_024

  private var request: HTTPRequest
  private(set) var redaction: Redaction
  private let startedAt: Date
  /// The time on the client's clock.
  private let start: Duration
  private var headTime: Duration?
  private var ending: Ending?
  /// The number of received bytes of the response's body, which may exceed the recorded bytes.
  private var bodySize = 0
  /// The comments on the request in the entry.
  private var comments: [String]
  /// The recorded entry with its secrets, but without the request's header fields.
  private var entry: HAR.Entry

  /// - Parameter bodyLimit: The maximum number of recorded bytes of a body.
  init(
    _ request: OutgoingRequest, _ redaction: Redaction, _ cacheStatus: CacheStatus?, bodyLimit: Int,
    startedAt: Date, start: Duration
  ) {
    (self.request, self.redaction) = (request.head, redaction)
    (self.startedAt, self.start) = (startedAt, start)
    // Secrets can't be found in compressed data.
    let isEncoded = request.body != nil && request.head.headerFields[.contentEncoding] != nil
    let data = isEncoded ? nil : request.body?.data
    entry = HAR.Entry(
      request.head.method, request.url,
      // Copied, so that the full body is not retained.
      body: data.map { $0.count <= bodyLimit ? $0 : Data(Array($0.prefix(bodyLimit))) },
      response: Sample(status: HTTPResponse.Status(code: 0)))
    entry.startedAt = startedAt
    entry.timings.send = .zero
    // The cache's decision before the request was sent or the response served.
    comments = cacheStatus.map { ["Cache: \($0)"] } ?? []
    if request.body != nil, data == nil {
      let state = isEncoded ? "encoded" : "streamed"
      comments.append("The request's body was \(state) and is not recorded.")
    }
    guard let size = request.body?.length, size > entry.body?.count ?? 0 else { return }
    entry.bodySize = Int(clamping: size)
    guard let body = entry.body else { return }
    comments.append("The request's body is cut off after \(body.count) bytes.")
  }

  /// The size in bytes without the response.
  var size: Int {
    Self.fixedSize + entry.url.utf8.count + Self.size(of: request.headerFields)
      + (entry.body?.count ?? 0)
  }

  /// The number of recorded bytes of the response's body.
  var keptBytes: Int { entry.response.body.count }

  static func size(of fields: HTTPFields) -> Int {
    fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }

  /// - Parameter sent: The request with the fields that observers added, and with a proxy's secrets; `nil` if unknown.
  mutating func receive(
    _ head: HTTPResponse, to sent: OutgoingRequest?, version: String?, at time: Duration
  ) {
    if let sent {
      request.headerFields = sent.head.headerFields
      redaction.formUnion(sent.redaction)
    }
    (entry.response.status, entry.response.headerFields) = (head.status, head.headerFields)
    (entry.httpVersion, headTime, entry.timings.wait) = (version, time, time - start)
  }

  /// Adds bytes of the body: records the first `count`, and counts all of them.
  mutating func receive(_ bytes: Data, keeping count: Int) {
    entry.response.body += bytes.prefix(count)
    bodySize += bytes.count
  }

  mutating func end(_ ending: Ending, at time: Duration) {
    // The first ending counts: after a failure, the body is released, too.
    guard self.ending == nil else { return }
    self.ending = ending
    if case .failed(let reason) = ending { entry.failure = reason }
    if let headTime {
      entry.timings.receive = time - headTime
    } else {
      entry.timings.wait = time - start
    }
    let length = entry.response.headerFields[.contentLength].flatMap { Int($0) }
    if case .unread = ending, length == bodySize { self.ending = .complete }
  }
}

extension RecordedExchange {
  /// The secret values of the exchange, to be masked everywhere.
  var secrets: Set<String> {
    var secrets = redaction.secretValues(of: request)
    secrets.formUnion(redaction.secretValues(inURL: entry.url))
    secrets.formUnion(redaction.secretValues(of: request.headerFields, now: startedAt))
    if let body = entry.body {
      let type = request.headerFields[.contentType]
      secrets.formUnion(redaction.maskingNamedValues(in: body, contentType: type).values)
    }
    if headTime != nil {
      let fields = entry.response.headerFields
      secrets.formUnion(redaction.secretValues(of: fields, now: startedAt))
      // A "key" in a response is often an identifier, such as `mit`: it is masked in place, but not elsewhere.
      var redaction = redaction
      redaction.queryItems.remove("key")
      let type = fields[.contentType]
      secrets.formUnion(
        redaction.maskingNamedValues(in: entry.response.body, contentType: type).values)
    }
    return secrets
  }

  /// Returns the exchange as an entry with secrets masked.
  func entry(_ mask: SecretMask) -> HAR.Entry {
    let (response, isCut) = (entry.response, bodySize > keptBytes)
    let isComplete = if case .complete = ending { !isCut } else { false }
    var masked = entry
    masked.url = mask.masked(redaction.redacting(url: entry.url))
    masked.headerFields = self.masked(request.headerFields, mask)
    masked.body = entry.body.map {
      self.masked($0, request.headerFields, isCut: entry.bodySize != nil, mask)
    }
    masked.response = Sample(
      status: HTTPResponse.Status(
        code: response.status.code, reasonPhrase: mask.masked(response.status.reasonPhrase)),
      headerFields: self.masked(response.headerFields, mask),
      body: self.masked(response.body, response.headerFields, isCut: !isComplete, mask))
    masked.responseSize = isCut ? bodySize : nil
    masked.failure = entry.failure.map { mask.masked($0) }
    var comments = comments
    if isCut { comments.append("The response's body is cut off after \(keptBytes) bytes.") }
    switch ending {
    case nil where headTime == nil: comments.append("The response had not arrived yet.")
    case nil: comments.append("The response's body was still arriving.")
    case .unread: comments.append("The response's body was not read to its end.")
    case .complete, .failed: break
    }
    masked.comment = comments.isEmpty ? nil : comments.joined(separator: " ")
    return masked
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
    // The mask contains the secrets of all requests.
    let none = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
    let named = redaction.redacting(
      body: body, contentType: fields[.contentType], secretsOf: none)
    return mask.masked(redaction.redactingLinks(in: named) ?? named, isCut: isCut)
  }
}
