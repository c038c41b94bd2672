public import Foundation

extension FormScreen {
  /// The state of a form screen.
  public struct State: Equatable, Sendable {
    /// The texts of the fields, exactly as typed, so that they can back text fields.
    public private(set) var draft: Draft
    /// The submission's status: idle while the user fills in the fields, loading while the draft is
    /// being sent, content when the draft was accepted and no text has changed since, and failed
    /// when the submission failed as a whole; then the draft is kept, and can be submitted again.
    public internal(set) var submission: Loadable<Value>
    /// The idempotency key of the running submission, or of the next submission of this draft.
    public private(set) var key: String
    /// The number of submissions and checks that were rejected because of problems in fields, by the form or
    /// by the server.
    ///
    /// When it increases, move the focus to ``firstProblem``.
    public private(set) var rejectedSubmits: Int
    private var checked: Set<Draft.Field>
    /// The fields that the user has typed in since they were shown, and that have not been checked.
    @Unobserved private var typed: Set<Draft.Field> = []
    /// The texts that ``FormScreen/Event/clear`` restores.
    @Unobserved private var original: Draft
    /// The server's messages about texts that have not changed since.
    private var messages: [Draft.Field: String]
    /// The draft that was last sent with ``key``.
    private var sent: Draft?
    /// The key of the draft that was last accepted.
    private var acceptedKey: String?
    /// Whether the user typed while the accepted draft was being sent.
    private var isContinued = false

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    ///
    /// - Parameters:
    ///   - draft: The texts of the fields.
    ///   - submission: The submission's status and result.
    ///   - checked: The fields whose problems are shown.
    ///   - messages: The server's messages at the fields.
    ///   - rejectedSubmits: The number of rejected submissions.
    ///   - key: The idempotency key of the next submission.
    ///   - acceptedKey: The key of the draft that was last accepted.
    public init(
      _ draft: Draft, submission: Loadable<Value> = .idle, checked: Set<Draft.Field> = [],
      messages: [Draft.Field: String] = [:], rejectedSubmits: Int = 0,
      key: String = UUID().uuidString, acceptedKey: String? = nil
    ) {
      self.draft = draft
      _original = Unobserved(wrappedValue: draft)
      self.submission = submission
      self.checked = checked
      self.messages = messages
      self.rejectedSubmits = rejectedSubmits
      self.key = key
      self.acceptedKey = acceptedKey
    }
  }
}

/// A decoded form is not being submitted; submitting it again sends the key of the submission that was running.
extension FormScreen.State: Codable
where Draft: Codable, Draft.Field: Codable, Value: Codable {}

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

  /// Whether a submission has an effect: false while a submission is running, and after a success
  /// until a text has changed.
  ///
  /// Problems don't make it false, so that submitting can show them.
  public var canSubmit: Bool { !submission.isLoading && !isDone }
}

extension FormScreen.State {
  /// Returns whether a field's problem, if any, is shown.
  func isChecked(_ field: Draft.Field) -> Bool { checked.contains(field) }

  /// Whether the user has changed the draft since its submission failed.
  var isSuperseded: Bool { submission.failure != nil && draft != sent }

  private var isDone: Bool { submission.latest != nil && !isContinued }

  /// Changes the text of a field; returns whether the text is different.
  mutating func change(_ field: Draft.Field, to text: String) -> Bool {
    guard draft[field] != text else { return false }
    draft[field] = text
    messages[field] = nil
    typed.insert(field)
    if submission.latest != nil { submission = .idle }
    return true
  }

  /// Shows a field's problem from now on.
  mutating func check(_ field: Draft.Field) {
    // After a success, leaving a reset field does not show its problem.
    if !isDone { checked.insert(field) }
    typed.remove(field)
  }

  /// Shows a field's problem after a pause in typing, unless another form has been started in this state meanwhile.
  mutating func endPause(in field: Draft.Field) {
    if typed.contains(field) { check(field) }
  }

  /// Shows the problems of fields from now on; returns whether there are none.
  @discardableResult
  mutating func check(_ fields: Set<Draft.Field>) -> Bool {
    for field in fields { check(field) }
    let isValid = isDone || draft.isValid(in: fields)
    if !isValid { rejectedSubmits += 1 }
    return isValid
  }

  /// Discards the user's texts.
  mutating func clear(newKey: String) {
    self = Self(original, key: newKey, acceptedKey: acceptedKey)
  }

  /// Restores the key of a form that was rendered earlier.
  mutating func restore(_ other: String) {
    guard !submission.isLoading, other != key else { return }
    (key, sent) = (other, nil)
  }

  /// Starts a submission, and shows all problems; returns whether the draft is valid.
  mutating func begin(newKey: () -> String) -> Bool {
    guard check(Set(Draft.Field.allCases)) else {
      submission = .idle
      return false
    }
    // The server may already have processed a request with this key.
    if let sent, sent != draft { key = newKey() }
    sent = draft
    submission = .loading(last: nil)
    return true
  }

  /// Shows the server's messages at the fields that have not changed since; if there are none, the
  /// submission stays failed as a whole.
  mutating func refuse(
    _ problems: [Draft.Field: String], _ refused: Draft, newKey: String
  ) {
    messages = problems.filter { refused[$0.key] == draft[$0.key] }
    if !messages.isEmpty { submission = .idle }
    rejectedSubmits += 1
    // With the old key, the server would return the same response again.
    (key, sent) = (newKey, nil)
  }

  /// Shows the next texts, but keeps the texts that were typed while the draft was being sent.
  mutating func succeed(with value: Value, _ accepted: Draft, next: Draft, newKey: String) {
    original = next
    var next = next
    for field in Draft.Field.allCases where draft[field] != accepted[field] {
      next[field] = draft[field]
    }
    isContinued = draft != accepted
    (draft, submission) = (next, .content(value))
    (checked, messages, typed) = ([], [:], [])
    (acceptedKey, key, sent) = (key, newKey, nil)
  }

  /// Returns whether a key belongs to the last accepted draft.
  func isAccepted(_ key: String?) -> Bool { key == acceptedKey }
}
