import CurlewScreens

nonisolated extension Search<Song> {
  static func songs(_ find: @escaping @Sendable (String) async throws -> [Song]) -> Search<Song> {
    Search { term in try await find(term) }
  }
}
