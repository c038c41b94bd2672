import Testing
import showcase

/// Navigation between screens in a terminal session, without a terminal.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TerminalSessionTests {
  @Test func `pick leads to a page, and escape back`() async throws {
    var written: [String] = []
    let sources = DataSources(all: TwoOfEach())
    let session = TerminalSession(
      sources, colors: .none, size: { TerminalSize(columns: 80, rows: 24) },
      output: { written.append($0) })
    let page = try #require(ScreenEntry(argument: "repositories")).page(sources)
    async let run: Void = session.run(page, at: "/repositories?language=swift")
    func wait(for text: String, then keys: TerminalKey...) async {
      while !written.joined().contains(text), !Task.isCancelled { await Task.yield() }
      written = []
      for key in keys { session.input.yield(.key(key)) }
    }
    await wait(for: "vapor/vapor", then: .down, .enter)
    await wait(for: "Name  ", then: .text("i"))
    await wait(for: "open issues in vapor/vapor", then: .escape)
    await wait(for: "Name  ", then: .escape)
    await wait(for: "in swift", then: .text("q"))
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
