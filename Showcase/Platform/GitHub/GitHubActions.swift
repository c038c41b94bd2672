import Curlew
import CurlewScreens
public import CurlewStore
import Domain
public import Foundation

extension Outbox {
  /// Returns an outbox for a ``GitHubHost``, in a file that only its user can read.
  ///
  /// - Parameters:
  ///   - file: The file, which other processes may use, too; its folder is created if necessary.
  ///   - report: A closure called with the error when the file can't be read or written, or was damaged.
  public static func gitHub(
    at file: URL, report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> Self {
    .file(
      at: file, actions: [StarRepository.self, AddComment.self, EditIssue.self], report: report)
  }
}

/// A star that is set or removed.
struct StarRepository: StoreAction {
  static let name = "star"
  let repository: RepositoryName
  let isOn: Bool

  var request: Request<Void> { GitHub.star(repository, isOn) }
  var queue: String { "star \(repository.id)" }
  var repeats: ActionRepeats { .idempotent }

  func edit(_ edit: inout StoreEdit<Void>) {
    if isOn { edit.insert(Star(id: repository.id), into: GitHub.stars) }
    if !isOn { edit.remove(Star.self, repository.id, from: GitHub.stars) }
    edit.invalidate(GitHub.stars)
  }
}

/// A new comment; GitHub would add it a second time, so its user decides after a lost response.
struct AddComment: StoreAction {
  static let name = "comment"
  let repository: RepositoryName
  let number: Int
  /// The identifier until the host has the comment.
  let id: Int
  let author, text: String
  let date: Date

  var request: Request<CommentPayload> { GitHub.comment(text, on: number, of: repository) }
  var queue: String { "comments \(repository.id) \(number)" }
  var repeats: ActionRepeats { .never }
  var issue: Issue.Reference { Issue.Reference(repository, number) }
  var comment: IssueComment { IssueComment(id: id, author: author, text: text, createdAt: date) }

  func edit(_ edit: inout StoreEdit<CommentPayload>) {
    let entry = GitHub.comments(on: issue)
    edit.insert(comment, into: entry, at: .max)
    edit.receive { $0.comment }
    edit.invalidate(entry)
  }
}

extension PendingChange {
  init(_ item: OutboxItem) {
    self.init(id: item.id, content: Content(item.action), state: State(item))
  }
}

extension PendingChange.Content {
  fileprivate init?(_ action: (any StoreAction)?) {
    switch action {
    case let action as StarRepository: self = .star(action.repository, isOn: action.isOn)
    case let action as AddComment: self = .comment(action.comment, on: action.issue)
    case let action as EditIssue: self = .edit(action.change)
    default: return nil
    }
  }
}

extension PendingChange.State {
  fileprivate init(_ item: OutboxItem) {
    switch item.state {
    case .waiting(let failure):
      // A failure without a status comes from the network.
      let isOffline = (failure?.error as? Client.Error).map { $0.status == nil } ?? false
      self = isOffline ? .waitingForNetwork : .waiting
    case .waitingForNetwork: self = .waitingForNetwork
    case .waitingForSignIn: self = .waitingForSignIn
    case .sending: self = .sending
    case .unknown: self = .unknown
    case .conflict:
      self =
        item.conflict(of: EditIssue.self).map { .conflict(theirs: $0.theirs.texts) } ?? .waiting
    case .refused(let failure): self = .refused(failure.hostReason ?? failure.message)
    case .unreadable: self = .unreadable
    @unknown default: self = .waiting
    }
  }
}

extension LoadFailure {
  /// The reason that the host's response states.
  fileprivate var hostReason: String? {
    guard case .status(let failure)? = error as? Client.Error else { return nil }
    return failure.message.map { "GitHub reports: \($0.hasSuffix(".") ? $0 : $0 + ".")" }
  }
}

extension PendingChange.Decision {
  var outcome: ActionOutcome {
    switch self {
    case .send: .send
    case .done: .done
    case .drop: .drop
    }
  }
}

/// A repository that the user has starred.
struct Star: Entity {
  let id: Repository.ID
}

extension IssueComment: Entity {}

extension GitHub {
  /// The stars in the client's store.
  static let stars = StoreEntry(starred(perPage: 100), entities: .each(\.self)) {
    $0.elements.map { Star(id: $0.repository.id) }
  }

  /// The comments in the client's store.
  static func comments(on issue: Issue.Reference) -> StoreEntry<[IssueComment]> {
    StoreEntry(comments(on: issue.number, of: issue.repository), entities: .each(\.self)) {
      $0.elements.map(\.comment)
    }
  }
}
