import Curlew
import CurlewScreens
import Foundation

// MARK: Network

nonisolated struct TopMovie: Decodable, Identifiable, Equatable, Sendable {
  struct Label: Decodable, Equatable, Sendable { let label: String }

  struct ReleaseDate: Decodable, Equatable, Sendable { let attributes: Label }

  struct Identity: Decodable, Equatable, Sendable { let attributes: [String: String] }

  enum CodingKeys: String, CodingKey {
    case identity = "id"
    case name = "im:name"
    case images = "im:image"
    case price = "im:price"
    case released = "im:releaseDate"
  }

  let identity: Identity
  let name: Label
  /// Sorted by ascending size.
  let images: [Label]
  /// Missing for movies that are only rented.
  let price: Label?
  let released: ReleaseDate?

  var id: String { identity.attributes["im:id"] ?? name.label }
  var poster: URL? { images.last.flatMap { URL(string: $0.label) } }
}

nonisolated struct TopMovies: Decodable, Sendable {
  struct Feed: Decodable, Sendable { let entry: LossyList<TopMovie>? }

  let feed: Feed
}

nonisolated struct RankedMovie: Identifiable, Equatable, Sendable {
  let rank: Int
  let movie: TopMovie

  var id: String { movie.id }

  var details: String {
    let parts = ["\(rank)", movie.price?.label, movie.released?.attributes.label]
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}

nonisolated struct ITunes: Sendable {
  var client = Client(baseURL: "https://itunes.apple.com") { $0.middleware = [.retrying()] }

  func topMovies() async throws -> [RankedMovie] {
    let movies: TopMovies = try await client.send(.get("/us/rss/topmovies/limit=25/json"))
    let entries = movies.feed.entry?.elements ?? []
    return entries.enumerated().map { RankedMovie(rank: $0 + 1, movie: $1) }
  }
}

// MARK: Views

#if canImport(SwiftUI)
  import CurlewSwiftUI
  import SwiftUI

  struct TopMoviesView: View {
    @State private var model = ScreenModel(Feed { _ in Page(try await ITunes().topMovies()) })

    var body: some View {
      NavigationStack {
        FeedList(model) { ranked in
          PosterRow(
            poster: ranked.movie.poster, title: ranked.movie.name.label, details: ranked.details)
        }.navigationTitle("Top Movies").activity(of: model).running(model)
      }
    }
  }
#endif
