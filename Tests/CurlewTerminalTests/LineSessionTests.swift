import CurlewScreens
import Foundation
import Testing

@testable import CurlewTerminal

/// Screens with plain lines, for screen readers and scripts.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LineSessionTests {
  private func lines(_ lines: String...) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      for line in lines { continuation.yield(line) }
      continuation.finish()
    }
  }

  private func written(
    _ app: TerminalApp, prompt: String? = "> ", on environment: [String: String] = [:],
    _ input: AsyncThrowingStream<String, any Error>
  ) async throws -> String {
    var written = ""
    let session = LineSession(
      app, prompt: prompt, on: Terminal(windowWidth: 80, environment: environment)
    ) { written += $0 }
    try await session.play(input)
    return written
  }

  @Test func `rows have numbers that open them`() async throws {
    let app = Kennel.search { text in ["Akita", "Akbash"].map { Kennel.Dog(name: $0) } }
    let text = try await written(app, lines("breed ak", "2", "b", "1 t", "dance", "q", "a"))
    let parts = text.components(separatedBy: "> ")
    #expect(parts.count == 7)
    #expect(parts[1] == "2 dogs\n1. Akita   Hounds\n2. Akbash  Hounds\n")
    #expect(parts[2].hasPrefix("Akbash\n"))
    #expect(parts[2].contains("Group  Hounds\n"))
    #expect(parts[4] == "Tag of Akita\n")
    #expect(parts[5] == "There is no action or address 'dance' on this screen.\n")
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `a form says its problems, and choices are named`() async throws {
    let text = try await written(Kennel.form(), lines("name Bo", "OWNER Rex"))
    #expect(text.contains("Owner: Fill in the owner.\n"))
    #expect(text.contains("Registered\n"))
    let filter = try await written(Filter.app, lines("size large", "coat LONG", "coat x"))
    #expect(filter.contains("'coat x'"))
  }

  @Test func `more rows follow, and a script stops at an unknown line`() async throws {
    let text = try await written(Kennel.feed(pageSize: 50), lines("more", "more", "?"))
    #expect(text.contains("\n100. Dog 100"))
    #expect(text.contains("50 more rows\n"))
    #expect(text.components(separatedBy: "\n1. Dog 1 ").count == 2, "a row is read once")
    await #expect(throws: UnknownLine.self) {
      _ = try await written(Kennel.feed(), prompt: nil, lines("# a comment", "  ", "dance"))
    }
    let script = try await written(Kennel.feed(pageSize: 2), prompt: nil, lines())
    #expect(script == "All dogs\n1. Dog 1  Hounds\n2. Dog 2  Hounds\n")
  }

  @Test func `lines are ASCII without UTF-8`() async throws {
    let app = Kennel.search { _ in [Kennel.Dog(name: "Bär \u{1B}[2J")] }
    let text = try await written(app, on: ["LANG": "C"], lines("breed x"))
    #expect(text.contains("1. Bar ?[2J"))
  }
}
