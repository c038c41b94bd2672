import SwiftUI

// MARK: Network

struct TopMovie: Decodable, Identifiable, Sendable {
  private struct Labeled: Decodable { let label: String }

  private struct ReleaseDate: Decodable { let attributes: Labeled }

  private struct Identity: Decodable {
    struct Attributes: Decodable {
      enum CodingKeys: String, CodingKey { case id = "im:id" }

      let id: String
    }

    let attributes: Attributes
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case title = "im:name"
    case images = "im:image"
    case price = "im:price"
    case released = "im:releaseDate"
  }

  let id: String
  let title: String
  let poster: URL?
  let price: String?
  let released: String?

  init(from decoder: any Decoder) throws {
    let entry = try decoder.container(keyedBy: CodingKeys.self)
    id = try entry.decode(Identity.self, forKey: .id).attributes.id
    title = try entry.decode(Labeled.self, forKey: .title).label
    price = try entry.decodeIfPresent(Labeled.self, forKey: .price)?.label
    released = try entry.decodeIfPresent(ReleaseDate.self, forKey: .released)?.attributes.label
    // The last image is the largest.
    let images = try entry.decode([Labeled].self, forKey: .images)
    poster = images.last.flatMap { URL(string: $0.label) }
  }
}

struct ITunes: Sendable {
  private struct Answer: Decodable, Sendable {
    struct Feed: Decodable, Sendable { let entry: [TopMovie]? }

    let feed: Feed
  }

  var client = APIClient(baseURL: URL(string: "https://itunes.apple.com")!)

  func topMovies(limit: Int) async throws -> [TopMovie] {
    let answer: Answer = try await client.get("us/rss/topmovies/limit=\(limit)/json")
    return answer.feed.entry ?? []
  }
}

// MARK: Views

struct TopMoviesView: View {
  @State private var loader = Loader(initially: 25, fetch: ITunes().topMovies)

  var body: some View {
    NavigationStack {
      List(Array((loader.value ?? []).enumerated()), id: \.element.id) { index, movie in
        let details = [movie.price, movie.released].compactMap(\.self).joined(separator: " · ")
        PosterRow(poster: movie.poster, title: movie.title, details: "\(index + 1) · \(details)")
          .spoken("Number \(index + 1): \(movie.title), \(details)")
      }.overlay {
        if loader.value?.isEmpty == true {
          ContentUnavailableView("No Movies", systemImage: "film")
        }
      }.refreshable { await loader.refresh() }.loads(with: loader).navigationTitle("Top Movies")
    }
  }
}
