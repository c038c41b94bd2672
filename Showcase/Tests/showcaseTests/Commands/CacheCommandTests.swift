import Curlew
import Foundation
import Sandbox
import ShowcaseTestSupport
import Testing

/// `showcase cache`, and commands that use cached responses.
@Suite(.timeLimit(.minutes(2)))
struct CacheCommandTests {
  /// Runs a closure with a cache folder, and with a fixed port for a sandbox.
  private func withCache(
    _ body: (_ environment: [String: String], _ port: String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(["XDG_CACHE_HOME": folder.path], "\(freePort())")
  }

  @Test func `what was seen is shown offline`() async throws {
    try await withCache { environment, port in
      let seen = try await Command.succeed(
        "repository", "apple/swift", "--sandbox-port", port, environment: environment)
      let again = try await Command.run(
        "repository", "apple/swift", "--offline", "--sandbox-port", port, environment: environment)
      #expect(again.status == 0 && again.output == seen.output)
      let unseen = try await Command.run(
        "repository", "apple/swift-nio", "--offline", "--sandbox-port", port,
        environment: environment)
      #expect(unseen.status == 69 && unseen.output.isEmpty)
      #expect(
        unseen.error
          == "Error: \(UserTexts.english.notStored)\n")
      let watched = try await Command.run(
        "watch", "apple/swift", "--offline", "--sandbox-port", port, environment: environment)
      #expect(watched.status == 69 && watched.output.isEmpty)
      #expect(
        watched.error == "Error: Issues can be watched only in the sandbox, and not offline.\n")
    }
  }

  @Test func `the cache is listed explained and cleared`() async throws {
    try await withCache { environment, port in
      func cache(_ arguments: String...) async throws -> Command.Outcome {
        try await Command.run(["cache"] + arguments, environment: environment)
      }
      let empty = try await cache("list")
      #expect(empty.status == 1 && empty.error == "Error: The cache is empty.\n")
      _ = try await Command.run(
        "movies", "now-playing", "--sandbox-port", port, environment: environment)
      _ = try await Command.run(
        "movies", "top-rated", "--no-cache", "--sandbox-port", port, environment: environment)
      let list = try await cache()
      let lines = list.output.split(separator: "\n")
      #expect(list.status == 0 && lines.count == 2 && lines[0].hasPrefix("STATUS"))
      let url = try #require(lines.last?.split(separator: " ").last.map(String.init))
      #expect(url.contains("/3/movie/now_playing") && !url.contains(Sandbox.tmdbKey))
      let why = try await cache("why", url)
      #expect(why.output.contains("It is fresh") && why.output.contains("max-age="))
      // The URL with the actual key also works.
      let secret = url.replacing(/api_key=[^&]*/, with: "api_key=\(Sandbox.tmdbKey)")
      #expect(try await cache("why", secret).output.contains("It is fresh"))
      #expect(try await cache("why", "http://127.0.0.1/other").status == 1)
      #expect(try await cache("clear").output == "1 response removed.\n")
      #expect(try await cache("list").status == 1)
    }
  }

  @Test func `a sandbox that misbehaves is always asked`() async throws {
    try await withCache { environment, port in
      _ = try await Command.run("itunes", "--sandbox-port", port, environment: environment)
      let damaged = try await Command.run(
        "itunes", "--sandbox-port", port, "--damaged-entries", "2", environment: environment)
      #expect(damaged.error.contains("2 entries can’t be shown"))
    }
  }
}
