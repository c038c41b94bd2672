import Curlew

nonisolated struct Song: Decodable, Equatable, Identifiable, Sendable {
  let trackId: Int
  let trackName: String
  let artistName: String

  var id: Int { trackId }
}
