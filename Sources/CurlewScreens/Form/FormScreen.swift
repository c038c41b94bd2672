public import Foundation

/// A generic form screen: text fields that are validated as the user types, and a submission that is
/// sent once.
///
/// ```swift
/// typealias SignUp = FormScreen<Account, User>
///
/// let signUp = SignUp(Account()) { account, key in
///   try await host.send(Users.create(account, idempotencyKey: key))
/// }
/// ```
///
/// - A field's problem is shown once the user has left the field, has paused in typing, or has tried
///   to submit; from then on the field is validated with each keystroke.
/// - Submitting an invalid draft shows all problems and sends nothing. Submitting while a submission
///   is running does nothing.
/// - A submission is a write: it is sent exactly once, even when the view, the part or the runner disappears. The user can
///   continue typing meanwhile; the new text is neither sent nor lost.
/// - The server's messages are shown at their fields until the field's text changes; the form can be submitted meanwhile.
/// - A submission that failed as a whole keeps the draft, which can be submitted again, with the same idempotency key if
///   the draft is unchanged.
/// - After a success the form shows its ``NextDraft``, and can't be submitted until a text changes.
public struct FormScreen<Draft: FormDraft, Value: Equatable & Sendable>: Screen {
  /// An event of a form screen.
  public enum Event: Sendable, Equatable {
    /// The text of a field changed.
    case change(Draft.Field, String)
    /// The user leaves a field: it lost the focus.
    case endedEditing(Draft.Field)
    /// The user submits the form, for the first time or again.
    case submit
    /// The user submits the form with these texts, which the screen may not have received yet, after ``restore(key:)``;
    /// a form whose key was accepted is not sent again.
    case send([Draft.Field: String], key: String? = nil)
    /// Restores the idempotency key of a form that was rendered earlier, for its submission.
    ///
    /// A browser without JavaScript sends the key in a hidden field: a form that is submitted twice, even to two
    /// processes, has the same key.
    case restore(key: String)
    /// The user wants to continue without submitting, as to the next step of a wizard: shows the problems of these
    /// fields; if there are any, ``State/rejectedSubmits`` increases.
    case check(Set<Draft.Field> = Set(Draft.Field.allCases))
    /// Discards the user's texts: the form is as it was created, or as after its last success.
    ///
    /// A submission that is running continues; its result is ignored.
    case clear
  }

  /// The texts that a form shows after a success; texts that were typed while it was being submitted stay.
  public enum NextDraft: Sendable {
    /// The texts that the form was created with, as for a composer.
    case empty
    /// The accepted texts, as for a profile.
    case accepted
    /// Texts made from the response, such as a profile in the server's spelling.
    case response(@Sendable (Value) -> Draft)
  }

  private let draft: Draft
  private let next: NextDraft
  private let debounce: Duration
  private let problems: @Sendable (any Error) -> [Draft.Field: String]
  private let makeKey: @Sendable () -> String
  private let route: @Sendable (Value) -> (any Route)?
  private let submit: @Sendable (Draft, String) async throws -> Value

  /// Creates a form screen.
  ///
  /// - Parameters:
  ///   - draft: The texts of the fields before the user types.
  ///   - next: The texts after a success; by default ``NextDraft/accepted`` if `draft` is valid, as an existing profile
  ///     is, or else ``NextDraft/empty``.
  ///   - debounce: How long a field's text must stay unchanged before its problem is shown.
  ///   - problems: A closure that returns the server's messages for the fields, as of a 422 response; an error without
  ///     messages fails the submission as a whole.
  ///   - key: A closure that returns a new idempotency key; by default a random UUID.
  ///   - route: A closure that returns the route to open after a success; `nil` to stay.
  ///   - submit: A closure that sends the draft. Send the key as the `Idempotency-Key`
  ///     (draft-ietf-httpapi-idempotency-key-header), so that the server performs a repeated request once.
  public init(
    _ draft: Draft, next: NextDraft? = nil, debounce: Duration = .milliseconds(500),
    problems: @escaping @Sendable (any Error) -> [Draft.Field: String] = { _ in [:] },
    key: @escaping @Sendable () -> String = { UUID().uuidString },
    route: @escaping @Sendable (Value) -> (any Route)? = { _ in nil },
    submit: @escaping @Sendable (Draft, _ key: String) async throws -> Value
  ) {
    self.draft = draft
    self.next = next ?? (draft.isValid(in: Draft.Field.allCases) ? .accepted : .empty)
    self.debounce = debounce
    self.problems = problems
    makeKey = key
    self.route = route
    self.submit = submit
  }

