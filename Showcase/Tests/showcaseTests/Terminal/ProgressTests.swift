import Synchronization
import Testing
import showcase

/// A progress line that is redrawn in place, and leaves no traces.
@Suite(.timeLimit(.minutes(1)))
struct ProgressTests {
  private final class Screen: Sendable {
    private let written = Mutex<[String]>([])

    func progress(columns: Int = 60) -> Progress {
      Progress(noun: "dogs", width: { columns }) { text in self.written.withLock { $0 += [text] } }
    }

    var texts: [String] { written.withLock { $0 } }
    /// The text of the line, without control sequences.
    var line: String? {
      texts.last?.replacing("\r", with: "").replacing("\u{1B}[K", with: "")
    }
  }

  private let screen = Screen()

  @Test func `bar grows with the pages`() {
    let progress = screen.progress()
    progress.show(pages: 0, of: nil, items: 0)
    #expect(screen.line == "waiting for dogs")
    progress.show(pages: 1, of: 4, items: 20)
    #expect(screen.line == "[=======                       ] page 1 of 4, 20 dogs")
    progress.show(pages: 4, of: 4, items: 78)
    #expect(screen.line == "[==============================] page 4 of 4, 78 dogs")
    // The cursor returns to the start, so that output after an interruption starts a line.
    #expect(screen.texts.allSatisfy { $0.hasPrefix("\r\u{1B}[K") && $0.hasSuffix("\r") })
    progress.end()
    #expect(screen.texts.last == "\r\u{1B}[K")
  }

  @Test(
    arguments: [
      (nil, "page 3, 60 dogs"),
      (2, "[==============================] page 3 of 3, 60 dogs"),
    ] as [(Int?, String)])
  func `bar is none or full where the pages are not known`(pages: Int?, line: String) {
    screen.progress().show(pages: 3, of: pages, items: 60)
    #expect(screen.line == line)
  }

  @Test(arguments: 0...80)
  func `line fits the window`(columns: Int) {
    screen.progress(columns: columns).show(pages: 1, of: 4, items: 20)
    #expect((screen.line ?? "").count <= max(0, columns - 1))
  }
}
