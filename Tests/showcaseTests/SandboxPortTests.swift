import Foundation
import Sandbox
import Synchronization
import Testing

@testable import showcase

/// Where the showcase's sandbox listens.
@Suite(.timeLimit(.minutes(1)))
struct SandboxPortTests {
  @Test func usualPortIsUsedUnlessItIsTaken() async throws {
    let lines = Mutex<[String]>([])
    let log = Log { line in lines.withLock { $0.append(line) } }
    let other = try await Sandbox.start(port: 0)
    let port = try #require(URL(string: other.baseURL)?.port)
    func start() async throws -> Sandbox {
      try await Backend.sandbox(.init(), port: nil, usualPort: port, log: log)
    }
    let elsewhere = try await start()
    #expect(elsewhere.baseURL != other.baseURL)
    let line = lines.withLock { $0.first } ?? ""
    #expect(lines.withLock { $0.count } == 1 && !line.contains("\n"))
    #expect(line.contains("\(port) is in use") && line.contains(elsewhere.baseURL))
    await elsewhere.stop()
    await other.stop()
    // It is free now, so that the URLs are the same again.
    let again = try await start()
    #expect(again.baseURL == other.baseURL)
    #expect(lines.withLock { $0.count } == 1)
    await again.stop()
  }

  @Test func takenPortThatWasChosenIsAFailure() async throws {
    let other = try await Sandbox.start(port: 0)
    let port = try #require(URL(string: other.baseURL)?.port)
    await #expect(throws: Failure.self) { try await Backend.sandbox(.init(), port: port) }
    await other.stop()
  }
}
