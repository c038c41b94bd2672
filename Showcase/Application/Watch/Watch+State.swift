public import CurlewScreens
public import Domain

extension Watch {
  /// What the screen does; it is in exactly one of these cases.
  public enum Phase: Equatable, Sendable {
    /// No repository was typed.
    case idle
    /// The repository is looked for.
    case looking
    /// Issues are shown as they are opened.
    case following
    /// The user wants to see no more for now.
    case paused
    /// The host has no more to tell.
    case ended
    /// There is no such repository.
    case missing
    /// It did not work.
    case failed(LoadFailure)

    /// Why it did not work.
    public var failure: LoadFailure? {
      if case .failed(let failure) = self { failure } else { nil }
    }
  }

  /// What the screen shows.
  public struct State: Equatable, Sendable {
    /// What is typed.
    public internal(set) var text = ""
    /// What the screen does.
    public internal(set) var phase = Phase.idle
    /// The repository that is watched or looked for, by its present name as soon as that is known.
    public private(set) var repository: RepositoryName?
    /// The newest issues, newest first, at most ``Watch/most``.
    public private(set) var issues: [Issue] = []
    /// How many of them were opened since the repository is watched, also those that are gone again.
    public private(set) var opened = 0
    /// What could not be read and was left out, a sentence each.
    public private(set) var skippedEntries: [String] = []
    /// Whether the issues are those of the repository.
    public private(set) var isLoaded = false
    /// The repository by the name that was typed.
    private(set) var typed: RepositoryName?
    @Unobserved private(set) var position = StreamPosition()

    /// Creates the state of nothing that is watched.
    public init(text: String = "") {
      self.text = text
    }

    /// Begins to look for a repository; the issues of another one stay until then.
    mutating func begin(_ name: RepositoryName) {
      (phase, typed, repository) = (.looking, name, name)
      (opened, skippedEntries, isLoaded) = (0, [], false)
      position = StreamPosition()
    }

    /// Shows the newest issues of a repository.
    mutating func show(_ listing: Listing<Issue>, of name: RepositoryName) {
      (repository, isLoaded) = (name, true)
      issues = Array(listing.items.prefix(Watch.most))
      skippedEntries = listing.skippedEntries
    }

    /// Adds an issue on top, once: a host may repeat those that it sent before a connection was lost.
    mutating func add(_ event: IssueEvent) {
      guard phase == .following else { return }
      if let next = event.position { position.value = next }
      switch event.content {
      case .damaged:
        // A stream may last for ever.
        guard skippedEntries.count < 1_000 else { return }
        skippedEntries.append("Event \(event.position ?? "") could not be read.")
      case .opened(let issue):
        guard !issues.contains(where: { $0.id == issue.id }) else { return }
        opened += 1
        issues = Array(([issue] + issues).prefix(Watch.most))
      }
    }
  }
}
