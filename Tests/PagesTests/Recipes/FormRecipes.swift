import CurlewScreens
import CurlewTesting
import Testing

/// The form of Screens.md, compiled and run.
@Suite("The recipe of a form", .timeLimit(.minutes(1)))
struct FormRecipes {
  nonisolated struct Refused: Error { let messages: [Account.Field: String] }

  nonisolated struct Account: FormDraft {
    enum Field: CaseIterable { case name, email }
    var name = ""
    var email = ""

    subscript(field: Field) -> String {
      get { field == .name ? name : email }
      set { if field == .name { name = newValue } else { email = newValue } }
    }

    func problem(in field: Field) -> String? {
      switch field {
      case .name: name.isEmpty ? "Enter a name." : nil
      case .email: email.contains("@") ? nil : "Enter an email address."
      }
    }
  }

  @Test func `account is created once`() {
    let created = PendingResponses<String, Int>()
    let create: @Sendable (Account, String) async throws -> Int = { account, key in
      try await created.next(for: "\(account.name) \(key)")
    }

    typealias SignUp = FormScreen<Account, Int>

    let signUp = SignUp(
      Account(), problems: { error in (error as? Refused)?.messages ?? [:] }
    ) { account, key in
      try await create(account, key)
    }
    let page = ActivityTracking(signUp)

    let probe = ScreenProbe(page)
    probe.send(.content(.submit))
    #expect(probe.state.content.firstProblem == .name)
    probe.send(.content(.change(.name, "Ada")))
    probe.send(.content(.change(.email, "ada@example.org")))
    let key = probe.state.content.key
    probe.send(.content(.submit))
    probe.send(.content(.submit))
    #expect(created.requested == ["Ada \(key)"])
    created.reply(.failure(Refused(messages: [.name: "This name is taken."])))
    probe.settle()
    #expect(probe.state.content.problem(in: .name) == "This name is taken.")
    #expect(probe.state.activity.alerts.isEmpty)
    probe.send(.content(.submit))
    created.reply(.success(7))
    probe.settle()
    #expect(probe.state.content.submission.latest == 7)
    #expect(probe.state.content.draft[.name] == "")
  }
}
