import Application
import CurlewLive
import CurlewTerminal
import Domain
import Foundation

/// The user's changes that the host has not confirmed, with the buttons for the decisions about them.
struct PendingView: TemplateValues {
  /// A change.
  struct Change: TemplateValues, Equatable {
    private let change: PendingChange
    private var id: String { change.id.uuidString }
    private var decisions: [Decision] {
      change.decisions.map { Decision(value: $0.rawValue, title: change.title(of: $0)) }
    }
    private var canDecide: Bool { !change.decisions.isEmpty }
    private var isConflict: Bool { change.conflict != nil }
    private var versions: [Version] {
      (change.conflict ?? []).map { Version(name: $0.name, texts: $0.texts) }
    }
    private var issue: String? {
      change.issue.map { IssuesRoute($0.repository, picked: $0.number).address }
    }

    static let names: TemplateNames<Self> = [
      "id": \.id, "title": \.change.title, "text": \.change.text, "state": \.change.stateText,
      "explanation": \.change.explanation, "decisions": \.decisions, "canDecide": \.canDecide,
      "isConflict": \.isConflict, "versions": \.versions, "issue": \.issue,
    ]

    init(_ change: PendingChange) { self.change = change }

    /// The change in lines, for a terminal.
    var lines: [String] { ["\(change.title): \(change.lines[0])"] + change.lines.dropFirst() }
  }

  /// One of the texts of a conflict.
  struct Version: TemplateValues {
    let name: String
    let texts: IssueTexts

    static let names: TemplateNames<Self> = [
      "name": \.name, "title": \.texts.title, "body": \.texts.body,
    ]
  }

  struct Decision: TemplateValues {
    let value, title: String

    static let names: TemplateNames<Self> = ["value": \.value, "title": \.title]
  }

  /// The actions on the changes, for the help of `showcase screen`.
  static let actions = "send-now, decide send|done|drop"

  private let summary: String
  private let changes: [Change]
  /// The state in lines, for a terminal.
  var lines: [String] { [summary + "."] + changes.flatMap(\.lines) }

  static let names: TemplateNames<Self> = ["summary": \.summary, "changes": \.changes]

  /// Returns `nil` if nothing is pending.
  init?(_ pending: PendingChanges.State) {
    guard let summary = pending.summary else { return nil }
    (self.summary, changes) = (summary, (pending.all ?? []).map { Change($0) })
  }
}

extension PendingChanges.Event {
  /// Creates an event from an action; returns `nil` for other actions.
  init?(_ action: LiveAction) {
    switch action.name {
    case "send-now": self = .sendNow
    case "decide":
      // In a terminal: `decide drop`, for the first change.
      let words = action.value.split(separator: " ").map(String.init)
      guard
        let decision = PendingChange.Decision(
          rawValue: action.fields["decision"] ?? words.first ?? "")
      else { return nil }
      let id = action.fields["change"] ?? words.dropFirst().first
      self = .decide(decision, on: id.flatMap { UUID(uuidString: $0) })
    default: return nil
    }
  }
}

extension ShowcasePage {
  /// Returns the shortcuts that send the changes, and decide about the first that needs a decision.
  func shortcuts(for pending: PendingChanges.State) -> [Shortcut<Content.Event>] {
    guard let change = pending.first else { return [] }
    let decisions = zip("123456789", change.decisions).map { key, decision in
      shortcut(
        key, change.title(of: decision).lowercased(), "decide", "\(decision.rawValue) \(change.id)")
    }
    return ([shortcut("w", "send now", "send-now")] + decisions).compactMap(\.self)
  }
}
