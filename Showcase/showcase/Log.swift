import Curlew
import CurlewTerminal
import Domain
import Foundation

/// The log of details for developers: requests, statuses, coding paths, server messages.
///
/// Commands write it with `--verbose`, the web server always. Users get other messages.
package struct Log: Sendable {
  let write: @Sendable (String) -> Void

  package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// A log that discards all messages.
  package static let silent = Log { _ in }

  /// Writes messages to standard error, and ignores write errors.
  static let standardError = Log { line in
    try? StandardStream.error.write(line.printable + "\n")
  }

  /// Writes a message, prefixed with the time of day in UTC.
  func writeWithTime(_ line: String) {
    write(Date().formatted(.iso8601.time(includingFractionalSeconds: false)) + " " + line)
  }
}

/// A data source that logs skipped entries and errors other than request errors.
///
/// It conforms to each source's protocol in an extension.
package struct Logged<Source: Sendable>: Sendable {
  let source: Source
  let log: Log

  /// Whether the data is replayed; if so, errors name missing recordings.
  let isReplay: Bool

  package init(source: Source, log: Log, isReplay: Bool) {
    (self.source, self.log, self.isReplay) = (source, log, isReplay)
  }

  /// Loads a page of a list, and logs its skipped entries.
  func listing<Item: Sendable>(
    page: Int = 1, _ load: @Sendable (Source) async throws -> Listing<Item>
  ) async throws -> Listing<Item> {
    let listing = try await value(page: page, load)
    let lines = listing.damaged.firstTexts { entry in
      "entry \(entry.index + 1) is skipped: \(entry.reason)"
    }
    for line in lines { log.write(line) }
    return listing
  }

  /// Loads a value, and logs an error unless it is a request error.
  func value<Value: Sendable>(
    page: Int = 1, _ load: @Sendable (Source) async throws -> Value
  ) async throws -> Value {
    do {
      guard isReplay else { return try await load(source) }
      return try await Replay.load(page: page) { try await load(source) }
    } catch {
      // The client's observers log request errors. The caller knows about its own cancellation.
      if !(error is Client.Error), !Task.isCancelled { log.write("\(error)") }
      throw error
    }
  }
}

extension Logged: CodeHost where Source: CodeHost {
  func repository(named name: RepositoryName) async throws -> Repository? {
    try await value { try await $0.repository(named: name) }
  }

  func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
    try await listing(page: page) { try await $0.repositories(in: language, page: page) }
  }

  func open(_ draft: IssueDraft, key: String) async throws -> Issue {
    try await value { try await $0.open(draft, key: key) }
  }

  func issue(_ number: Int, of repository: RepositoryName) async throws -> Issue? {
    try await value { try await $0.issue(number, of: repository) }
  }

  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue> {
    try await listing(page: page) { try await $0.openIssues(of: repository, page: page) }
  }

  func starred() -> Updates<Stars> { source.starred() }

  func star(_ repository: RepositoryName, isOn: Bool) -> HostChange {
    logged(source.star(repository, isOn: isOn))
  }

  func changedIssues() -> Updates<[Issue.Reference: Bool]> { source.changedIssues() }

  func change(_ issue: Issue.Reference, isOpen: Bool) -> HostChange {
    logged(source.change(issue, isOpen: isOpen))
  }

  func comments(on issue: Issue.Reference) -> Updates<IssueComments> { source.comments(on: issue) }

  func comment(_ text: String, on issue: Issue.Reference) -> HostChange {
    logged(source.comment(text, on: issue))
  }

  func texts(of issue: Issue.Reference) -> Updates<IssueTexts?> { source.texts(of: issue) }

  func edit(_ edit: IssueEdit) -> HostChange { logged(source.edit(edit)) }

  func pendingChanges() -> Updates<[PendingChange]> { source.pendingChanges() }

  func decide(_ decision: PendingChange.Decision, on change: PendingChange.ID) -> HostChange {
    logged(source.decide(decision, on: change))
  }

  func sendPendingChanges() -> HostChange { logged(source.sendPendingChanges()) }

  private func logged(_ change: HostChange) -> HostChange {
    HostChange(begin: change.begin) { try await value { _ in try await change.finish() } }
  }

  func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents {
    logged(source.openedIssues(of: repository, after: position))
  }

  func openedIssues() -> IssueEvents { logged(source.openedIssues()) }

  private func logged(_ events: IssueEvents) -> IssueEvents {
    IssueEvents(events) { [log] event in
      if case .damaged(let reason) = event.content { log.write("an event is skipped: \(reason)") }
      return event
    }
  }
}

extension Logged: MovieCatalogue where Source: MovieCatalogue {
  func movie(_ key: MovieKey) async throws -> Movie? {
    try await value { try await $0.movie(key) }
  }

  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie> {
    try await listing(page: page) { try await $0.movies(in: list, language: language, page: page) }
  }
}

extension Logged: MovieStore where Source: MovieStore {
  func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie> {
    try await listing { try await $0.topMovies(in: country, limit: limit) }
  }
}
