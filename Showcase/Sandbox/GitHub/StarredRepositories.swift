/// The repositories starred since the start of the sandbox.
struct StarredRepositories: Sendable {
  /// The repositories, most recently starred first.
  private(set) var repositories: [Repository] = []

  func contains(_ repository: Repository) -> Bool {
    repositories.contains { $0.id == repository.id }
  }

  /// Adds a repository; a starred repository keeps its position.
  mutating func add(_ repository: Repository) {
    guard !contains(repository) else { return }
    repositories.insert(repository, at: 0)
  }

  mutating func remove(_ repository: Repository) {
    repositories.removeAll { $0.id == repository.id }
  }
}
