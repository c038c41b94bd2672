public import Curlew
public import Domain

/// Apple's iTunes store.
public struct ITunesStore: MovieStore {
  private let client: Client

  /// Creates a store; the client's base URL is `https://itunes.apple.com`.
  public init(client: Client) {
    self.client = client
  }

  /// Requests the best-selling movies.
  ///
  /// An undecodable entry keeps its rank, so that the other entries have the correct ranks.
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
