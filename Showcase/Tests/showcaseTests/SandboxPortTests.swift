import Foundation
import Sandbox
import Testing
import showcase

/// The port of the showcase's sandbox.
@Suite(.timeLimit(.minutes(1)))
struct SandboxPortTests {
  @Test func `usual port is used unless it is taken`() async throws {
    let lines = LogLines()
    let other = try await Sandbox.start(port: 0)
    let port = try #require(URL(string: other.baseURL)?.port)
    func start() async throws -> Sandbox {
      try await Backend.sandbox(.init(), port: nil, usualPort: port, log: lines.log)
    }
    let elsewhere = try await start()
    #expect(elsewhere.baseURL != other.baseURL)
    let line = lines.all.first ?? ""
    #expect(lines.all.count == 1 && !line.contains("\n"))
    #expect(line.contains("\(port) is in use") && line.contains(elsewhere.baseURL))
    await elsewhere.stop()
    await other.stop()
    // The port is free now, so the URLs are the same again.
    let again = try await start()
    #expect(again.baseURL == other.baseURL)
    #expect(lines.all.count == 1)
    await again.stop()
  }
}
