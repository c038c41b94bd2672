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

    let probe = ScreenProbe(signUp)
    probe.send(.submit)
    #expect(probe.state.firstProblem == .name)
    probe.send(.change(.name, "Ada"))
    probe.send(.change(.email, "ada@example.org"))
    let key = probe.state.key
    probe.send(.submit)
    probe.send(.submit)
    #expect(created.requested == ["Ada \(key)"])
    created.reply(.failure(Refused(messages: [.name: "This name is taken."])))
    probe.settle()
    #expect(probe.state.problem(in: .name) == "This name is taken.")
    #expect(probe.activity.alerts.isEmpty)
    probe.send(.submit)
    created.reply(.success(7))
    probe.settle()
    #expect(probe.state.submission.latest == 7)
    #expect(probe.state.draft[.name] == "")
  }
}
