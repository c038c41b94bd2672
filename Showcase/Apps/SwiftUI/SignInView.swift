#if canImport(SwiftUI)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewSwiftUI
  import SwiftUI

  /// The users of the sandbox, or the sign-out.
  struct SignInView: View {
    private let account: AppAccount
    @State private var model: ScreenModel<SignIn>

    init(_ account: AppAccount, _ sources: AppSources) {
      self.account = account
      _model = State(initialValue: sources.model(account.screen))
    }

    var body: some View {
      NavigationStack {
        List {
          if account.isSignedIn() {
            Button("Sign out") { model.send(.signOut) }
            if let discarded = model.state.discarded {
              Text(discarded)
              Button("Discard and sign out", role: .destructive) { model.send(.discard) }
            }
          } else {
            ForEach(AppAccount.names, id: \.self) { name in
              Button("Sign in as \(name)") { model.send(.signIn(name)) }
            }
          }
          if let problem = model.state.problem { Text(problem) }
        }
        .navigationTitle("Account")
        .activity(of: model) { ProgressView("Signing in…") }
        .running(model)
      }
    }
  }
#endif
