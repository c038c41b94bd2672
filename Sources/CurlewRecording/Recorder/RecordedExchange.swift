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

  private var request: HTTPRequest
  let redaction: Redaction
  private let startedAt: Date
  /// On the client's clock.
  private let start: Duration
  private var headTime: Duration?
  private var ending: Ending?
  /// The number of bytes of the response's body, of which ``entry`` may have the beginning.
  private var bodySize = 0
  /// What the entry's comment says of the request.
  private var comments: [String]
  /// What is recorded, with its secrets; without the request's header fields.
  private var entry: HAR.Entry

  /// - Parameter bodyLimit: The number of bytes of a body that are kept.
  init(
    _ request: OutgoingRequest, _ redaction: Redaction, bodyLimit: Int, startedAt: Date,
    start: Duration
  ) {
    (self.request, self.redaction) = (request.head, redaction)
    (self.startedAt, self.start) = (startedAt, start)
    // Nobody finds secrets in what is compressed.
    let isEncoded = request.body != nil && request.head.headerFields[.contentEncoding] != nil
    let data = isEncoded ? nil : request.body?.data
    entry = HAR.Entry(
      request.head.method, request.url,
      // A copy, which does not retain the rest.
      body: data.map { $0.count <= bodyLimit ? $0 : Data(Array($0.prefix(bodyLimit))) },
      response: Sample(status: HTTPResponse.Status(code: 0)))
    entry.startedAt = startedAt
    entry.timings.send = .zero
    // What the cache said of the request before it was sent, or served.
    comments = request.cacheStatus.map { ["Cache: \($0)"] } ?? []
    if request.body != nil, data == nil {
      let state = isEncoded ? "encoded" : "streamed"
      comments.append("The request's body was \(state) and is not recorded.")
    }
    guard let size = request.body?.length, size > entry.body?.count ?? 0 else { return }
    entry.bodySize = Int(clamping: size)
    guard let body = entry.body else { return }
    comments.append("The request's body is cut off after \(body.count) bytes.")
  }

  /// The number of bytes that it holds before its response.
  var size: Int {
    Self.fixedSize + entry.url.utf8.count + Self.size(of: request.headerFields)
      + (entry.body?.count ?? 0)
  }

  /// The number of bytes of the response's body that it holds.
  var keptBytes: Int { entry.response.body.count }

  static func size(of fields: HTTPFields) -> Int {
    fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }

  /// - Parameter sent: The request with the fields that observers added; `nil` if it is not known.
  mutating func receive(
    _ head: HTTPResponse, to sent: HTTPRequest?, version: String?, at time: Duration
  ) {
    if let sent { request.headerFields = sent.headerFields }
    (entry.response.status, entry.response.headerFields) = (head.status, head.headerFields)
    (entry.httpVersion, headTime, entry.timings.wait) = (version, time, time - start)
  }

  /// Adds bytes of the body, of which only a number is kept.
  mutating func receive(_ bytes: Data, keeping count: Int) {
    entry.response.body += bytes.prefix(count)
    bodySize += bytes.count
  }

  mutating func end(_ ending: Ending, at time: Duration) {
    // The first one counts: after a failure the body is released, too.
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
  /// The secret values in it, wherever they may be quoted.
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
      // In what servers send a "key" is often no secret but an identifier, such as `mit`: it is masked where
      // it is, and not elsewhere.
      var redaction = redaction
      redaction.queryItems.remove("key")
      let type = fields[.contentType]
      secrets.formUnion(
        redaction.maskingNamedValues(in: entry.response.body, contentType: type).values)
    }
    return secrets
  }

  /// Returns it as an entry without secrets.
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
    // The mask knows the secrets of all requests.
    let none = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
    let named = redaction.redacting(
      body: body, contentType: fields[.contentType], secretsOf: none)
    return mask.masked(redaction.redactingLinks(in: named) ?? named, isCut: isCut)
  }
}
