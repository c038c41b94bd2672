public import CurlewScreens
public import Domain
import Foundation

/// The comments on an issue, and the user's next comment and change of its texts.
public struct Discussion: Screen {
  /// The events of the screen.
  public enum Event: Sendable {
    /// Another issue is shown; `nil` for none.
    case show(Issue.Reference?)
    /// The text of the next comment has changed.
    case text(String)
    /// The user adds the comment, with the text of its field and the issue if they were sent with the event.
    case send(String? = nil, on: Issue.Reference? = nil)
    /// The user begins to change the issue's texts.
    case edit
    /// The user types another title.
    case title(String)
    /// The user types another description.
    case body(String)
    /// The user saves the changed texts, with those of the fields if they were sent with the event.
    case save(IssueEdit? = nil)
    /// The user discards the changed texts.
    case cancel
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The issue.
    public fileprivate(set) var issue: Issue.Reference?
    /// The comments as the host has them, with pending ones; `nil` until they are loaded.
    public fileprivate(set) var comments: [IssueComment]?
    /// Whether the comments are up to date, or can't be loaded.
    public fileprivate(set) var isReady = false
    /// The issue's texts; `nil` until they are loaded.
    public fileprivate(set) var texts: IssueTexts?
    /// The text of the next comment.
    public fileprivate(set) var text = ""
    /// The change of the texts; `nil` unless the user is editing.
    public fileprivate(set) var edit: IssueEdit?
    /// Whether the user edits the texts, as soon as they are loaded.
    fileprivate var isEditing = false
    /// The pending edit, which the next one replaces.
    var pending: IssueEdit?
    fileprivate var write = HostWrite<Change>.State()

    /// The title that the user is editing.
    public var title: String { edit?.texts.title ?? "" }
    /// The description that the user is editing.
    public var body: String { edit?.texts.body ?? "" }
    /// Whether the user can change the texts, whose version is known.
    public var canEdit: Bool { texts != nil || pending != nil }
  }

  /// A change of the issue.
  enum Change: Equatable, Sendable {
    case comment(String, on: Issue.Reference)
    case edit(IssueEdit)
  }

  private let host: any CodeHost
  private let write: HostWrite<Change>

  /// Creates a screen for the issues of a host.
  public init(host: any CodeHost) {
    self.host = host
    write = HostWrite { change in
      switch change {
      case .comment(let text, let issue): host.comment(text, on: issue)
      case .edit(let edit): host.edit(edit)
      }
    }
  }

  /// The initial state: no issue.
  public let initial = State()

  /// The changes.
  public var parts: [Part<State, Event>] {
    [
      Part(\.write, write) { change in
        switch change {
        case .comment(let text, let issue): .send(text, on: issue)
        case .edit(let edit): .save(edit)
        }
      }
    ]
  }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .show(let issue): show(issue, &state, &work)
    case .text(let text): state.text = text
    case .send(let text, let issue):
      let text = (text ?? state.text).trimmingCharacters(in: .whitespacesAndNewlines)
      guard let issue = issue ?? state.issue, !text.isEmpty else { return }
      state.text = ""
      change(.comment(text, on: issue), &state, &work)
    case .edit:
      state.isEditing = true
      beginEdit(&state)
    case .title(let title): state.edit?.texts.title = title
    case .body(let body): state.edit?.texts.body = body
    case .save(let edit):
      guard let edit = edit ?? state.edit,
        edit.texts.title.contains(where: { !$0.isWhitespace })
      else { return }
      (state.edit, state.isEditing) = (nil, false)
      if edit.texts.title == edit.base.title, edit.texts.body == edit.base.body,
        edit.replaced == nil
      {
        return
      }
      change(.edit(edit), &state, &work)
    case .cancel: (state.edit, state.isEditing) = (nil, false)
    }
  }

  private func beginEdit(_ state: inout State) {
    guard state.isEditing, state.edit == nil, let issue = state.issue else { return }
    state.edit = state.pending ?? state.texts.map { IssueEdit(issue, base: $0) }
  }

  private func change(_ change: Change, _ state: inout State, _ work: inout Work<State>) {
    work.scope(\.write) { write.handle(change, &state.write, &$0) }
  }

  private func show(
    _ issue: Issue.Reference?, _ state: inout State, _ work: inout Work<State>
  ) {
    guard issue != state.issue else { return }
    // A form's event precedes the load of its issue.
    if state.issue != nil { state.isEditing = false }
    (state.issue, state.comments, state.isReady, state.text) = (issue, nil, false, "")
    (state.texts, state.edit) = (nil, nil)
    for name in ["load", "load texts", "comments", "texts"] as [WorkID] { work.cancel(name) }
    guard let issue else { return }
    let (comments, texts) = (host.comments(on: issue), host.texts(of: issue))
    (state.comments, state.texts) = (comments.current?.all, texts.current ?? nil)
    // Pages without a script wait for loads, but not for streams.
    work.latest("load") {
      for try await comments in comments where !comments.isLoading { return comments }
      return IssueComments(nil)
    } finished: { state, result, _ in
      state.isReady = true
      if case .success(let comments) = result { state.comments = comments.all }
    }
    work.latest("load texts") {
      for try await texts in texts { return texts }
      return nil
    } finished: { state, result, _ in
      if case .success(let texts?) = result { state.texts = texts }
    }
    work.follow("comments") {
      comments
    } each: { state, comments, _ in
      state.comments = comments.all
    }
    work.follow("texts") {
      texts
    } each: { state, texts, _ in
      state.texts = texts
    }
  }

  /// Reads the issue after an event: the response to a form submission without a script is rendered
  /// before the streams deliver the change.
  func read(_ state: inout State) {
    guard let issue = state.issue else { return }
    if let current = host.comments(on: issue).current { state.comments = current.all }
    if let current = host.texts(of: issue).current { state.texts = current }
    beginEdit(&state)
  }
}
