public import Curlew
import CurlewScreens
import CurlewStore
public import Domain
import Foundation
import HTTPTypes

/// GitHub as a code host.
public struct GitHubHost: CodeHost {
  private let client: Client
  private let streams: Client?
  /// The user's stars.
  private let store: Store
  private let changed = ChangedIssues()

  /// Uses a client whose base URL is that of GitHub's API, and whose decoder reads its dates.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - streams: The client for streams of issues as they are opened, which hold their connections for
  ///     as long as they last; `nil`, the default, for GitHub itself, which has none, and where nothing is changed.
  public init(client: Client, streams: Client? = nil) {
    (self.client, self.streams, store) = (client, streams, Store(client))
  }

  /// Asks for a repository; only 404 means that there is none, and a response that can't be read is
  /// an error.
  public func repository(named name: RepositoryName) async throws -> Repository? {
    guard let response = try await client.found(GitHub.repository(name)) else { return nil }
    var repository = response.value.repository
    repository.asOf = response.asOf
    return repository
  }

  /// Asks for ten repositories; GitHub shows the first thousand of them at most.
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

  /// Asks for a hundred of a repository's issues, and leaves out its pull requests, and all but the
  /// first issue of a number.
  public func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue> {
    let number = changed.next()
    // A repository whose issues are switched off has none.
    guard
      let response = try await client.found(
        GitHub.issues(of: repository.name, page: page), unless: [.gone])
    else { return Listing([]) }
    var numbers: Set<Int> = []
    // A recording of another request may have another order.
    let issues = response.value.elements.compactMap { $0.issue(of: repository.name) }
      .filter { numbers.insert($0.number).inserted }
      .sorted { ($0.createdAt, $0.number) > ($1.createdAt, $1.number) }
    changed.receive(issues, requested: number)
    return Listing(
      issues, nextPage: response.head.headerFields.nextPage(after: page),
      damaged: response.value.damaged, asOf: response.asOf)
  }

  /// Asks for an issue; only 404 and 410 mean that there is none, and a pull request is none.
  public func issue(_ number: Int, of repository: RepositoryName) async throws -> Issue? {
    let request = changed.next()
    let issue = try await client.found(
      GitHub.issue(number, of: repository), unless: [.notFound, .gone])?.value.issue(of: repository)
    if let issue { changed.receive([issue], requested: request) }
    return issue
  }

  /// The user's stars in the sandbox, the newest hundred of them.
  public func starred() -> Updates<Stars> {
    guard streams != nil else { return .empty }
    return Updates(
      store.values(of: GitHub.stars), current: { [store] in store.value(of: GitHub.stars) }
    ) { stars in
      if stars.isLoading, stars.latest == nil { return nil }
      return Stars(stars.latest.map { Set($0.map(\.id)) }, isLoading: stars.isLoading)
    }
  }

  /// Sets a star in the sandbox, or removes it.
  public func star(_ name: RepositoryName, isOn: Bool) -> HostChange {
    guard streams != nil else { return .refused }
    let write = store.write(GitHub.star(name, isOn), queue: "star \(name.id)") { edit in
      if isOn { edit.insert(Star(id: name.id), into: GitHub.stars) }
      if !isOn { edit.remove(Star.self, name.id, from: GitHub.stars) }
      edit.invalidate(GitHub.stars)
    }
    return HostChange(begin: { write.begin() }) {
      try await refusing("The star of \(name) can't be changed.") { try await write.finish() }
    }
  }

  /// What was changed in the sandbox.
  public func changedIssues() -> Updates<[Issue.Reference: Bool]> {
    streams == nil ? .empty : changed.updates
  }

  /// Closes or reopens an issue in the sandbox.
  public func change(_ issue: Issue.Reference, isOpen: Bool) -> HostChange {
    guard streams != nil else { return .refused }
    let (number, name) = (issue.number, issue.repository)
    let write = store.write(
      GitHub.change(issue: number, of: name, isOpen: isOpen), queue: "issue \(name.id) \(number)"
    ) { $0.invalidate(GitHub.repository(name), andBelow: true) }
    return changed.change(issue, isOpen: isOpen, begin: { write.begin() }) {
      try await refusing("Issue #\(number) can't be \(isOpen ? "reopened" : "closed").") {
        _ = try await write.finish()
      }
    }
  }

  /// Opens an issue in the sandbox; what is wrong with its fields is an ``IssueRefusal``.
  public func open(_ draft: IssueDraft, key: String) async throws -> Issue {
    guard streams != nil else { throw ReadOnlyHost() }
    guard let name = draft.repository else {
      throw IssueRefusal([.repository: draft.problem(in: .repository) ?? "There is no such one."])
    }
    let payload: IssuePayload
    do {
      payload = try await client.send(GitHub.openIssue(NewIssuePayload(draft), in: name, key: key))
    } catch {
      throw refusal(of: name, error) ?? error
    }
    guard let issue = payload.issue(of: name) else { throw ReadOnlyHost() }
    // The stored list does not have it; another one that can't be had now comes later.
    _ = try? await client.send(GitHub.issues(of: name), cache: .reload)
    return issue
  }

  /// What is wrong with the fields of an issue that a server refused; `nil` for another error.
  private func refusal(of name: RepositoryName, _ error: Client.Error) -> IssueRefusal? {
    guard case .status(let failure) = error else { return nil }
    switch error.status {
    case .notFound: return IssueRefusal([.repository: "There is no repository \(name)."])
    case .gone: return IssueRefusal([.repository: "\(name) takes no issues."])
    case .unprocessableContent:
      let problems = failure.body(as: ValidationPayload.self)?.problems ?? [:]
      return problems.isEmpty ? nil : IssueRefusal(problems)
    default: return nil
    }
  }

  /// Follows the server-sent events of a repository; the client reconnects by itself.
  public func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents {
    guard let streams else { return .unavailable }
    var policy = EventStreamPolicy()
    policy.lastEventID = position ?? ""
    // Half a minute: then whoever watches hears of it, and decides.
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
}

/// Runs a change, and says what a user is told if the server does not allow it.
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

/// A repository that the user has marked with a star.
private struct Star: Entity {
  let id: Repository.ID
}

extension GitHub {
  /// The stars, as the store keeps them.
  fileprivate static let stars = StoreEntry(starred(perPage: 100), entities: .each(\.self)) {
    $0.elements.map { Star(id: $0.repository.id) }
  }
}

extension HTTPFields {
  /// The page that GitHub names as the next one.
  fileprivate func nextPage(after page: Int) -> Int? {
    // A recording of another page would lead round in circles.
    links.next?["page"].flatMap { Int($0) }.flatMap { $0 > page ? $0 : nil }
  }
}
