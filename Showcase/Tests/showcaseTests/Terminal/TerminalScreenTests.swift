import Application
import CurlewLive
import CurlewScreens
import Domain
import Testing

@testable import showcase

/// A screen with line-based input and output.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TerminalScreenTests {
  private func lines(_ lines: String...) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      for line in lines { continuation.yield(line) }
      continuation.finish()
    }
  }

  /// Each line waits until the screen is idle, even if its work doesn't change the state.
  @Test func `line that changes nothing does not hang`() async throws {
    let page = DogsPage(DogSearch(debounce: .zero) { _ in [] })
    var written: [String] = []
    let screen = TerminalScreen(page, prompt: Prompt(nil) { written.append($0) })
    try await screen.play("/dogs", lines("term cat", "term cat", "retry"))
    #expect(written.last { !$0.isEmpty } == "Nothing found for cat.\n")
  }

  @Test func `a prompt survives a wrong line`() async throws {
    let page = DogsPage(DogSearch(debounce: .zero) { [Dog(name: $0)] })
    var written = ""
    let prompt = Prompt("dogs") { written += $0 }
    try await TerminalScreen(page, prompt: prompt)
      .play("/dogs", lines("dance", "", "/nowhere", "term cat"))
    let ends = written.split(separator: "dogs> ", omittingEmptySubsequences: false)
    #expect(ends.count == 6, "asked for each line, and once more at the end")
    #expect(ends[1] == "There is no action or address 'dance' on this screen.\n")
    #expect(ends[2] == "")
    #expect(ends[3].contains("'/nowhere'"))
    #expect(ends[4].hasSuffix("1 result\n"))
  }

  @Test func `what comes meanwhile stands before the prompt`() {
    var written = ""
    let prompt = Prompt("watch") { written += $0 }
    prompt.write("one")
    prompt.show()
    prompt.write("t\u{1B}wo")
    prompt.hide()
    prompt.write("three")
    #expect(written.hasPrefix("one\nwatch> \r\u{1B}[Kt"))
    #expect(written.hasSuffix("wo\nwatch> three\n"))
    #expect(written.count { $0 == "\u{1B}" } == 1, "nothing that it writes moves the cursor")
  }

  @Test(arguments: ["limit 5", "country xx", "limit", "constructor"])
  func `value that is no choice is an error`(line: String) async throws {
    let screen = TerminalScreen(
      TopMoviesPage(TopMovies(store: TwoOfEach())), prompt: Prompt(nil) { _ in })
    await #expect(throws: TerminalScreen<TopMoviesPage>.Unknown.self) {
      try await screen.play("/itunes", lines("limit 10", line))
    }
  }
}
