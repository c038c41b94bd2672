import CurlewTesting
import Synchronization
import Testing

@testable import showcase

/// A bar that is redrawn by a clock and leaves nothing behind.
@Suite(.timeLimit(.minutes(1)))
struct ProgressBarTests {
  /// What a bar wrote, and the width of its terminal.
  final class Screen: Sendable {
    private let written = Mutex<[String]>([])
    let width = Mutex<Int?>(60)

    func bar() -> ProgressBar {
      ProgressBar(
        "dogs", width: { self.width.withLock { $0 } },
        write: { text in self.written.withLock { $0.append(text) } })
    }

    var texts: [String] { written.withLock { $0 } }
    /// What stands in the line, without the sequences around it.
    var line: String? {
      texts.last?.replacing("\r", with: "").replacing("\u{1B}[K", with: "")
    }
  }

  let screen = Screen()

  @Test func barGrowsWithThePages() {
    let bar = screen.bar()
    bar.draw()
    #expect(screen.line == "waiting for dogs")
    bar.show(pages: 1, of: 4, items: 20)
    bar.draw()
    #expect(screen.line == "[=======>                      ] page 1 of 4, 20 dogs")
    bar.show(pages: 4, of: 4, items: 78)
    bar.draw()
    #expect(screen.line == "[==============================] page 4 of 4, 78 dogs")
    #expect(screen.texts.allSatisfy { $0.hasPrefix("\r") && $0.hasSuffix("\u{1B}[K") })
  }

  @Test func numberOfPagesThatIsNotKnownShowsNoBar() {
    let bar = screen.bar()
    bar.show(pages: 3, of: nil, items: 284)
    bar.draw()
    #expect(screen.line == "page 3, 284 dogs")
  }

  @Test func morePagesThanExpectedFillTheBar() {
    let bar = screen.bar()
    bar.show(pages: 3, of: 2, items: 60)
    bar.draw()
    #expect(screen.line == "[==============================] page 3 of 3, 60 dogs")
  }

  @Test(arguments: 0...80)
  func lineFitsTheWindowThatMayChange(columns: Int) {
    let bar = screen.bar()
    bar.show(pages: 1, of: 4, items: 20)
    screen.width.withLock { $0 = columns }
    bar.draw()
    #expect((screen.line ?? "").count <= max(0, columns - 1))
  }

  @Test func sameLineIsDrawnOnce() {
    let bar = screen.bar()
    bar.draw()
    bar.draw()
    #expect(screen.texts.count == 1)
  }

  @Test func endClearsTheLineAndNothingIsDrawnAfterIt() {
    let bar = screen.bar()
    bar.draw()
    bar.end()
    #expect(screen.texts.last == "\r\u{1B}[K")
    bar.show(pages: 1, of: 4, items: 20)
    bar.draw()
    bar.end()
    #expect(screen.texts.count == 2)
  }

  @Test func barThatWasNeverDrawnClearsNothing() {
    screen.bar().end()
    #expect(screen.texts.isEmpty)
  }

  @Test func barIsDrawnTenTimesASecondAtMost() async throws {
    let (clock, bar) = (TestClock(), screen.bar())
    try await withProgress(bar, clock: clock) {
      await clock.waitForSleepers()
      for page in 1...50 { bar.show(pages: page, of: 100, items: page) }
      clock.advance(by: .milliseconds(99))
      #expect(screen.texts.isEmpty, "what is over at once shows no bar")
      clock.advance(by: .milliseconds(1))
      await clock.waitForSleepers()
      #expect(screen.texts.count == 1)
      #expect(screen.line?.hasSuffix("page 50 of 100, 50 dogs") == true)
      for page in 51...60 { bar.show(pages: page, of: 100, items: page) }
      clock.advance(by: .milliseconds(100))
      await clock.waitForSleepers()
      #expect(screen.texts.count == 2)
      try Task.checkCancellation()
    }
    #expect(screen.texts.last == "\r\u{1B}[K")
  }
}
