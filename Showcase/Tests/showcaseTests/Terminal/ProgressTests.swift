import CurlewTerminal
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

  @Test(arguments: 0...100)
  func `line fits the window`(columns: Int) {
    let progress = screen.progress(columns: columns)
    progress.show(pages: 1, of: 4, items: 20)
    #expect((screen.line ?? "").terminalWidth <= max(0, columns - 1))
    progress.show(7, of: 40_000_000, rate: .infinity, nil)
    #expect((screen.line ?? "").terminalWidth <= max(0, columns - 1))
  }

  @Test func `bar grows with the bytes`() {
    screen.progress(columns: 100).show(10_000_000, of: 40_000_000, rate: 2e6, .seconds(15))
    #expect(
      screen.line
        == "[=======                       ] 10.0 MB of 40.0 MB, 2.0 MB/s, 15 s left – dogs")
  }

  @Test func `a size that is not known shows no bar, and an empty file is complete`() {
    let progress = screen.progress(columns: 80)
    progress.show(1_500, of: nil, rate: nil, nil)
    #expect(screen.line == "1.5 kB – dogs")
    progress.show(0, of: 0, rate: nil, nil)
    #expect(screen.line?.contains("==] 0 bytes of 0 bytes") == true)
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (99_949, "99.9 kB"),
      (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (300_000_000, "300 MB"),
      (Int64.max, "9223372 TB"),
    ] as [(Int64, String)])
  func `sizes have two or three digits`(size: Int64, text: String) {
    #expect(size.bytes == text)
  }
}
