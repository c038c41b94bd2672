import Application
import CurlewLive
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

    static let names: TemplateNames<Self> = [
      "id": \.id, "title": \.change.title, "text": \.change.text, "state": \.change.stateText,
      "explanation": \.change.explanation, "decisions": \.decisions, "canDecide": \.canDecide,
    ]

    init(_ change: PendingChange) { self.change = change }

    /// The change in one line, for a terminal.
    var line: String {
      "\(change.title): \(change.stateText)" + (change.explanation.map { ". \($0)" } ?? "")
    }
  }

  struct Decision: TemplateValues {
    let value, title: String

    static let names: TemplateNames<Self> = ["value": \.value, "title": \.title]
  }

  /// The actions on the changes, for the help of `showcase screen`.
  static let actions = "send-now, decide send|done|drop ID"

  private let summary: String
  private let changes: [Change]
  /// The state in lines, for a terminal.
  var lines: [String] { [summary + "."] + changes.map(\.line) }

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
      // In a terminal: `decide drop 1B4E…`.
      let words = action.value.split(separator: " ").map(String.init)
      guard
        let decision = PendingChange.Decision(
          rawValue: action.fields["decision"] ?? words.first ?? ""),
        let id = PendingChange.ID(uuidString: action.fields["change"] ?? words.last ?? "")
      else { return nil }
      self = .decide(decision, on: id)
    default: return nil
    }
  }
}

extension [TerminalShortcut] {
  /// Returns the shortcuts that send the changes, and decide about the first that needs a decision.
  static func pending(_ pending: PendingChanges.State) -> Self {
    guard let changes = pending.all, let first = changes.first else { return [] }
    let change = changes.first { $0.decisions.count > 1 } ?? first
    return [TerminalShortcut("w", "send now", .act("send-now"))]
      + zip("123456789", change.decisions).map { key, decision in
        TerminalShortcut(
          key, change.title(of: decision).lowercased(),
          .act("decide", "\(decision.rawValue) \(change.id)"))
      }
  }
}
