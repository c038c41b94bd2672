import CurlewScreens
import Foundation
import Synchronization
public import Testing

/// Streams whose elements a test, or an exploration, supplies: a screen's work opens one with ``open()``, and the test yields
/// to it until it ends.
///
/// ```swift
/// let prices = PendingStreams<Int>()
/// let probe = ScreenProbe(Ticker { prices.open() })
/// probe.send(.follow)
/// prices.yield(3)
/// probe.settle()
/// ```
public final class PendingStreams<Element: Sendable>: Sendable {
  private typealias Stream = AsyncThrowingStream<Element, any Error>

  private struct Opened {
    let id: Int
    let continuation: Stream.Continuation
    /// The number of elements that an exploration has yielded.
    var count = 0
  }

  private let state = Mutex((count: 0, open: [Opened]()))
  private let elements: [Element]

  /// Creates an instance without streams.
  ///
  /// - Parameter elements: The elements that an exploration yields to each stream, in this order.
  public init(_ elements: [Element] = []) { self.elements = elements }

  /// How many streams have been opened.
  public var opened: Int { state.withLock { $0.count } }

  /// How many streams are open: they have not ended, and their work has not been cancelled.
  public var active: Int { state.withLock { $0.open.count } }

  /// Opens a stream.
  public func open() -> AsyncThrowingStream<Element, any Error> {
    let (stream, continuation) = Stream.makeStream()
    // The first stream of a new run.
    if let run = ExplorationRun.current, run.add(self) { state.withLock { $0 = (0, []) } }
    let id = state.withLock { state in
      state.count += 1
      state.open.append(Opened(id: state.count, continuation: continuation))
      return state.count
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.open.removeAll { $0.id == id } }
    }
    return stream
  }

  /// Yields an element to the open stream at an index, by default the oldest.
  ///
  /// The test fails if no stream is open at the index.
  public func yield(
    _ element: Element, to index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    stream(at: index, sourceLocation)?.yield(element)
  }

  /// Ends the open stream at an index, by default the oldest, with an error or without.
  ///
  /// The test fails if no stream is open at the index.
  public func finish(
    throwing error: (any Error)? = nil, to index: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    stream(at: index, sourceLocation)?.finish(throwing: error)
  }

  private func stream(at index: Int, _ sourceLocation: SourceLocation) -> Stream.Continuation? {
    let streams = state.withLock { $0.open }
    if streams.indices.contains(index) { return streams[index].continuation }
    failTest(
      "No stream is open at index \(index). Open: \(streams.count).",
      sourceLocation: sourceLocation)
    return nil
  }
}

extension PendingStreams: StepSource {
  /// The next element of each stream, and its end with an error or without.
  var nextSteps: [ExplorationStep] {
    state.withLock { $0.open }.enumerated().flatMap { index, stream in
      let next = elements.dropFirst(stream.count).prefix(1).map { element in
        ExplorationStep("streams.yield(\(ValueText.code(element)), to: \(index))", .progress) {
          [self] in
          state.withLock { state in
            let index = state.open.firstIndex { $0.id == stream.id }
            if let index { state.open[index].count += 1 }
          }
          stream.continuation.yield(element)
        }
      }
      let lost = URLError(.networkConnectionLost)
      return next + [
        ExplorationStep("streams.finish(to: \(index))") { stream.continuation.finish() },
        ExplorationStep("streams.finish(throwing: URLError(.networkConnectionLost), to: \(index))")
        {
          stream.continuation.finish(throwing: lost)
        },
      ]
    }
  }

  var pendingCalls: [String] { state.withLock { $0.open.map { "stream \($0.count)" } } }

  func cancelAll() {
    for stream in state.withLock({ $0.open }) { stream.continuation.finish() }
  }
}
