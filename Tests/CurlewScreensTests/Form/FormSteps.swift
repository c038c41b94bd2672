import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// The account of a sign-up form.
struct Account: FormDraft {
  enum Field: String, CaseIterable { case name, email, again }

  var texts: [Field: String] = [:]

  init(_ name: String = "", _ email: String = "", again: String? = nil) {
    texts = [.name: name, .email: email, .again: again ?? email]
  }

  subscript(field: Field) -> String {
    get { texts[field, default: ""] }
    set { texts[field] = newValue }
  }

  func problem(in field: Field) -> String? {
    switch field {
    case .name: self[.name].isEmpty ? "Enter a name." : nil
    case .email: self[.email].contains("@") ? nil : "Enter an email address."
    case .again: self[.again] == self[.email] ? nil : "Enter the same address again."
    }
  }

  static let ann = Account("Ann", "ann@example.org")
}

/// A submit of a form.
struct Sent: Equatable, Sendable {
  let account: Account
  let key: String

  init(_ account: Account, _ key: String) { (self.account, self.key) = (account, key) }
}

/// A server's rejection with messages for fields.
struct Refused: LocalizedError {
  let messages: [Account.Field: String]
  var errorDescription: String? { "The server refused it." }
}

/// A sign-up form, and the words of its scenarios.
///
/// - Events: `name Ann`, `email`, `again` type texts, and `fill` those of Ann; `leave name`, `submit`, `check`, `check name`,
///   `clear`, `restore key`, and `send key`, with the texts of Ann.
/// - Time: `wait 500` milliseconds.
/// - Responses: `accept 7`, `fail`, `busy 3` seconds, `refuse name:Taken.`.
/// - Expectations: the `problems` of fields, those of the server with their text, and the `first` one; the submission (`is`);
///   the keys and names that were `sent`; the texts of the `draft`; whether the form is `fresh` with a key, or with a key and
///   a result `after` the accepted key; `unchanged` states since a `mark`; and the activity.
final class FormSteps {
  typealias SignUp = FormScreen<Account, Int>

  let server = PendingResponses<Sent, Int>()
  let probe: ScreenProbe<SignUp>
  private var mark = 0

  init(_ draft: Account = Account(), next: SignUp.NextDraft? = nil) {
    probe = ScreenProbe(Self.form(server, draft, next: next))
  }

  /// Returns a form whose keys are k0, k1, k2.
  static func form(
    _ server: PendingResponses<Sent, Int>, _ draft: Account = Account(),
    next: SignUp.NextDraft? = nil
  ) -> SignUp {
    let keys = Numbers()
    return FormScreen(
      draft, next: next, problems: { ($0 as? Refused)?.messages ?? [:] }, key: { "k\(keys.next())" }
    ) {
      try await server.next(for: Sent($0, $1))
    }
  }

  func perform(_ word: String, _ words: [String]) throws -> String? {
    switch word {
    case "name", "email", "again":
      probe.send(.change(try field(word), words.joined(separator: " ")))
    case "fill":
      for field in Account.Field.allCases { probe.send(.change(field, Account.ann[field])) }
    case "leave": probe.send(.endedEditing(try field(words[0])))
    case "submit": probe.send(.submit)
    case "check" where words.isEmpty: probe.send(.check())
    case "check": probe.send(.check(Set(try words.map { try field($0) })))
    case "clear": probe.send(.clear)
    case "restore": probe.send(.restore(key: words[0]))
    case "send": probe.send(.send(Account.ann.texts, key: words[0]))
    case "wait": probe.advance(by: .milliseconds(try #require(Int(words[0]))))
    case "accept": reply(.success(try #require(Int(words[0]))))
    case "fail": reply(.failure(Broken()))
    case "busy": reply(.failure(Busy(.seconds(try #require(Int(words[0]))))))
    case "refuse":
      let messages = try words.map { word in
        let parts = word.split(separator: ":")
        return (try field(parts[0]), String(parts[1]))
      }
      reply(.failure(Refused(messages: Dictionary(uniqueKeysWithValues: messages))))
    case "mark": mark = probe.states.count
    default: return try expectation(word, words)
    }
    return nil
  }

  private func field(_ word: some StringProtocol) throws -> Account.Field {
    try #require(Account.Field(rawValue: String(word)))
  }

  private func reply(_ result: Result<Int, any Error>) {
    server.reply(result)
    probe.settle()
  }

  private func expectation(_ word: String, _ words: [String]) throws -> String {
    let state = probe.state
    func joined(_ texts: [String]) -> String {
      texts.isEmpty ? "nothing" : texts.joined(separator: " ")
    }
    switch word {
    case "problems":
      return joined(
        Account.Field.allCases.compactMap { field in
          state.problem(in: field).map {
            $0 == state.draft.problem(in: field) ? field.rawValue : "\(field):\($0)"
          }
        })
    case "first": return state.firstProblem?.rawValue ?? "nothing"
    case "is":
      switch state.submission {
      case .idle: return "idle"
      case .loading: return "loading"
      case .content(let value, _): return "accepted \(value)"
      case .empty: return "empty"
      case .failed(let failure, _, _):
        return failure.textOnly == .broken ? "failed" : "failed: \(failure.message)"
      }
    case "rejected": return "\(state.rejectedSubmits)"
    case "canSubmit": return "\(state.canSubmit)"
    case "works": return "\(probe.runner.isWorking)"
    case "key": return state.key
    case "sent": return joined(server.requested.map { "\($0.key):\($0.account[.name])" })
    case "draft":
      return Account.Field.allCases.map { state.draft[$0].isEmpty ? "-" : state.draft[$0] }
        .joined(separator: " ")
    case "fresh":
      let fresh =
        words.count == 1
        ? SignUp.State(Account(), key: words[0])
        : SignUp.State(
          Account(), submission: .content(Int(words[1]) ?? 0), key: words[0], acceptedKey: words[3])
      return state == fresh ? words.joined(separator: " ") : "\(state)"
    case "indicator": return "\(!probe.activity.loading.isEmpty)"
    case "alerts": return joined(probe.activity.alerts.map { "\($0.name)" })
    case "left":
      return joined(probe.activity.alerts.map { $0.secondsLeft.map { "\($0)" } ?? "none" })
    case "unchanged": return probe.states.count == mark ? "" : "\(probe.states.suffix(1))"
    default: throw Scenario.UnknownWord(step: "\(word) \(words)")
    }
  }
}
