import CurlewTesting
import Testing
import showcase

/// Navigation between screens in a terminal session, without a terminal.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TerminalSessionTests {
  @Test func `pick leads to a page, and escape back`() async throws {
    var written: [String] = []
    let (sources, clock) = (DataSources(all: TwoOfEach()), TestClock())
    let session = TerminalSession(
      sources, colors: .none, clock: clock, size: { TerminalSize(columns: 80, rows: 24) },
      output: { written.append($0) })
    let page = try #require(ScreenEntry(argument: "repositories")).page(sources)
    async let run: Void = session.run(page, at: "/repositories?language=swift")
    func wait(for text: String, then keys: String...) async {
      while !written.joined().contains(text), !Task.isCancelled { await Task.yield() }
      written = []
      for key in keys { session.input.yield(.typed(Array(key.utf8))) }
    }
    func escape() async {
      await clock.waitForSleepers()
      clock.advance(by: TerminalSession.pause)
    }
    await wait(for: "vapor/vapor", then: "\u{1B}[", "B", "\r")
    await wait(for: "Name  ", then: "i")
    await wait(for: "open issues in vapor/vapor", then: "\u{1B}")
    await escape()
    await wait(for: "Name  ", then: "\u{1B}")
    await escape()
    await wait(for: "in swift", then: "\u{1B}q", "q")
    try await run
  }

  @Test func `end of input ends it`() async throws {
    let sources = DataSources(all: TwoOfEach())
    let session = TerminalSession(
      sources, colors: .none, size: { TerminalSize(columns: 80, rows: 24) }, output: { _ in })
    session.input.finish()
    try await session.run(
      try #require(ScreenEntry(argument: "dogs")).page(sources), at: "/dogs")
  }
}
