public import Domain

extension PendingChange {
  /// The text that names the change, such as `Star of apple/swift`.
  public var title: String {
    switch content {
    case .star(let name, let isOn): isOn ? "Star of \(name)" : "Removed star of \(name)"
    case .comment(_, let issue): "Comment on \(issue.text)"
    case .edit(let edit): "Edit of \(edit.issue.text)"
    case nil: "A change of another version of this app"
    }
  }

  /// The text that the user has written; `nil` if there is none.
  public var text: String? {
    switch content {
    case .comment(let comment, _): comment.text
    case .star, .edit, nil: nil
    }
  }

  /// The different texts of a conflict, each with its name; `nil` if there is no conflict.
  public var conflict: [(name: String, texts: IssueTexts)]? {
    guard case .conflict(let theirs) = state, case .edit(let edit) = content else { return nil }
    return [("Your text", edit.texts), ("Their text", theirs), ("The text before", edit.base)]
  }

  /// The issue that the change is about; `nil` if there is none.
  public var issue: Issue.Reference? {
    switch content {
    case .comment(_, let issue): issue
    case .edit(let edit): edit.issue
    case .star, nil: nil
    }
  }

  /// The state as text, such as `Waiting for the network`.
  public var stateText: String {
    switch state {
    case .waiting: "Waiting to be sent"
    case .waitingForNetwork: "Waiting for the network"
    case .waitingForSignIn: "Waiting for your sign-in"
    case .sending: "Sending"
    case .unknown: "Perhaps sent"
    case .conflict: "Conflict"
    case .refused: "Refused"
    case .unreadable: "Not readable"
    }
  }

  /// A sentence about the state; `nil` if the state says it all.
  public var explanation: String? {
    switch state {
    case .unknown: "The connection broke before the host responded. Has it received the change?"
    case .conflict: "Another user has changed the same text meanwhile."
    case .refused(let reason): reason
    case .unreadable: "It waits for the version that has made it."
    case .waiting, .waitingForNetwork, .waitingForSignIn, .sending: nil
    }
  }

  /// The state, and the texts that belong to it, in lines.
  public var lines: [String] {
    [stateText, text, explanation].compactMap(\.self)
      + (conflict ?? []).map { "\($0.name): \($0.texts.title) – \($0.texts.body)" }
  }

  /// The title of a decision's button.
  public func title(of decision: Decision) -> String {
    switch (decision, state) {
    case (.send, .refused): "Try again"
    case (.send, .conflict): "Keep mine"
    case (.send, _): "Send again"
    case (.done, _): "It has arrived"
    case (.drop, .refused): "Dismiss"
    case (.drop, .conflict): "Take theirs"
    case (.drop, _): "Discard"
    }
  }
}

extension PendingChanges.State {
  /// The changes that show, or need a decision, such as `2 changes are not sent yet`; `nil` for none.
  public var summary: String? {
    guard let count = all?.count, count > 0 else { return nil }
    return count == 1 ? "1 change is not sent yet" : "\(count) changes are not sent yet"
  }

  /// Returns the state of a repository's star as text; `nil` if no change is pending.
  public func text(ofStar name: RepositoryName) -> String? {
    text { content in
      if case .star(let other, _) = content { other.id == name.id } else { false }
    }
  }

  /// Returns the state of the newest change of an issue as text; `nil` if none is pending.
  public func text(of issue: Issue.Reference) -> String? {
    all?.last { $0.issue == issue }?.stateText
  }

  /// Returns the newest edit of an issue's texts that shows, as an edit that replaces it.
  func edit(of issue: Issue.Reference) -> IssueEdit? {
    all?.lazy.compactMap { change in
      guard case .edit(let edit) = change.content, edit.issue == issue else { return nil }
      switch change.state {
      case .refused: return nil
      case .conflict(let theirs):
        return IssueEdit(issue, base: theirs, texts: edit.texts, replacing: change.id)
      case .sending: return IssueEdit(issue, base: edit.base, texts: edit.texts)
      default: return IssueEdit(issue, base: edit.base, texts: edit.texts, replacing: change.id)
      }
    }.last
  }

  /// Returns the state of a comment as text; `nil` if it is not pending.
  public func text(of comment: IssueComment) -> String? {
    text { content in
      if case .comment(let other, _) = content { other.id == comment.id } else { false }
    }
  }

  /// Returns the comments on an issue that the host has not confirmed or refused.
  func comments(on issue: Issue.Reference) -> [IssueComment] {
    (all ?? []).compactMap { change in
      guard case .comment(let comment, issue) = change.content else { return nil }
      if case .refused = change.state { return nil }
      return comment
    }
  }

  /// Returns the state of the newest pending change that fulfils a condition.
  private func text(where isIncluded: (PendingChange.Content) -> Bool) -> String? {
    all?.last { $0.content.map(isIncluded) ?? false }?.stateText
  }
}

extension Issue.Reference {
  /// The repository and the number, such as `apple/swift#12`.
  fileprivate var text: String { "\(repository)#\(number)" }
}
