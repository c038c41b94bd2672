public import Curlew
public import Foundation
import HTTPTypes
import Synchronization

/// Records the requests and responses of clients as ``HAR``, with secrets masked and sizes limited.
///
/// ```swift
/// let recorder = HARRecorder()
/// let client = Client(baseURL: "https://api.github.com") {
///   $0.networkMiddleware = [.cookies(), .recording(recorder)]
/// }
/// …
/// try recorder.write(to: file)
/// ```
///
/// All secrets that `Redaction` defines are masked: secret header fields, query items, and members of forms and JSON.
/// Their values are masked everywhere else, too, also if they are percent-encoded, escaped or in base64. A token in a
/// response is masked once a request was sent with it. Values of fewer than four bytes are masked only under their
/// names.
///
/// A recorder can be shared by clients. A full recorder keeps the oldest exchanges; the recording's ``HAR/comment``
/// counts the later exchanges.
public final class HARRecorder: Sendable {
  private struct State {
    var exchanges: [RecordedExchange] = []
    /// The size of the exchanges in bytes.
    var storedSize = 0
    var isFull = false
    /// The number of dropped exchanges.
    var droppedExchanges = 0
    /// The secrets of dropped requests, which may recur in recorded responses.
    var secrets: Set<String> = []
  }

  /// The limit on secrets of dropped requests, checked before a request's secrets are added.
  private static let secretLimit = 10_000

  private let limit: Int
  private let bodyLimit: Int
  private let redaction: Redaction
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - limit: The maximum size of all exchanges together in memory, in bytes: 64 MiB by default.
  ///   - bodyLimit: The maximum size of a body in bytes: 8 MiB by default. Longer bodies are truncated, which the
  ///     entry's comment reports.
  ///   - redaction: The secrets to mask in addition to the secrets of each request's redaction.
  ///   - now: Returns the current date.
  public init(
    limit: Int = 64 << 20, bodyLimit: Int = 8 << 20, redaction: Redaction = Redaction(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.limit = limit
    self.bodyLimit = max(0, bodyLimit)
    self.redaction = redaction
    self.now = now
  }

  /// The exchanges so far in the order in which they began, with secrets masked.
  ///
  /// A running exchange has the bytes received so far, and a comment that it is incomplete. A request without a
  /// response has the status 0, and its error as ``HAR/Entry/failure``.
  public var har: HAR {
    let (exchanges, known, droppedExchanges) = state.withLock {
      ($0.exchanges, $0.secrets, $0.droppedExchanges)
    }
    let mask = SecretMask(exchanges.reduce(into: known) { $0.formUnion($1.secrets) })
    let comment =
      droppedExchanges == 0
      ? nil : "\(droppedExchanges) later exchanges are not recorded: the limit is \(limit) bytes."
    return HAR(entries: exchanges.map { $0.entry(mask) }, comment: comment)
  }

  /// Writes the exchanges so far to a file, as ``HAR/write(to:)`` does.
  ///
  /// - Throws: ``HAR/WritingError``.
  public func write(to file: URL) throws(HAR.WritingError) { try har.write(to: file) }

  /// Starts an exchange at a time on its client's clock; returns its index, or `nil` if it is dropped.
  func begin(
    _ request: OutgoingRequest, cacheStatus: CacheStatus? = nil, at time: Duration
  ) -> Int? {
    var redaction = request.redaction
    redaction.formUnion(self.redaction)
    let exchange = RecordedExchange(
      request, redaction, cacheStatus ?? request.cacheStatus, bodyLimit: bodyLimit,
      startedAt: now(), start: time)
    let size = exchange.size
    return state.withLock { state in
      state.isFull = state.isFull || state.storedSize + size > limit
      guard !state.isFull else {
        state.droppedExchanges += 1
        if state.secrets.count < Self.secretLimit {
          state.secrets.formUnion(redaction.secretValues(of: request.head))
        }
        return nil
      }
      state.storedSize += size
      state.exchanges.append(exchange)
      return state.exchanges.count - 1
    }
  }

  /// Records a response from a cache, without a network request.
  func record(_ response: IncomingResponse, to request: OutgoingRequest) {
    guard let status = response.cacheStatus else { return }
    let time = request.time
    guard let index = begin(request, cacheStatus: status, at: time) else { return }
    receive(response, of: index, at: time)
    if let data = response.body.data { receive(data, of: index) }
    end(index, response.body.data == nil ? .unread : .complete, at: time)
  }

  /// Adds a response's head to an exchange.
  func receive(_ response: IncomingResponse, of index: Int, at time: Duration) {
    state.withLock { state in
      // Header fields are not limited here: they have a limit of their own.
      state.storedSize += RecordedExchange.size(of: response.head.headerFields)
      state.exchanges[index].receive(
        response.head, to: response.request, version: response.httpVersion, at: time)
    }
  }

  /// Adds bytes of a response's body to an exchange, up to the limits.
  func receive(_ bytes: Data, of index: Int) {
    state.withLock { state in
      let count = min(
        bytes.count, bodyLimit - state.exchanges[index].keptBytes, limit - state.storedSize)
      state.exchanges[index].receive(bytes, keeping: max(0, count))
      state.storedSize += max(0, count)
    }
  }

  /// Ends an exchange; later calls have no effect.
  func end(_ index: Int, _ ending: RecordedExchange.Ending, at time: Duration) {
    state.withLock { $0.exchanges[index].end(ending, at: time) }
  }
}

extension HARRecorder: CustomReflectable {
  /// A mirror without the exchanges, because they contain secrets.
  public var customMirror: Mirror { Mirror(self, children: ["limit": limit]) }
}
