#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import UIKit

  /// The users of the sandbox, or the sign-out.
  final class SignInViewController: ScreenViewController<SignIn> {
    private var account: AppAccount?
    private let problem = UILabel()
    private lazy var signOut = button("Sign out", .signOut)
    private lazy var discard = button("Discard and sign out", .discard)
    private lazy var names = AppAccount.names.map { button("Sign in as \($0)", .signIn($0)) }

    convenience init(_ account: AppAccount, _ sources: AppSources) {
      self.init(sources.model(account.screen))
      self.account = account
      title = "Account"
    }

    override func viewDidLoad() {
      let stack = UIStackView(arrangedSubviews: names + [signOut, problem, discard])
      stack.axis = .vertical
      stack.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(stack)
      NSLayoutConstraint.activate([
        stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor),
        stack.leadingAnchor.constraint(equalTo: view.leadingAnchor),
        stack.trailingAnchor.constraint(equalTo: view.trailingAnchor),
      ])
      super.viewDidLoad()
    }

    override func update() {
      let isSignedIn = account?.isSignedIn() ?? false
      signOut.isHidden = !isSignedIn
      for button in names { button.isHidden = isSignedIn }
      problem.text = model.state.discarded ?? model.state.problem
      discard.isHidden = !isSignedIn || model.state.discarded == nil
    }

    private func button(_ title: String, _ event: SignIn.Event) -> UIButton {
      let action = UIAction(title: title) { [weak self] _ in self?.model.send(event) }
      return UIButton(configuration: .plain(), primaryAction: action)
    }
  }
#endif
