public import Foundation

extension EntryForm {
  /// What a form does with its draft.
  public enum Phase: Equatable, Sendable {
    /// The user fills in the fields.
    case editing
    /// The draft is being sent.
    case submitting
    /// The draft was accepted, and no text has changed since.
    case submitted(Value)
    /// The submit failed as a whole; the draft is kept, and can be submitted again.
    case failed(LoadFailure)
  }

  /// The state of a form screen.
  public struct State: Equatable, Sendable {
    /// The texts of the fields, exactly as typed.
    public private(set) var draft: Draft
    /// What the form does.
    public internal(set) var phase: Phase
    /// The idempotency key of the next submit of this draft, or of the one that is running.
    public private(set) var key: String
    /// How many submits were refused because of problems in fields, by the form or by the server.
    ///
    /// When it increases, move the focus to ``firstProblem``.
    public private(set) var refusals: Int
    private var checked: Set<Draft.Field>
    /// The server's messages about texts that have not changed since.
    private var messages: [Draft.Field: String]
    /// The draft that was last sent with ``key``.
    private var sent: Draft?
    /// The key of the draft that was last accepted.
    private var acceptedKey: String?
    /// Whether the user typed while the draft was sent that was accepted.
    private var isContinued = false

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    ///
    /// - Parameters:
    ///   - draft: The texts of the fields.
    ///   - phase: What the form does.
    ///   - checked: The fields whose problems are shown.
    ///   - messages: The server's messages at the fields.
    ///   - refusals: How many submits were refused.
    ///   - key: The idempotency key of the next submit.
    ///   - acceptedKey: The key of the draft that was last accepted.
    public init(
      _ draft: Draft, phase: Phase = .editing, checked: Set<Draft.Field> = [],
      messages: [Draft.Field: String] = [:], refusals: Int = 0, key: String = UUID().uuidString,
      acceptedKey: String? = nil
    ) {
      self.draft = draft
      self.phase = phase
      self.checked = checked
      self.messages = messages
      self.refusals = refusals
      self.key = key
      self.acceptedKey = acceptedKey
    }
  }
}

extension EntryForm.State {
  /// Returns the text of a field, exactly as typed, so that it can back a text field.
  public func text(of field: Draft.Field) -> String { draft[field] }

  /// Returns the problem to show at a field, the form's own or the server's; `nil` when there is
  /// none, or it is not shown yet.
  public func problem(in field: Draft.Field) -> String? {
    (isChecked(field) ? draft.problem(in: field) : nil) ?? messages[field]
  }

  /// The first field with a problem that is shown.
  public var firstProblem: Draft.Field? {
    Draft.Field.allCases.first { problem(in: $0) != nil }
  }

  /// Whether the draft is being sent.
  public var isSubmitting: Bool { phase == .submitting }

  /// Whether a submit has an effect: not while one is running, and not after a success until a text
  /// has changed.
  ///
  /// Problems don't make it false, so that a submit can show them.
  public var canSubmit: Bool { !isSubmitting && !isDone }

  /// The result of the submit; `nil` before it, and when a text has changed since.
  public var value: Value? {
    if case .submitted(let value) = phase { value } else { nil }
  }

  /// The reason why the submit failed as a whole; `nil` in any other phase.
  public var failure: LoadFailure? {
    if case .failed(let failure) = phase { failure } else { nil }
  }
}

extension EntryForm.State {
  /// Whether a field's problem is shown if it has one.
  func isChecked(_ field: Draft.Field) -> Bool { checked.contains(field) }

  /// Whether the user has changed the draft that could not be sent.
  var isSuperseded: Bool { failure != nil && draft != sent }

  private var isDone: Bool { value != nil && !isContinued }

  /// Changes the text of a field; returns whether it was another one.
  mutating func change(_ field: Draft.Field, to text: String) -> Bool {
    guard draft[field] != text else { return false }
    draft[field] = text
    messages[field] = nil
    if value != nil { phase = .editing }
    return true
  }

  /// Shows a field's problem from now on.
  mutating func check(_ field: Draft.Field) {
    // The empty field that is left after a success has no problem.
    if !isDone { checked.insert(field) }
  }

  /// Takes over the key of a form that was rendered earlier.
  mutating func restore(_ other: String) {
    guard !isSubmitting, other != key else { return }
    (key, sent) = (other, nil)
  }

  /// Begins to submit, and shows all problems; returns whether there are none.
  mutating func begin(newKey: () -> String) -> Bool {
    checked = Set(Draft.Field.allCases)
    guard Draft.Field.allCases.allSatisfy({ draft.problem(in: $0) == nil }) else {
      phase = .editing
      refusals += 1
      return false
    }
    // The server may already have done what this key stands for.
    if let sent, sent != draft { key = newKey() }
    sent = draft
    phase = .submitting
    return true
  }

  /// Shows the server's messages at the fields that have not changed since; without any, the
  /// failure remains that of the whole.
  mutating func refuse(
    _ problems: [Draft.Field: String], _ refused: Draft, newKey: String
  ) {
    messages = problems.filter { refused[$0.key] == draft[$0.key] }
    if !messages.isEmpty { phase = .editing }
    refusals += 1
    // With the old key a server would give the same response again.
    (key, sent) = (newKey, nil)
  }

  /// Begins anew, with the texts that were typed while the draft was sent.
  mutating func succeed(with value: Value, _ accepted: Draft, next: Draft, newKey: String) {
    var next = next
    for field in Draft.Field.allCases where draft[field] != accepted[field] {
      next[field] = draft[field]
    }
    isContinued = draft != accepted
    (draft, phase) = (next, .submitted(value))
    (checked, messages) = ([], [:])
    (acceptedKey, key, sent) = (key, newKey, nil)
  }

  /// Whether a key is that of the draft that was last accepted.
  func isAccepted(_ key: String?) -> Bool { key == acceptedKey }
}
