public import Curlew
import HTTPTypes
import Synchronization

/// Responds to requests from a recording instead of a network.
///
/// A request gets the response that was recorded for the same method and URL. The order of the query
/// items does not matter, nor does how characters are percent-encoded (RFC 3986 section 6.2.2), nor
/// the secret query items, which recorders mask or leave out; a recording with the same secrets comes
/// first. An exchange whose body ended too early (``HAR/Entry/failure``) fails so again; one without a
/// response is ignored. A repeated request gets the next recording of it. A request that is not recorded throws
/// ``Client/Error/invalidRequest(_:)``, which lists up to three recordings: of the same host, those of
/// the same path first, or else the first three.
public final class HARTransport: Transport {
  /// How closely a request must match a recording.
  public enum Mode: Sendable, Hashable {
    /// Each recording is used once, and only for its own URL.
    case strict
    /// The last recording of a request is repeated. A request without one gets the recording of the
    /// same method and path that shares the most query items with it, the first of several.
    case lenient
  }

  /// Receives a request without a recording of its own, and the recording that was used instead: method and
  /// URL of each, without secrets.
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
  ///   - onNearMatch: Called for each request that gets the recording of another query, which
  ///     ``Mode/lenient`` allows.
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
    let equal = candidates.filter { urls[$0].items(apartFrom: secrets) == items }
    // Prefer a recording with the same secrets: one key may have been rejected and another accepted.
    let same = equal.filter { urls[$0].items() == url.items() }
    guard
      let index = try equal.isEmpty
        ? nearest(to: url, among: candidates, apartFrom: secrets)
        : next(of: same.isEmpty ? equal : same, request)
    else { throw request.invalid(notRecorded(request, url)) }
    if equal.isEmpty {
      onNearMatch(request.description, name(of: index, request))
    }
    return har.entries[index].replayed
  }

  /// The first that was not used yet; the last again where that is allowed.
  private func next(of equal: [Int], _ request: OutgoingRequest) throws -> Int {
    try used.withLock { used in
      let unused = equal.first { !used.contains($0) }
      guard let index = unused ?? (mode == .lenient ? equal.last : nil) else {
        let count =
          equal.count == 1 ? "its one recording was" : "its \(equal.count) recordings were"
        throw request.invalid("\(count) used already, and strict replay uses each once")
      }
      used.insert(index)
      return index
    }
  }

  /// The first of those that share the most items, where another query is allowed; among them one with
  /// the same secrets.
  private func nearest(
    to url: RecordedURL, among candidates: [Int], apartFrom secrets: Set<String>
  ) -> Int? {
    guard mode == .lenient else { return nil }
    func shared(_ index: Int, apartFrom names: Set<String>) -> Int {
      let items = url.items(apartFrom: names)
      return urls[index].items(apartFrom: names).reduce(0) {
        $0 + min($1.value, items[$1.key] ?? 0)
      }
    }
    let scored = candidates.map {
      (index: $0, score: (shared($0, apartFrom: secrets), shared($0, apartFrom: [])))
    }
    return scored.max { $0.score < $1.score }?.index
  }

  private func notRecorded(_ request: OutgoingRequest, _ url: RecordedURL) -> String {
    guard !har.entries.isEmpty else { return "nothing is recorded at all" }
    let ofHost = urls.indices.filter { urls[$0].resource.authority == url.resource.authority }
    let ofPath = ofHost.filter { urls[$0].resource.segments == url.resource.segments }
    var names: [String] = []
    for index in ofHost.isEmpty ? Array(urls.indices) : ofPath + ofHost where names.count < 3 {
      let name = name(of: index, request)
      if !names.contains(name) { names.append(name) }
    }
    return "no such request is recorded; recorded are \(names.joined(separator: ", "))"
  }

  /// Method and URL of a recording, without secrets.
  private func name(of index: Int, _ request: OutgoingRequest) -> String {
    "\(har.entries[index].method) \(request.redaction.redacting(url: har.entries[index].url))"
  }
}

extension HAR.Entry {
  /// The recorded response, with a body that fails where the recorded one failed.
  fileprivate var replayed: IncomingResponse {
    var sample = response
    // The recorded body is the decoded one.
    for name: HTTPField.Name in [.contentEncoding, .contentLength, .transferEncoding] {
      sample.headerFields[name] = nil
    }
    var replayed = sample.response
    replayed.httpVersion = httpVersion
    if let failure {
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
}

extension Transport where Self == HARTransport {
  /// Responds to requests from a recording instead of a network.
  ///
  /// - Parameters:
  ///   - har: The recording.
  ///   - mode: How closely a request must match a recording.
  ///   - onNearMatch: Called for each request that gets the recording of another query.
  public static func har(
    _ har: HAR, mode: HARTransport.Mode = .strict,
    onNearMatch: @escaping HARTransport.NearMatchHandler = { _, _ in }
  ) -> Self {
    HARTransport(har, mode: mode, onNearMatch: onNearMatch)
  }
}
