public import Curlew
import CurlewScreens
public import CurlewStore
public import Domain
public import Foundation
import HTTPTypes
import Synchronization

/// GitHub as a code host.
public struct GitHubHost: CodeHost {
  private let client: Client
  private let streams: Client?
  private let canChangeIssues: Bool
  /// The user's stars, comments and pending changes.
  private let store: Store
  /// Returns the user whose changes are stored until the host has them; `nil` for none.
  private let user: @Sendable () -> String?
  /// Whether each issue that the user has closed or reopened is open.
  private let changed = Shared<[Issue.Reference: Bool]>([:])

  /// Creates a host; the client needs GitHub's API as its base URL, and a decoder for GitHub's
  /// dates.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - streams: The client for the event streams, which occupy their connections while they are
  ///     open; `nil`, the default, for GitHub itself, which has no event stream, and for read-only
  ///     use.
  ///   - canChangeIssues: Whether the user may close and reopen issues, if there are streams.
  ///   - user: Returns the name of the user who has signed in. Only a user's stars and comments are stored before they
  ///     show, so that they are sent when the host can be reached; those of others are sent at once, or fail.
  ///   - outbox: The storage of the users' changes, `.gitHub(at:)`.
  public init(
    client: Client, streams: Client? = nil, canChangeIssues: Bool = true,
    user: @escaping @Sendable () -> String? = { nil }, outbox: Outbox = .memory(actions: [])
  ) {
    (self.client, self.streams, self.user) = (client, streams, user)
    store = Store(client, account: user, outbox: outbox)
    self.canChangeIssues = canChangeIssues && streams != nil
  }

  /// Exchanges announcements of changes with the hosts at other servers, until the task is cancelled.
  ///
  /// - Parameter exchange: A function such as `Fleet.exchange(_:_:receive:)`.
  public func exchangeChanges(
    _ exchange: (AsyncStream<String>, @escaping @Sendable (String?) async -> Void) async -> Void
  ) async {
    await exchange(store.announcements()) { [store] in await store.receive($0) }
  }

  private var canStar: Bool { streams != nil || user() != nil }

  /// Requests a repository; only a 404 response means that it doesn't exist.
  ///
  /// An undecodable response is an error.
  public func repository(named name: RepositoryName) async throws -> Repository? {
    guard let response = try await client.found(GitHub.repository(name)) else { return nil }
    var repository = response.value.repository
    repository.asOf = response.asOf
    return repository
  }

  /// Requests ten repositories; GitHub returns at most the first thousand results.
  public func repositories(
    in language: String, page: Int
  ) async throws -> Listing<Repository> {
    let response = try await client.response(
      for: GitHub.repositories(language: language, page: page))
    let found = response.value
    return Listing(
      found.items.elements.map(\.repository),
      nextPage: response.head.headerFields.nextPage(after: page), total: found.totalCount?.value,
      isIncomplete: found.incompleteResults?.value ?? false, damaged: found.items.damaged,
      asOf: response.asOf)
  }

  /// Requests a hundred issues; omits pull requests and issues with duplicate numbers.
  public func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue> {
    try await changed.receive {
      $0.update(with: $1.items)
    } from: {
      // GitHub responds with 410 if a repository's issues are disabled.
      guard
        let response = try await client.found(
          GitHub.issues(of: repository.name, page: page), unless: [.gone])
      else { return Listing([]) }
      var numbers: Set<Int> = []
      // A recording of another request may have another order.
      let issues = response.value.elements.compactMap { $0.issue(of: repository.name) }
        .filter { numbers.insert($0.number).inserted }
        .sorted { ($0.createdAt, $0.number) > ($1.createdAt, $1.number) }
      return Listing(
        issues, nextPage: response.head.headerFields.nextPage(after: page),
        damaged: response.value.damaged, asOf: response.asOf)
    }
  }

  /// Requests an issue; returns `nil` for a pull request and for 404 and 410 responses.
  public func issue(_ number: Int, of repository: RepositoryName) async throws -> Issue? {
    try await changed.receive {
      $0.update(with: $1.map { [$0] } ?? [])
    } from: {
      try await client.found(GitHub.issue(number, of: repository), unless: [.notFound, .gone])?
        .value.issue(of: repository)
    }
  }

