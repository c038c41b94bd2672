/// The repositories that the user has marked with a star since the start.
struct StarredRepositories: Sendable {
  /// The repositories, the one with the newest star first.
  private(set) var repositories: [Repository] = []

  func contains(_ repository: Repository) -> Bool {
    repositories.contains { $0.id == repository.id }
  }

  /// Adds a repository; one that is there already keeps its place.
  mutating func add(_ repository: Repository) {
    guard !contains(repository) else { return }
    repositories.insert(repository, at: 0)
  }

  mutating func remove(_ repository: Repository) {
    repositories.removeAll { $0.id == repository.id }
  }
}
