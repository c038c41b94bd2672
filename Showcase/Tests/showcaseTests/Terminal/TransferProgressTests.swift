import CurlewTerminal
import Synchronization
import Testing
import showcase

/// The progress line of a download, and formatted sizes.
struct TransferProgressTests {
  private func line(
    _ completed: Int64, of total: Int64?, rate: Double? = nil, left: Duration? = nil,
    columns: Int = 80
  ) -> String {
    let written = Mutex("")
    let progress = Progress(noun: "map.zip", width: { columns }) { text in
      written.withLock { $0 = text }
    }
    progress.show(completed, of: total, rate: rate, left)
    return written.withLock { $0 }.replacing("\r", with: "").replacing("\u{1B}[K", with: "")
  }

  @Test func `bar grows with the bytes`() {
    #expect(
      line(10_000_000, of: 40_000_000, rate: 2e6, left: .seconds(15), columns: 100)
        == "[=======                       ] 10.0 MB of 40.0 MB, 2.0 MB/s, 15 s left – map.zip")
  }

  @Test func `size that is not known shows no bar`() {
    #expect(line(1_500, of: nil) == "1.5 kB – map.zip")
  }

  @Test func `empty file is complete`() {
    #expect(line(0, of: 0).contains("==] 0 bytes of 0 bytes"))
  }

  @Test(arguments: 0...100)
  func `line fits the window`(columns: Int) {
    let line = line(7, of: 40_000_000, rate: .infinity, columns: columns)
    #expect(line.terminalWidth <= max(0, columns - 1))
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
