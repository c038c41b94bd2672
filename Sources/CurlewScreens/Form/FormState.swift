public import Foundation

extension FormScreen {
  /// The state of a form screen.
  public struct State: Equatable, Sendable {
    /// The texts of the fields, exactly as typed, so that they can back text fields.
    public internal(set) var draft: Draft
    /// The submission's status: content when the draft was accepted and no text has changed since, and failed when the
    /// submission failed as a whole; then the draft is kept, and can be submitted again.
    public internal(set) var submission: Loadable<Value>
    /// The idempotency key of the running submission, or of the next submission of this draft.
    public internal(set) var key: String
    /// The number of submissions and checks that the form or the server has rejected because of problems in fields; when it
    /// increases, move the focus to ``firstProblem``.
    public internal(set) var rejectedSubmits: Int
    var checked: Set<Draft.Field>
    /// The fields that the user has typed in since they were shown, and that have not been checked.
    @Unobserved var typed: Set<Draft.Field> = []
    /// The texts that ``FormScreen/Event/clear`` restores.
    @Unobserved var original: Draft
    /// The server's messages about texts that have not changed since.
    var messages: [Draft.Field: String]
    /// The draft that was last sent with ``key``.
    var sent: Draft?
    /// The key of the draft that was last accepted.
    var acceptedKey: String?
    /// Whether the user typed while the accepted draft was being sent.
    var isContinued = false

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    ///
    /// The problems of `checked` are shown; `messages` are the server's, and `acceptedKey` is that of the accepted draft.
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
  /// Returns the problem to show at a field, the form's own or the server's; `nil` when none is shown.
  public func problem(in field: Draft.Field) -> String? {
    (checked.contains(field) ? draft.problem(in: field) : nil) ?? messages[field]
  }

  /// The first field with a problem that is shown.
  public var firstProblem: Draft.Field? {
    Draft.Field.allCases.first { problem(in: $0) != nil }
  }

  /// Whether a submission has an effect, such as showing problems: false while a submission is running, and after a
  /// success until a text has changed.
  public var canSubmit: Bool { !submission.isLoading && !isDone }
}

extension FormScreen.State {
  private var isDone: Bool { submission.latest != nil && !isContinued }

  /// Shows a field's problem from now on.
  mutating func check(_ field: Draft.Field) {
    // After a success, leaving a reset field does not show its problem.
    if !isDone { checked.insert(field) }
    typed.remove(field)
  }

  /// Shows the problems of fields from now on; returns whether there are none.
  mutating func check(_ fields: Set<Draft.Field>) -> Bool {
    for field in fields { check(field) }
    let isValid = isDone || draft.isValid(in: fields)
    if !isValid { rejectedSubmits += 1 }
    return isValid
  }
}