  /// The initial texts, without problems and with a new idempotency key.
  public var initial: State { State(draft, key: makeKey()) }

  /// Handles an event of the form.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .change(let field, let text):
      guard state.draft[field] != text else { return }
      state.draft[field] = text
      state.messages[field] = nil
      state.typed.insert(field)
      if state.submission.latest != nil { state.submission = .idle }
      guard !state.checked.contains(field) else { return }
      work.timer(.pause(in: field), after: debounce) { state, _ in
        // Another form may have been started in this state meanwhile.
        if state.typed.contains(field) { state.check(field) }
      }
    case .endedEditing(let field):
      state.check(field)
    case .check(let fields):
      _ = state.check(fields)
    case .clear:
      state = State(state.original, key: makeKey(), acceptedKey: state.acceptedKey)
    case .restore(let key):
      guard !state.submission.isLoading, key != state.key else { return }
      (state.key, state.sent) = (key, nil)
    case .send(let texts, let key):
      // A second click may arrive after the first click's submission was accepted.
      guard key == nil || key != state.acceptedKey else { return }
      for (field, text) in texts { handle(.change(field, text), &state, &work) }
      if let key { handle(.restore(key: key), &state, &work) }
      handle(.submit, &state, &work)
    case .submit:
      guard state.canSubmit else { return }
      for field in Draft.Field.allCases { work.cancel(.pause(in: field)) }
      state.submission = .idle
      guard state.check(Set(Draft.Field.allCases)) else { return }
      // The server may already have processed a request with this key.
      if let sent = state.sent, sent != state.draft { state.key = makeKey() }
      (state.sent, state.submission) = (state.draft, .loading(last: nil))
      send(state.draft, state.key, &work)
    }
  }

  /// Returns the submission, which ``Event/submit`` retries as long as the user has not changed the draft.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .submit, kind: .write, isLoading: state.submission.isLoading,
        failure: state.submission.failure,
        isSuperseded: state.submission.failure != nil && state.draft != state.sent, retry: .submit)
    ]
  }

  private func send(_ sent: Draft, _ key: String, _ work: inout Work<State>) {
    work.write(.submit) { [submit] in
      try await submit(sent, key)
    } finished: { state, result, work in
      // A parent screen may have started another form in this state.
      guard state.submission.isLoading, state.key == key else { return }
      switch result {
      case .success(let value):
        var next =
          switch next {
          case .empty: draft
          case .accepted: sent
          case .response(let make): make(value)
          }
        state.original = next
        for field in Draft.Field.allCases where state.draft[field] != sent[field] {
          next[field] = state.draft[field]
        }
        state.isContinued = state.draft != sent
        (state.draft, state.submission) = (next, .content(value))
        (state.checked, state.messages, state.typed) = ([], [:], [])
        (state.acceptedKey, state.key, state.sent) = (key, makeKey(), nil)
        route(value).map { work.go(to: $0) }
      case .failure(let error):
        let problems = problems(error)
        state.submission = .failed(LoadFailure(error), last: nil)
        if problems.isEmpty { return }
        state.messages = problems.filter { sent[$0.key] == state.draft[$0.key] }
        if !state.messages.isEmpty { state.submission = .idle }
        state.rejectedSubmits += 1
        // With the old key, the server would return the same response again.
        (state.key, state.sent) = (makeKey(), nil)
      }
    }
  }
}

extension WorkID {
  /// The submission of a ``FormScreen``.
  package static let submit: WorkID = "submit"

  /// The timer that shows a field's problem.
  fileprivate static func pause(in field: some Hashable) -> WorkID { "pause \(field)" }
}
