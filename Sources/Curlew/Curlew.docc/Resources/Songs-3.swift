import Curlew

nonisolated struct Song: Decodable, Equatable, Identifiable, Sendable {
  let trackId: Int
  let trackName: String
  let artistName: String

  var id: Int { trackId }
}

nonisolated struct SongList: Decodable, Sendable {
  let results: [Song]
}

nonisolated enum ITunes {
  static func songs(_ term: String) -> Request<SongList> {
    .get("/search", query: ["term": term, "entity": "song"])
  }

  static let client = Client(baseURL: "https://itunes.apple.com") {
    $0.middleware = [.retrying()]
    $0.cache = .memory()
  }
}
