public import Application
import Domain
import Platform

/// The user of the apps, who signs in at a sandbox: GitHub itself asks on a page of its own.
public struct AppAccount: Sendable {
  /// The names of the sandbox's users.
  public static let names = ["ada", "grace", "bob"]

  /// Whether a user has signed in, which views observe.
  public let isSignedIn: @Sendable () -> Bool
  /// The sign-in and the sign-out.
  public let screen: SignIn

  init(_ account: GitHubAccount, host: any CodeHost) {
    isSignedIn = { account.isSignedIn }
    screen = SignIn(
      signIn: { try await account.signIn($0) },
      signOut: {
        host.discardPendingChanges()
        await account.signOut()
      }, pending: { PendingChanges.State(host.pendingChanges().current).summary })
  }
}
