import Curlew
import CurlewScreens

nonisolated extension Search<Song> {
  static func songs(_ find: @escaping @Sendable (String) async throws -> [Song]) -> Search<Song> {
    Search { term in try await find(term) }
  }

  static var iTunes: Search<Song> {
    songs { term in try await ITunes.client.send(ITunes.songs(term)).results }
  }
}
