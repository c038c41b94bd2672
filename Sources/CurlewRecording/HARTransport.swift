public import Curlew
import HTTPTypes
import Synchronization

/// A transport that responds with recorded responses, without a network.
///
/// A request gets the response that was recorded for its method, URL and body. The comparison ignores the order of the
/// query items, the percent-encoding of characters (RFC 3986 section 6.2.2), the order of the members of JSON objects
/// and of a form's fields, and the secret query items, members and fields, which recorders mask or omit; but a recording
/// with equal secrets is preferred. A body that is streamed, compressed or not recorded is not compared, and a recording
/// without its request's body is used only if no recorded body is equal. Repeated requests get successive recordings.
///
/// An exchange whose body ended too early (``HAR/Entry/failure``) or is incomplete (``HAR/Entry/responseSize``) fails
/// in the same way. The status 304 with a body, which browsers record, becomes 200. An exchange without a response is
/// ignored. A request that is not recorded throws `Client.Error.invalidRequest(_:)`, which lists up to three recordings:
/// of the same host, starting with the same path, or else the first three of all; and up to three of ``HAR/skipped``
/// with the same path.
public final class HARTransport: Transport {
  /// How closely a request must match a recording.
  public enum Mode: Sendable, Hashable {
    /// Each recording is used once, and only for its exact URL and body.
    case strict
    /// The last recording of a request is repeated.
    ///
    /// A request without a recording gets the first of the recordings with the same method and path that share the most
    /// query items with it and, among these, the most members of a JSON object or fields of a form.
    case lenient
  }

  /// Receives a request without a matching recording, and the recording that was used instead, as method and URL
  /// without secrets.
  public typealias NearMatchHandler = @Sendable (_ request: String, _ recording: String) -> Void

  private let har: HAR
  private let mode: Mode
  private let onNearMatch: NearMatchHandler
  private let urls: [RecordedURL]
  private let used: Mutex<Set<Int>>

  /// Creates a transport that responds from a recording.
  ///
  /// - Parameters:
  ///   - har: The recording.
  ///   - mode: How closely a request must match a recording.
  ///   - onNearMatch: Called for each request that gets the recording of a different query or body, as ``Mode/lenient``
  ///     allows.
  public init(
    _ har: HAR, mode: Mode = .strict,
    onNearMatch: @escaping NearMatchHandler = { _, _ in }
  ) {
    self.har = har
    self.mode = mode
    self.onNearMatch = onNearMatch
    urls = har.entries.map { RecordedURL($0.url) }
    used = Mutex([])
  }

