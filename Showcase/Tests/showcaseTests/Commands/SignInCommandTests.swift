import Foundation
import Testing

/// `showcase sign-in` and `showcase sign-out`.
@Suite(.timeLimit(.minutes(2)))
struct SignInCommandTests {
  @Test func `commands are a users until the sign out`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let environment = ["XDG_CACHE_HOME": folder.path]
    let file = folder.appending(path: "curlew-showcase/token.json").path
    func opened() async throws -> String {
      try await Command.succeed("open", "apple/cups", "Ink", environment: environment).output
    }
    #expect(try await opened().hasSuffix("by you\n"))
    #expect(
      try await Command.succeed("sign-in", "ada", environment: environment).output
        == "Signed in as ada.\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try await opened().hasSuffix("by ada\n"))
    try await Command.succeed("sign-in", "grace", environment: environment)
    #expect(try await opened().hasSuffix("by grace\n"))
    // The access token has expired, but not the refresh token.
    let kept = try String(contentsOfFile: file, encoding: .utf8)
    let old = kept.replacing(/ghu_grace_[0-9]+/, with: "ghu_grace_1")
    try Data(old.utf8).write(to: URL(filePath: file))
    #expect(try await opened().hasSuffix("by grace\n"))
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(/ghu_grace_[0-9]{5}/))
    try await Command.succeed("sign-out", environment: environment)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try await opened().hasSuffix("by you\n"))
  }

  @Test func `a star without network is there in the next process`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let environment = ["XDG_CACHE_HOME": folder.path]
    func screen(_ lines: String...) async throws -> String {
      try await Command.run(
        ["screen", "repository", "--offline", "--sandbox-port", "18080"],
        input: lines.joined(separator: "\n"),
        environment: environment
      ).output
    }
    try await Command.succeed("sign-in", "ada", environment: environment)
    let waiting = "Star of vapor/vapor: Waiting"
    #expect(try await screen("star vapor/vapor").contains(waiting))
    #expect(try await screen("send-now").contains("1 change is not sent yet.\n\(waiting)"))
    // The sandbox refuses this star.
    let refused = try await Command.run("sign-out", environment: environment)
    #expect(refused.status == 75)
    try await Command.succeed("sign-in", "grace", environment: environment)
    #expect(try await !screen("send-now").contains("not sent"))
    try await Command.succeed("sign-in", "ada", environment: environment)
    #expect(try await screen("send-now").contains("1 change is not sent yet."))
    try await Command.succeed("sign-out", "--discard", environment: environment)
    try await Command.succeed("sign-in", "ada", environment: environment)
    #expect(try await !screen("send-now").contains("not sent"))
  }

  @Test(arguments: [["sign-in", "eve"], ["sign-in", "ada", "--live"], ["sign-out", "--offline"]])
  func `a wrong sign in command is refused`(arguments: [String]) async throws {
    let outcome = try await Command.run(arguments)
    #expect(outcome.status == 64 && outcome.output == "")
  }
}
