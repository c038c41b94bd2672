import Curlew
import CurlewRecording
import Foundation
import Synchronization

/// Handles requests that are missing in a replayed recording.
package final class Replay: Sendable {
  /// An error thrown if a page is not recorded.
  package struct MissingPage: Error, CustomStringConvertible, LocalizedError {
    let page: Int
    package init(page: Int) { self.page = page }
    package var description: String { "The recording has no page \(page)." }
    var errorDescription: String? { description }
  }

  /// A load, and whether it used a different page than requested.
  final class Load: Sendable {
    private let state = Mutex(false)
    var usedOtherPage: Bool { state.withLock { $0 } }
    func recordOtherPage() { state.withLock { $0 = true } }
  }

  /// The load of the current task.
  @TaskLocal static var current: Load?

  private let log: Log
  private let hasWarned = Mutex(false)

  /// Creates a replay; it logs each missing request, and notifies the user once.
  package init(_ log: Log) {
    self.log = log
  }

  /// Reports that the recording of a different query was used.
  package func note(_ request: String, _ recording: String) {
    let isOtherPage = Self.page(in: request) != Self.page(in: recording)
    if isOtherPage, let load = Self.current { load.recordOtherPage() }
    let isFirst = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirst {
      Log.standardError.write(
        "Some requests are not recorded: the most similar recordings of the same path are used.")
    }
    log.write("\(request) is not recorded; used \(recording)")
  }

  /// Loads a value.
  ///
  /// - Throws: ``MissingPage`` if a page after the first is not recorded, or was replaced by
  ///   another page; ``Failure`` if any other request is not recorded.
  @concurrent
  static func load<Value: Sendable>(
    page: Int = 1, _ load: @Sendable () async throws -> Value
  ) async throws -> Value {
    let this = Load()
    do {
      let value = try await Self.$current.withValue(this) { try await load() }
      guard page > 1, this.usedOtherPage else { return value }
    } catch Client.Error.invalidRequest {
      guard page > 1 else {
        throw Failure("The recording has no response to this request.", status: .unavailable)
      }
    }
    throw MissingPage(page: page)
  }

  /// Returns the page in a URL's query; 1 by default.
  private static func page(in url: String) -> Int {
    url.firstMatch(of: /[?&]page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
  }
}
