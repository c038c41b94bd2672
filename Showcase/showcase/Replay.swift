import Curlew
import Domain
import Synchronization

/// What a replay has to make do with: a recording seldom has every request.
final class Replay: Sendable {
  /// A page that is not recorded.
  struct MissingPage: Error, CustomStringConvertible {
    let page: Int
    var description: String { "The recording has no page \(page)." }
  }

  private let log: Log
  private let state = Mutex((hasToldUser: false, missing: Set<Int>()))

  /// Writes each request that is not recorded to a log; the user hears of it once.
  init(_ log: Log) {
    self.log = log
  }

  /// Notes that the recording of another query was used.
  func note(_ match: HARTransport.NearMatch) {
    let isFirst = state.withLock { state in
      let page = Self.page(in: match.request)
      if page != Self.page(in: match.recording) { state.missing.insert(page) }
      defer { state.hasToldUser = true }
      return !state.hasToldUser
    }
    if isFirst {
      Log.standardError.write(
        "Not every request is recorded: the nearest recordings of the same path are used.")
    }
    log.write("\(match)")
  }

  /// Loads a page.
  ///
  /// - Throws: ``MissingPage`` when another page was used for one after the first, or none is recorded.
  func load<Item>(
    _ page: Int, _ load: (Int) async throws -> Listing<Item>
  ) async throws -> Listing<Item> {
    do {
      let listing = try await load(page)
      guard page > 1, state.withLock({ $0.missing.contains(page) }) else { return listing }
    } catch Client.Error.invalidRequest where page > 1 {
      // Not recorded at all.
    }
    throw MissingPage(page: page)
  }

  /// The page that a URL asks for; the first where it doesn't say.
  private static func page(in url: String) -> Int {
    url.firstMatch(of: /[?&]page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
  }
}
