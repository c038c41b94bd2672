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
/// - A submission is a write: it is sent exactly once, even when the view, the part or the runner
///   disappears. The user can continue typing meanwhile; the new text is neither sent nor lost.
/// - The server's messages are shown at their fields until the field's text changes. They don't
///   prevent another submission.
/// - A submission that failed as a whole keeps the draft, which can be submitted again, with the same
///   idempotency key if the draft is unchanged.
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
    /// The user submits the form with these texts, which the screen may not have received yet.
    ///
    /// The `key` that the form was rendered with is restored first; a form whose key was accepted is
    /// not sent again.
    case send([Draft.Field: String], key: String? = nil)
    /// Restores the idempotency key of a form that was rendered earlier: its submission is sent with
    /// this key.
    ///
    /// A browser without JavaScript sends the key in a hidden field. A form that is submitted twice,
    /// even to two processes, therefore has the same key.
    case restore(key: String)
    /// The user wants to continue without submitting, as to the next step of a wizard: shows the problems of these
    /// fields.
    ///
    /// If there are any, ``State/rejectedSubmits`` increases. The server's messages are not requested.
    case check(Set<Draft.Field> = Set(Draft.Field.allCases))
    /// Discards the user's texts: the form is as it was created, or as after its last success.
    ///
    /// A submission that is running continues; its result is ignored.
    case clear
  }

  /// The texts that a form shows after a success.
  ///
  /// The texts that the user has typed while the form was being submitted stay in any case.
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
  ///   - debounce: The debounce interval: how long a field's text must stay unchanged before its
  ///     problem is shown. The default, half a second, is longer than the pause between two
  ///     keystrokes.
  ///   - problems: A closure that returns the server's messages for the fields, such as the messages
  ///     of a 422 or a 404 response; an error without messages fails the submission as a whole.
  ///   - key: A closure that returns a new idempotency key; by default a random UUID.
  ///   - route: A closure that returns the route to open after a success; `nil` to stay.
  ///   - submit: A closure that sends the draft. Send the key as the `Idempotency-Key`
  ///     (draft-ietf-httpapi-idempotency-key-header), so that the server performs the operation only
  ///     once if the request is retried after a lost response.
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
      guard state.change(field, to: text), !state.isChecked(field) else { return }
      work.timer(.pause(in: field), after: debounce) { state, _ in state.endPause(in: field) }
    case .endedEditing(let field):
      state.check(field)
    case .check(let fields):
      state.check(fields)
    case .clear:
      state.clear(newKey: makeKey())
    case .restore(let key):
      state.restore(key)
    case .send(let texts, let key):
      // A second click may arrive after the first click's submission was accepted.
      guard key == nil || !state.isAccepted(key) else { return }
      for (field, text) in texts { handle(.change(field, text), &state, &work) }
      if let key { handle(.restore(key: key), &state, &work) }
      handle(.submit, &state, &work)
    case .submit:
      guard state.canSubmit else { return }
      for field in Draft.Field.allCases { work.cancel(.pause(in: field)) }
      guard state.begin(newKey: makeKey) else { return }
      send(state.draft, state.key, &work)
    }
  }

  /// Returns the submission, which ``Event/submit`` retries as long as the user has not changed the
  /// draft.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .submit, kind: .write, isLoading: state.submission.isLoading,
        failure: state.submission.failure,
        isSuperseded: state.isSuperseded, retry: .submit)
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
        let next =
          switch next {
          case .empty: draft
          case .accepted: sent
          case .response(let make): make(value)
          }
        state.succeed(with: value, sent, next: next, newKey: makeKey())
        route(value).map { work.go(to: $0) }
      case .failure(let error):
        let problems = problems(error)
        state.submission = .failed(LoadFailure(error), last: nil)
        if !problems.isEmpty { state.refuse(problems, sent, newKey: makeKey()) }
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
