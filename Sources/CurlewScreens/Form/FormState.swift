public import Foundation

extension FormScreen {
  /// The state of a form screen.
  public struct State: Equatable, Sendable {
    /// The texts of the fields, exactly as typed, so that they can back text fields.
    public private(set) var draft: Draft
    /// The submit: idle while the user fills in the fields, loading while the draft is being sent,
    /// content when it was accepted and no text has changed since, and failed when it failed as a
    /// whole; then the draft is kept, and can be submitted again.
    public internal(set) var submission: Loadable<Value>
    /// The idempotency key of the next submit of this draft, or of the one that is running.
    public private(set) var key: String
    /// How many submits were refused because of problems in fields, by the form or by the server.
    ///
    /// When it increases, move the focus to ``firstProblem``.
    public private(set) var rejectedSubmits: Int
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
    ///   - submission: The submit, and its result.
    ///   - checked: The fields whose problems are shown.
    ///   - messages: The server's messages at the fields.
    ///   - rejectedSubmits: How many submits were refused.
    ///   - key: The idempotency key of the next submit.
    ///   - acceptedKey: The key of the draft that was last accepted.
    public init(
      _ draft: Draft, submission: Loadable<Value> = .idle, checked: Set<Draft.Field> = [],
      messages: [Draft.Field: String] = [:], rejectedSubmits: Int = 0,
      key: String = UUID().uuidString, acceptedKey: String? = nil
    ) {
      self.draft = draft
      self.submission = submission
      self.checked = checked
      self.messages = messages
      self.rejectedSubmits = rejectedSubmits
      self.key = key
      self.acceptedKey = acceptedKey
    }
  }
}

extension FormScreen.State {
  /// Returns the problem to show at a field, the form's own or the server's; `nil` when there is
  /// none, or it is not shown yet.
  public func problem(in field: Draft.Field) -> String? {
    (isChecked(field) ? draft.problem(in: field) : nil) ?? messages[field]
  }

  /// The first field with a problem that is shown.
  public var firstProblem: Draft.Field? {
    Draft.Field.allCases.first { problem(in: $0) != nil }
  }

  /// Whether a submit has an effect: not while one is running, and not after a success until a text
  /// has changed.
  ///
  /// Problems don't make it false, so that a submit can show them.
  public var canSubmit: Bool { !submission.isLoading && !isDone }
}

extension FormScreen.State {
  /// Whether a field's problem is shown if it has one.
  func isChecked(_ field: Draft.Field) -> Bool { checked.contains(field) }

  /// Whether the user has changed the draft that could not be sent.
  var isSuperseded: Bool { submission.failure != nil && draft != sent }

  private var isDone: Bool { submission.latest != nil && !isContinued }

  /// Changes the text of a field; returns whether it was another one.
  mutating func change(_ field: Draft.Field, to text: String) -> Bool {
    guard draft[field] != text else { return false }
    draft[field] = text
    messages[field] = nil
    if submission.latest != nil { submission = .idle }
    return true
  }

  /// Shows a field's problem from now on.
  mutating func check(_ field: Draft.Field) {
    // The empty field that is left after a success has no problem.
    if !isDone { checked.insert(field) }
  }

  /// Takes over the key of a form that was rendered earlier.
  mutating func restore(_ other: String) {
    guard !submission.isLoading, other != key else { return }
    (key, sent) = (other, nil)
  }

  /// Begins to submit, and shows all problems; returns whether there are none.
  mutating func begin(newKey: () -> String) -> Bool {
    checked = Set(Draft.Field.allCases)
    guard Draft.Field.allCases.allSatisfy({ draft.problem(in: $0) == nil }) else {
      submission = .idle
      rejectedSubmits += 1
      return false
    }
    // The server may already have done what this key stands for.
    if let sent, sent != draft { key = newKey() }
    sent = draft
    submission = .loading(last: nil)
    return true
  }

  /// Shows the server's messages at the fields that have not changed since; without any, the
  /// failure remains that of the whole.
  mutating func refuse(
    _ problems: [Draft.Field: String], _ refused: Draft, newKey: String
  ) {
    messages = problems.filter { refused[$0.key] == draft[$0.key] }
    if !messages.isEmpty { submission = .idle }
    rejectedSubmits += 1
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
    (draft, submission) = (next, .content(value))
    (checked, messages) = ([], [:])
    (acceptedKey, key, sent) = (key, newKey, nil)
  }

  /// Whether a key is that of the draft that was last accepted.
  func isAccepted(_ key: String?) -> Bool { key == acceptedKey }
}
