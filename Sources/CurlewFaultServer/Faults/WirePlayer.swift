import Curlew
import Foundation

/// Plays a script on a clock.
///
/// Times are counted from the start of the response, so that a single large advance of the clock delivers all pieces
/// that are due by then.
struct WirePlayer: Sendable {
  enum Event: Sendable {
    case bytes(Data)
    case cut
    case reset
  }

  private var steps: ArraySlice<WireScript.Step>
  private var sending: (rest: Data, rate: Int?)?
  private var due = Duration.zero
  private let clock: RelativeClock

  init(_ script: WireScript, on clock: any Clock<Duration>) {
    steps = script.steps[...]
    self.clock = RelativeClock(clock)
  }

  /// Returns the next event once it is due, or `nil` at the end of the script.
  ///
  /// - Throws: `CancellationError` when the task is cancelled during a wait.
  mutating func next() async throws -> Event? {
    while true {
      if let bytes = try await piece() { return .bytes(bytes) }
      switch steps.popFirst() {
      case nil: return nil
      case .send(let data, let rate)?: sending = (data, rate)
      case .pause(let duration)?:
        due += duration
        try await clock.sleep(until: due)
      case .end(.cut)?: return .cut
      case .end(.reset)?: return .reset
      case .end(.silence)?: try await Self.waitForCancellation()
      }
    }
  }

  /// Returns the next piece of the current `send` step.
  private mutating func piece() async throws -> Data? {
    guard let rest = sending?.rest, !rest.isEmpty else { return nil }
    try Task.checkCancellation()
    let rate = sending?.rate
    let piece = Data(rest.prefix(rate.map { max($0 / 10, 1) } ?? rest.count))
    sending = (rest.dropFirst(piece.count), rate)
    if let rate {
      due += .seconds(1) * piece.count / rate
      try await clock.sleep(until: due)
    }
    return piece
  }

  private static func waitForCancellation() async throws -> Never {
    let (never, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    continuation.finish()
    throw CancellationError()
  }
}