  /// Returns the recorded response.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    try Task.checkCancellation()
    let url = RecordedURL(request.url)
    let secrets = request.redaction.queryItems
    let candidates = urls.indices.filter {
      let entry = har.entries[$0]
      return entry.method == request.head.method && urls[$0].resource == url.resource
        && entry.response.status.code > 0
    }
    let items = url.items(apartFrom: secrets)
    let body = RequestBodyMatcher(request)
    let found = candidates.filter { urls[$0].items(apartFrom: secrets) == items }
      .map { (index: $0, match: body.match(with: har.entries[$0])) }
    // Prefer a recording with the same secrets: one key may have been rejected and another accepted.
    let same = found.filter { $0.match == .same && urls[$0.index].items() == url.items() }
    let equal = found.filter { $0.match >= .equal }
    let best = [same, equal, found.filter { $0.match == .unknown }].first { !$0.isEmpty } ?? []
    guard
      let index = try best.isEmpty
        ? nearest(to: url, body, among: candidates, apartFrom: secrets)
        : next(of: best.map(\.index), request)
    else {
      throw request.invalid(notRecorded(request, url, otherBodies: found.count))
    }
    if best.isEmpty {
      onNearMatch(request.description, name(of: index, request))
    }
    return har.entries[index].replayed
  }

  /// Returns the first unused recording; in lenient mode the last one when all are used.
  private func next(of equal: [Int], _ request: OutgoingRequest) throws -> Int {
    try used.withLock { used in
      let unused = equal.first { !used.contains($0) }
      guard let index = unused ?? (mode == .lenient ? equal.last : nil) else {
        let count =
          equal.count == 1 ? "its only recording was" : "its \(equal.count) recordings were"
        throw request.invalid("\(count) already used: strict replay uses each recording once")
      }
      used.insert(index)
      return index
    }
  }

  /// Returns the first recording that shares the most query items and, among these, the most of the body and then the
  /// most secrets; `nil` in strict mode.
  private func nearest(
    to url: RecordedURL, _ body: RequestBodyMatcher, among candidates: [Int],
    apartFrom secrets: Set<String>
  ) -> Int? {
    guard mode == .lenient else { return nil }
    func shared(_ index: Int, apartFrom names: Set<String>) -> Int {
      let items = url.items(apartFrom: names)
      return urls[index].items(apartFrom: names).reduce(0) {
        $0 + min($1.value, items[$1.key] ?? 0)
      }
    }
    let scored = candidates.map {
      (
        index: $0,
        score: (
          shared($0, apartFrom: secrets), body.sharedMembers(with: har.entries[$0]),
          shared($0, apartFrom: [])
        )
      )
    }
    return scored.max { $0.score < $1.score }?.index
  }

  private func notRecorded(
    _ request: OutgoingRequest, _ url: RecordedURL, otherBodies: Int
  ) -> String {
    let skipped = har.skipped.filter { entry in
      entry.request.map { RecordedURL(String($0.drop { $0 != " " }.dropFirst())).resource }
        == url.resource
    }
    let reasons = skipped.prefix(3).map { entry in
      "; \(request.redaction.redacting(url: entry.request ?? "")) is skipped: \(entry.reason)"
    }.joined()
    guard !har.entries.isEmpty else { return "the recording has no requests" + reasons }
    let ofHost = urls.indices.filter { urls[$0].resource.authority == url.resource.authority }
    let ofPath = ofHost.filter { urls[$0].resource.segments == url.resource.segments }
    var names: [String] = []
    for index in ofHost.isEmpty ? Array(urls.indices) : ofPath + ofHost where names.count < 3 {
      let name = name(of: index, request)
      if !names.contains(name) { names.append(name) }
    }
    let subject =
      otherBodies > 0
      ? "this request is recorded only with another body" : "this request is not recorded"
    return "\(subject); recorded requests: \(names.joined(separator: ", "))\(reasons)"
  }

  /// Returns the method and the URL of a recording, without secrets.
  private func name(of index: Int, _ request: OutgoingRequest) -> String {
    "\(har.entries[index].method) \(request.redaction.redacting(url: har.entries[index].url))"
  }
}

extension HAR.Entry {
  /// The recorded response, with a body that fails if the recorded body failed or is incomplete.
  fileprivate var replayed: IncomingResponse {
    var sample = response
    // The recorded body is already decoded.
    for name: HTTPField.Name in [.contentEncoding, .contentLength, .transferEncoding] {
      sample.headerFields[name] = nil
    }
    // Browsers record the content of their cache, which the request may not have.
    if sample.status == .notModified, !sample.body.isEmpty { sample.status = .ok }
    var replayed = sample.response
    replayed.httpVersion = httpVersion
    if let failure = failure ?? missingContent {
      replayed.body = ResponseBody { [body = sample.body] in
        var rest = body.isEmpty ? nil : body
        return {
          if let piece = rest.take() { return piece }
          throw Client.TransportFailure(.other, reason: failure)
        }
      }
    }
    return replayed
  }

  /// The reason why a successful response can't be replayed to its end.
  private var missingContent: String? {
    guard let responseSize, response.status.kind == .successful, method != .head else { return nil }
    let (fields, count) = (response.headerFields, response.body.count)
    // Tools count a byte order mark, the bytes before a text's conversion to UTF-8, or (mitmproxy) the compressed bytes,
    // which are more than a very short body has.
    let charset = fields[.contentType].flatMap { MediaType($0) }?.parameters["charset"]
    let isWide = ["utf-16", "utf-32"].contains { charset?.lowercased().hasPrefix($0) == true }
    let slack =
      count == 0 ? 0 : isWide ? 3 * count + 4 : fields[.contentEncoding] != nil ? 32 : 3
    guard responseSize > count + slack else { return nil }
    return "\(count) of the \(responseSize) bytes of this body are recorded"
  }
}

extension Transport where Self == HARTransport {
  /// Responds with recorded responses, without a network.
  ///
  /// - Parameters:
  ///   - har: The recording.
  ///   - mode: How closely a request must match a recording.
  ///   - onNearMatch: Called for each request that gets the recording of a different query or body.
  public static func har(
    _ har: HAR, mode: HARTransport.Mode = .strict,
    onNearMatch: @escaping HARTransport.NearMatchHandler = { _, _ in }
  ) -> Self {
    HARTransport(har, mode: mode, onNearMatch: onNearMatch)
  }
}
