import HTTPTypes
import Synchronization

/// Answers requests from a recording instead of a network.
///
/// A request is answered by the recording of the same method and URL. It does not matter in which
/// order the query items stand, how characters are percent-encoded (RFC 3986 section 6.2.2), or
/// what the recorded values of secret query items are. Asked again, a request gets its next
/// recording. What nothing was recorded for throws ``Client/Error/invalidRequest(_:)``, which names
/// the nearest recordings.
public final class HARTransport: Transport {
  /// How closely a request must be what was recorded.
  public enum Mode: Sendable, Hashable {
    /// Each recording is used once, and only for its own URL.
    case strict
    /// The last recording of a request is repeated; with none of its own, a request gets one of the
    /// same method and path, whatever the query: the one that shares the most items with it.
    case lenient
  }

  private struct Place: Hashable {
    let method: HTTPRequest.Method
    let resource: RecordedURL.Resource
  }

  private struct Recording {
    let index: Int
    let query: [RecordedURL.Item]
  }

  private let har: HAR
  private let mode: Mode
  private let recordings: [Place: [Recording]]
  private let used: Mutex<Set<Int>>

  /// Creates a transport that answers from a recording.
  public init(_ har: HAR, mode: Mode = .strict) {
    self.har = har
    self.mode = mode
    var recordings: [Place: [Recording]] = [:]
    for (index, entry) in har.entries.enumerated() {
      let url = RecordedURL(entry.url)
      recordings[Place(method: entry.method, resource: url.resource), default: []]
        .append(Recording(index: index, query: url.query))
    }
    self.recordings = recordings
    used = Mutex([])
  }

  /// Returns the recorded answer.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    try Task.checkCancellation()
    let url = RecordedURL(request.url)
    let place = Place(method: request.head.method, resource: url.resource)
    let secret = request.redaction.queryItems
    let nearest = best(of: recordings[place] ?? []) {
      url.likeness(of: $0.query, in: mode, apartFrom: secret)
    }
    guard let first = nearest.first?.query else {
      throw request.invalid(nothingRecorded(for: request))
    }
    // Several queries may be equally near: a request that is repeated stays with the first.
    let candidates = nearest.filter { first.isEqual(to: $0.query, apartFrom: secret) }
    guard let index = next(of: candidates.map(\.index)) else {
      let count =
        candidates.count == 1 ? "its one recording was" : "its \(candidates.count) recordings were"
      throw request.invalid("\(count) used already, and strict replay uses each once")
    }
    var answer = har.entries[index].answer
    // The recorded body is the decoded one.
    for name: HTTPField.Name in [.contentEncoding, .contentLength, .transferEncoding] {
      answer.headerFields[name] = nil
    }
    return answer.response
  }

  /// The first that was not used yet; the last again where that is allowed.
  private func next(of candidates: [Int]) -> Int? {
    used.withLock { used in
      let unused = candidates.first { !used.contains($0) }
      guard let index = unused ?? (mode == .lenient ? candidates.last : nil) else { return nil }
      used.insert(index)
      return index
    }
  }

  private func nothingRecorded(for request: OutgoingRequest) -> String {
    guard !har.entries.isEmpty else { return "nothing is recorded at all" }
    let nearest = har.nearest(to: request, count: 3).joined(separator: ", ")
    return "no such request is recorded; the nearest are \(nearest)"
  }
}

extension Transport where Self == HARTransport {
  /// Answers requests from a recording instead of a network.
  public static func har(_ har: HAR, mode: HARTransport.Mode = .strict) -> Self {
    HARTransport(har, mode: mode)
  }
}

/// Returns the elements with the highest of the scores, in their order; `nil` is no candidate.
private func best<Element, Score: Comparable>(
  of elements: [Element], by score: (Element) -> Score?
) -> [Element] {
  let scored = elements.compactMap { element in score(element).map { (element, $0) } }
  guard let highest = scored.map(\.1).max() else { return [] }
  return scored.filter { $0.1 == highest }.map(\.0)
}
