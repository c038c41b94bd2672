public import Curlew
public import Foundation
import HTTPTypes
import Synchronization

/// Records the requests of clients and their responses as ``HAR``, with secrets masked and limited in size.
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
/// Nothing that ``Redaction`` masks is in the recording: secret header fields, query items, and members of
/// forms and JSON; nor are their values anywhere else in it, also where they are percent-encoded, escaped
/// or base64. A token that a response contains is masked there as soon as a request was sent with it. Values
/// of fewer than four bytes are masked under their names only.
///
/// It may be shared by clients. When it is full, it keeps what it has: the oldest exchanges; later ones are
/// counted in the recording's ``HAR/comment``.
public final class HARRecorder: Sendable {
  private struct State {
    var exchanges: [RecordedExchange] = []
    /// The number of bytes in the exchanges.
    var held = 0
    var isFull = false
    /// The number of exchanges that were not kept.
    var missed = 0
    /// The secrets of requests that were not kept: a response that was kept may contain them.
    var secrets: Set<String> = []
  }

  /// The number of secrets that are remembered of requests that were not kept.
  private static let secretLimit = 10_000

  private let limit: Int
  private let bodyLimit: Int
  private let redaction: Redaction
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes of all exchanges together, in memory: 64 MiB by default.
  ///   - bodyLimit: The maximum number of bytes of a body: 8 MiB by default. What is longer is cut off,
  ///     which the entry's comment says.
  ///   - redaction: What is masked in addition to what each request's redaction masks.
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

  /// The exchanges so far in the order in which they began, without secrets.
  ///
  /// Those that are still running have what has arrived, and a comment that says so. Requests without a
  /// response have the status 0, and the reason as ``HAR/Entry/failure``.
  public var har: HAR {
    let (exchanges, known, missed) = state.withLock { ($0.exchanges, $0.secrets, $0.missed) }
    let mask = SecretMask(exchanges.reduce(into: known) { $0.formUnion($1.secrets) })
    let comment =
      missed == 0
      ? nil : "\(missed) later exchanges are not recorded: the limit is \(limit) bytes."
    return HAR(entries: exchanges.map { $0.entry(mask) }, comment: comment)
  }

  /// Writes the exchanges so far to a file, as ``HAR/write(to:)`` does.
  ///
  /// - Throws: ``HAR/WritingError``.
  public func write(to file: URL) throws(HAR.WritingError) { try har.write(to: file) }

  /// Begins an exchange at a time on its client's clock; returns its index, or `nil` if it is not kept.
  func begin(_ request: OutgoingRequest, at time: Duration) -> Int? {
    var redaction = request.redaction
    redaction.formUnion(self.redaction)
    let exchange = RecordedExchange(
      request, redaction, bodyLimit: bodyLimit, startedAt: now(), start: time)
    let size = exchange.size
    return state.withLock { state in
      state.isFull = state.isFull || state.held + size > limit
      guard !state.isFull else {
        state.missed += 1
        if state.secrets.count < Self.secretLimit {
          state.secrets.formUnion(redaction.secretValues(of: request.head))
        }
        return nil
      }
      state.held += size
      state.exchanges.append(exchange)
      return state.exchanges.count - 1
    }
  }

  /// Records a response that came from a cache, without a request on the wire.
  func record(_ response: IncomingResponse, to request: OutgoingRequest) {
    guard let status = response.cacheStatus else { return }
    let time = request.clock?.now ?? .zero
    guard let index = begin(request.forwarded(status), at: time) else { return }
    receive(response, of: index, at: time)
    if let data = response.body.data { receive(data, of: index) }
    end(index, response.body.data == nil ? .unread : .complete, at: time)
  }

  /// Adds a response's head to an exchange.
  func receive(_ response: IncomingResponse, of index: Int, at time: Duration) {
    state.withLock { state in
      // However large it is: it has a limit of its own.
      state.held += RecordedExchange.size(of: response.head.headerFields)
      state.exchanges[index].receive(
        response.head, to: response.request?.head, version: response.httpVersion, at: time)
    }
  }

  /// Adds bytes of a response's body to an exchange, as far as they fit.
  func receive(_ bytes: Data, of index: Int) {
    state.withLock { state in
      let count = min(
        bytes.count, bodyLimit - state.exchanges[index].keptBytes, limit - state.held)
      state.exchanges[index].receive(bytes, keeping: max(0, count))
      state.held += max(0, count)
    }
  }

  /// Ends an exchange; only its first end counts.
  func end(_ index: Int, _ ending: RecordedExchange.Ending, at time: Duration) {
    state.withLock { $0.exchanges[index].end(ending, at: time) }
  }
}

extension HARRecorder: CustomReflectable {
  /// A mirror that shows no exchanges: they contain secrets.
  public var customMirror: Mirror { Mirror(self, children: ["limit": limit]) }
}
