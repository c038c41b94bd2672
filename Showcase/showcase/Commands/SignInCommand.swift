import Application
import ArgumentParser
import Curlew
import CurlewTerminal
import Domain
import Platform
import Sandbox

/// `showcase sign-in NAME`: signs a user of the sandbox in.
struct SignInCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in",
    abstract: "Sign in as a user of the sandbox, for the commands that follow.",
    discussion: """
      The users are \(Sandbox.users.joined(separator: ", ")); they have no passwords, and the last one \
      may only read. The token is kept beside the cache, in a file that only you can read. The pages \
      of 'showcase serve' have a sign-in of their own. Exits with 64 for an unknown name.
      """)

  @Argument(help: "The name of the user.", completion: .list(Sandbox.users))
  var name: String

  @OptionGroup var color: ColorOption

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func validate() throws {
    guard !options.live, !options.isReplay, !options.offline else {
      throw ValidationError("Only the sandbox has users who can sign in.")
    }
  }

  func run() async throws {
    try await Backend.run(options) { backend in
      guard let grant = try await backend.gitHub.send(GitHub.signIn(name)) else {
        let names = Sandbox.users.joined(separator: ", ")
        throw Failure("There is no user '\(name)'; the users are \(names).", status: .usage)
      }
      await backend.gitHub.signIn(with: grant.token)
    }
    try StandardStream.output.write("Signed in as \(name).".printable + "\n")
  }
}

/// `showcase sign-out`: revokes and removes the token, and removes the stored responses.
struct SignOutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out",
    abstract: "Sign out: remove the token and the stored responses.",
    discussion: """
      Exits with 75 if changes have not been sent, which --discard removes. Changes of a sign-in that ended by itself wait \
      for the user's next one.
      """)

  @Flag(help: "Discard changes that have not been sent.")
  var discard = false

  @OptionGroup var color: ColorOption

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func validate() throws {
    guard !options.live, !options.isReplay, !options.offline else {
      throw ValidationError("Only the sandbox has users who can sign out.")
    }
  }

  func run() async throws {
    let token = StoredToken.value
    try await Backend.run(options) { backend in
      let host = backend.sources.host
      if !discard, let summary = PendingChanges.State(host.pendingChanges().current).summary {
        throw Failure(
          "\(summary). Use a screen to send them, or sign out with --discard.", status: .tryLater)
      }
      host.discardPendingChanges()
      await backend.gitHub.signOut(revoking: token)
    }
    try StandardStream.output.write("Signed out.\n")
  }
}
