public import Curlew
public import Domain

/// Apple's store as a place that sells movies.
public struct ITunesStore: MovieStore {
  private let client: Client

  /// Uses a client whose base URL is that of Apple's feeds: `https://itunes.apple.com`.
  public init(client: Client) {
    self.client = client
  }

  /// Asks for the movies that sell best; reports the entries that can't be read.
  public func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie> {
    let entries = try await client.send(ITunes.topMovies(country: country, limit: limit)).entries
    return Listing(
      entries.elements.map(\.movie),
      damaged: entries.failures.map { DamagedEntry(index: $0.index, reason: "\($0)") })
  }
}
