import Curlew
import CurlewRecording
import Foundation
import Synchronization

/// What a replay has to make do with: a recording seldom has every request.
package final class Replay: Sendable {
  /// A page that is not recorded.
  package struct MissingPage: Error, CustomStringConvertible, LocalizedError {
    let page: Int
    package init(page: Int) { self.page = page }
    package var description: String { "The recording has no page \(page)." }
    var errorDescription: String? { description }
  }

  /// One load, and whether another page than the requested one was used for it.
  final class Load: Sendable {
    private let state = Mutex(false)
    var usedOtherPage: Bool { state.withLock { $0 } }
    func noteOtherPage() { state.withLock { $0 = true } }
  }

  /// The load that the current task runs.
  @TaskLocal static var current: Load?

  private let log: Log
  private let hasToldUser = Mutex(false)

  /// Writes each request that is not recorded to a log; the user hears of it once.
  package init(_ log: Log) {
    self.log = log
  }

  /// Notes that the recording of another query was used.
  package func note(_ request: String, _ recording: String) {
    let isOtherPage = Self.page(in: request) != Self.page(in: recording)
    if isOtherPage, let load = Self.current { load.noteOtherPage() }
    let isFirst = hasToldUser.withLock { hasToldUser in
      defer { hasToldUser = true }
      return !hasToldUser
    }
    if isFirst {
      Log.standardError.write(
        "Not every request is recorded: the nearest recordings of the same path are used.")
    }
    log.write("\(request) is not recorded; used \(recording)")
  }

  /// Loads something.
  ///
  /// - Throws: ``MissingPage`` when another page was used for one after the first, or none is
  ///   recorded; ``Failure`` when anything else is not recorded.
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
        throw Failure("The recording has no response to this.", status: .unavailable)
      }
    }
    throw MissingPage(page: page)
  }

  /// The page that a URL asks for; the first where it doesn't say.
  private static func page(in url: String) -> Int {
    url.firstMatch(of: /[?&]page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
  }
}
