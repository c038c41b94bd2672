public import CurlewScreens
public import Domain

extension Watch {
  /// The phases of the screen.
  public enum Phase: Equatable, Sendable {
    /// No repository was typed.
    case idle
    /// The repository is being looked up.
    case lookingUp
    /// New issues are shown as they are opened.
    case following
    /// The user paused the updates.
    case paused
    /// The host ended the stream.
    case ended
    /// The repository does not exist.
    case missing
    /// The lookup or the stream failed.
    case failed(LoadFailure)

    /// The failure; `nil` in the other phases.
    public var failure: LoadFailure? {
      if case .failed(let failure) = self { failure } else { nil }
    }
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The text in the field.
    public internal(set) var text = ""
    /// The current phase.
    public internal(set) var phase = Phase.idle
    /// The repository that is watched or looked up; once loaded, by its current name.
    public private(set) var repository: RepositoryName?
    /// The newest issues first, at most ``Watch/most``.
    public private(set) var issues: [Issue] = []
    /// The number of issues opened since watching began, including issues that are no longer
    /// listed.
    public private(set) var opened = 0
    /// Messages about skipped entries, one sentence each.
    public private(set) var skippedEntries: [String] = []
    /// Whether the issues belong to the repository.
    public private(set) var isLoaded = false
    /// The repository by the name that the user typed.
    private(set) var typed: RepositoryName?
    @Unobserved private(set) var position = StreamPosition()

    /// Creates the state without a watched repository.
    public init(text: String = "") {
      self.text = text
    }

    /// Begins to look up a repository; keeps the previous repository's issues until it is found.
    mutating func begin(_ name: RepositoryName) {
      (phase, typed, repository) = (.lookingUp, name, name)
      (opened, skippedEntries, isLoaded) = (0, [], false)
      position = StreamPosition()
    }

    /// Stores the newest issues of a repository.
    mutating func show(_ listing: Listing<Issue>, of name: RepositoryName) {
      (repository, isLoaded) = (name, true)
      issues = Array(listing.items.prefix(Watch.most))
      skippedEntries = listing.skippedEntries
    }

    /// Inserts an issue at the top, once: after a reconnect, a host may repeat issues.
    mutating func add(_ event: IssueEvent) {
      guard phase == .following else { return }
      if let next = event.position { position.value = next }
      switch event.content {
      case .damaged:
        // A stream has no end, so the list of messages needs a limit.
        guard skippedEntries.count < 1_000 else { return }
        skippedEntries.append("Issue event \(event.position ?? "") can’t be shown.")
      case .opened(let issue):
        guard !issues.contains(where: { $0.id == issue.id }) else { return }
        opened += 1
        issues = Array(([issue] + issues).prefix(Watch.most))
      }
    }
  }
}
