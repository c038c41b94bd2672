public import Curlew
public import Domain

/// Apple's iTunes store.
public struct ITunesStore: MovieStore {
  private let client: Client

  /// Uses a client whose base URL is that of Apple's feeds: `https://itunes.apple.com`.
  public init(client: Client) {
    self.client = client
  }

  /// Asks for the movies that sell best.
  ///
  /// An entry that can't be read keeps its rank, so that the others have theirs.
  public func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie> {
    let response = try await client.response(
      for: ITunes.topMovies(country: country, limit: limit))
    let entries = response.value.entries
    let unreadable = Set(entries.failures.map(\.index))
    let ranks = (0..<entries.elements.count + unreadable.count).filter { !unreadable.contains($0) }
    return Listing(
      zip(ranks, entries.elements).map { $1.movie(rank: $0 + 1) }, damaged: entries.damaged,
      asOf: response.asOf)
  }
}
