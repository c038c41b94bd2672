public import CurlewScreens
public import Domain
import Foundation

/// The comments on an issue, and the user's next comment.
public struct Discussion: Screen {
  /// The events of the screen.
  public enum Event: Sendable {
    /// Another issue is shown; `nil` for none.
    case show(Issue.Reference?)
    /// The text of the next comment has changed.
    case text(String)
    /// The user adds the comment, with the text of its field if that was sent with the event.
    case send(String? = nil)
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The issue.
    public fileprivate(set) var issue: Issue.Reference?
    /// The comments as the host has them, with pending ones; `nil` until they are loaded.
    public fileprivate(set) var comments: [IssueComment]?
    /// Whether the comments are up to date, or can't be loaded.
    public fileprivate(set) var isReady = false
    /// The text of the next comment.
    public fileprivate(set) var text = ""
    fileprivate var write = HostWrite<NewComment>.State()
  }

  /// A comment that is added.
  struct NewComment: Equatable, Sendable {
    let text: String
    let issue: Issue.Reference
  }

  private let host: any CodeHost
  private let write: HostWrite<NewComment>

  /// Creates a screen for the comments at a host.
  public init(host: any CodeHost) {
    self.host = host
    write = HostWrite { host.comment($0.text, on: $0.issue) }
  }

  /// The initial state: no issue.
  public let initial = State()

  /// The added comments.
  public var parts: [Part<State, Event>] {
    [Part(\.write, write) { .send($0.text) }]
  }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .show(let issue): show(issue, &state, &work)
    case .text(let text): state.text = text
    case .send(let text):
      let text = (text ?? state.text).trimmingCharacters(in: .whitespacesAndNewlines)
      guard let issue = state.issue, !text.isEmpty else { return }
      state.text = ""
      work.scope(\.write) {
        write.handle(NewComment(text: text, issue: issue), &state.write, &$0)
      }
    }
  }

  private func show(
    _ issue: Issue.Reference?, _ state: inout State, _ work: inout Work<State>
  ) {
    guard issue != state.issue else { return }
    (state.issue, state.comments, state.isReady, state.text) = (issue, nil, false, "")
    work.cancel("load")
    work.cancel("comments")
    guard let issue else { return }
    let comments = host.comments(on: issue)
    state.comments = comments.current?.all
    // Pages without a script wait for loads, but not for streams.
    work.latest("load") {
      for try await comments in comments where !comments.isLoading { return comments }
      return IssueComments(nil)
    } finished: { state, result, _ in
      state.isReady = true
      if case .success(let comments) = result { state.comments = comments.all }
    }
    work.follow("comments") {
      comments
    } each: { state, comments, _ in
      state.comments = comments.all
    }
  }

  /// Reads the comments after an event: the response to a form submission without a script is rendered
  /// before the stream delivers them.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    if let issue = state.issue, let current = host.comments(on: issue).current {
      state.comments = current.all
    }
  }
}