  /// Returns the user's stars in the sandbox, at most the newest hundred.
  public func starred() -> Updates<Stars> {
    guard canStar else { return .empty }
    return Updates(
      store.values(of: GitHub.stars), current: { [store] in store.value(of: GitHub.stars) }
    ) { stars in
      if stars.isLoading, stars.latest == nil { return nil }
      return Stars(stars.latest.map { Set($0.map(\.id)) }, isLoading: stars.isLoading)
    }
  }

  /// Stars a repository in the sandbox, or removes the star.
  public func star(_ name: RepositoryName, isOn: Bool) -> HostChange {
    guard canStar else { return .refused }
    let action = StarRepository(repository: name, isOn: isOn)
    if user() != nil { return change { try store.perform(action) } }
    let write = store.write(action, queue: action.queue) { action.edit(&$0) }
    return HostChange(begin: { write.begin() }) {
      try await refusing("The star of \(name) can't be changed.") { try await write.finish() }
    }
  }

  /// Returns the issues changed in the sandbox.
  public func changedIssues() -> Updates<[Issue.Reference: Bool]> {
    canChangeIssues
      ? Updates(changed.values, current: { [changed] in changed.value }) { $0 } : .empty
  }

  /// Closes or reopens an issue in the sandbox.
  public func change(_ issue: Issue.Reference, isOpen: Bool) -> HostChange {
    guard canChangeIssues else { return .refused }
    let (number, name) = (issue.number, issue.repository)
    let write = store.write(
      GitHub.change(issue: number, of: name, isOpen: isOpen), queue: "issue \(name.id) \(number)"
    ) { edit in
      edit.update(changed) { $0[issue] = isOpen }
      edit.invalidate(GitHub.repository(name), andBelow: true)
    }
    return HostChange(begin: { write.begin() }) {
      try await refusing("Issue #\(number) can't be \(isOpen ? "reopened" : "closed").") {
        _ = try await write.finish()
      }
    }
  }

  /// Returns the oldest hundred comments.
  public func comments(on issue: Issue.Reference) -> Updates<IssueComments> {
    guard user() != nil else { return .empty }
    let entry = GitHub.comments(on: issue)
    return Updates(store.values(of: entry), current: { [store] in store.value(of: entry) }) {
      $0.isLoading && $0.latest == nil ? nil : IssueComments($0.latest, isLoading: $0.isLoading)
    }
  }

  /// Adds a comment to an issue in the sandbox.
  public func comment(_ text: String, on issue: Issue.Reference) -> HostChange {
    guard let user = user() else { return .refused }
    let comment = AddComment(
      repository: issue.repository, number: issue.number,
      id: .random(in: Int.min / 2..<0), author: user, text: text, date: Date())
    return change { try store.perform(comment) }
  }

  /// Returns the texts of an issue.
  public func texts(of issue: Issue.Reference) -> Updates<IssueTexts?> {
    guard user() != nil else { return .empty }
    let entry = GitHub.texts(of: issue)
    return Updates(store.values(of: entry), current: { [store] in store.value(of: entry) }) {
      $0.isLoading && $0.latest == nil ? nil : .some($0.latest?.texts)
    }
  }

  /// Changes the texts of an issue in the sandbox.
  public func edit(_ edit: IssueEdit) -> HostChange {
    guard user() != nil else { return .refused }
    return change { try store.perform(EditIssue(edit), replacing: edit.replaced) }
  }

  /// Returns the changes of the user who has signed in.
  public func pendingChanges() -> Updates<[PendingChange]> {
    guard user() != nil else { return .empty }
    return Updates(store.outbox.values, current: { [store] in store.outbox.value }) {
      [user] items in
      let user = user()
      return items.filter { $0.account == user }.map { PendingChange($0) }
    }
  }

  /// Carries out a decision; a discarded change no longer shows.
  public func decide(
    _ decision: PendingChange.Decision, on change: PendingChange.ID
  ) -> HostChange { self.change { try store.decide(decision.outcome, for: change) } }

  /// Sends the pending changes now, also if they wait before the next attempt.
  public func sendPendingChanges() -> HostChange { change { store.sendActions() } }

  /// Returns a change that ends when it is stored, because its request may be sent much later.
  private func change<Result>(
    _ body: @escaping @Sendable () throws -> Result
  ) -> HostChange {
    let failure = Mutex<(any Error)?>(nil)
    return HostChange {
      do { _ = try body() } catch { failure.withLock { $0 = error } }
    } finish: {
      if let error = failure.withLock(\.self) { throw error }
    }
  }

  /// Opens an issue in the sandbox; throws ``IssueRefusal`` if its fields are invalid.
  public func open(_ draft: IssueDraft, key: String) async throws -> Issue {
    guard streams != nil else { throw ReadOnlyHost() }
    guard let name = draft.repository else {
      let problem = draft.problem(in: .repository) ?? "This repository does not exist."
      throw IssueRefusal([.repository: problem])
    }
    let payload: IssuePayload
    do {
      payload = try await client.send(GitHub.openIssue(NewIssuePayload(draft), in: name, key: key))
    } catch {
      throw refusal(of: name, error) ?? error
    }
    guard let issue = payload.issue(of: name) else { throw ReadOnlyHost() }
    // The cached list doesn't contain the new issue. A failed reload is retried later.
    _ = try? await client.send(GitHub.issues(of: name), cache: .reload)
    return issue
  }

  /// Returns the problems in the fields of a rejected issue; `nil` for other errors.
  private func refusal(of name: RepositoryName, _ error: Client.Error) -> IssueRefusal? {
    guard case .status(let failure) = error else { return nil }
    switch error.status {
    case .notFound: return IssueRefusal([.repository: "There is no repository \(name)."])
    case .gone: return IssueRefusal([.repository: "\(name) does not accept issues."])
    case .unprocessableContent:
      let problems = failure.body(as: ValidationPayload.self)?.problems ?? [:]
      return problems.isEmpty ? nil : IssueRefusal(problems)
    default: return nil
    }
  }

  /// Returns the server-sent events of a repository; the client reconnects by itself.
  public func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents {
    guard let streams else { return .unavailable }
    var policy = EventStreamPolicy()
    policy.lastEventID = position ?? ""
    // About half a minute; then the failure is reported, and the user decides about a retry.
    policy.maximumFailures = 5
    let events = streams.events(GitHub.openedIssues(of: repository), policy: policy)
    return IssueEvents(events) { event in
      guard event.type == "opened" else { return nil }
      do {
        let payload = try JSONDecoder.github.decode(IssuePayload.self, from: Data(event.data.utf8))
        return payload.issue(of: repository).map { IssueEvent(.opened($0), position: event.id) }
      } catch {
        return IssueEvent(.damaged(reason: "\(error)"), position: event.id)
      }
    }
  }

  /// Returns the newly opened issues of all repositories, which can't be resumed.
  public func openedIssues() -> IssueEvents {
    guard let streams else { return .unavailable }
    return IssueEvents(streams.jsonLines(GitHub.openedIssues).results) { line in
      switch line {
      case .success(let payload):
        payload.repository.flatMap { payload.issue(of: $0) }.map {
          IssueEvent(.opened($0), position: nil)
        }
      case .failure(let error): IssueEvent(.damaged(reason: "\(error)"), position: nil)
      }
    }
  }
}

/// Performs a change, and converts a 403 response with a reason to a ``ChangeRefusal``.
private func refusing(_ change: String, _ operation: () async throws -> Void) async throws {
  do {
    try await operation()
  } catch let error as Client.Error {
    guard error.status == .forbidden, case .status(let failure) = error,
      let reason = failure.message
    else { throw error }
    throw ChangeRefusal(change, reason: reason)
  }
}

extension [Issue.Reference: Bool] {
  /// Updates the changed issues by a response.
  fileprivate mutating func update(with issues: [Issue]) {
    for issue in issues where self[issue.reference] != nil { self[issue.reference] = issue.isOpen }
  }
}

extension HTTPFields {
  /// The number of the next page in the `Link` field.
  fileprivate func nextPage(after page: Int) -> Int? {
    // A recording of another page could lead to an endless loop.
    links.next?["page"].flatMap { Int($0) }.flatMap { $0 > page ? $0 : nil }
  }
}
