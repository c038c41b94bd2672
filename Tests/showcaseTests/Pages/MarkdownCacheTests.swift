import CurlewLive
import Synchronization
import Testing

@testable import showcase

@Suite(.timeLimit(.minutes(1)))
struct MarkdownCacheTests {
  /// The texts that a cache had to draw, in order.
  private final class Drawn: Sendable {
    private let list = Mutex<[String]>([])

    var texts: [String] { list.withLock { $0 } }

    func draw(_ text: String) -> HTML {
      list.withLock { $0.append(text) }
      return HTML(text: text)
    }
  }

  private let drawn = Drawn()

  private func draw(_ texts: [String], with cache: MarkdownCache) {
    for text in texts {
      #expect(cache.html(text, draw: drawn.draw).text == HTML(text: text).text)
    }
  }

  @Test func aTextIsDrawnOnce() {
    let cache = MarkdownCache(entries: 2, bytes: 1_000)
    draw(["a < b", "a < b", "c", "a < b", "c"], with: cache)
    #expect(drawn.texts == ["a < b", "c"])
  }

  @Test func whatWasUsedLongestAgoMakesRoom() {
    let cache = MarkdownCache(entries: 2, bytes: 1_000)
    draw(["a", "b", "a", "c", "a", "b"], with: cache)
    #expect(drawn.texts == ["a", "b", "c", "b"])
  }

  @Test func textsAndTheirMarkupHaveALimitOfBytes() {
    // Each text counts twice: as it is, and drawn.
    let texts = ["a", "b", "c"].map { String(repeating: $0, count: 50) }
    let cache = MarkdownCache(entries: 100, bytes: 200)
    draw([texts[0], texts[1], texts[0], texts[2], texts[0], texts[1]], with: cache)
    #expect(drawn.texts == [texts[0], texts[1], texts[2], texts[1]])
  }

  @Test func aTextAboveTheLimitLeavesTheOthers() {
    let cache = MarkdownCache(entries: 100, bytes: 200)
    let long = String(repeating: "é", count: 51)
    draw(["a", long, "a", long], with: cache)
    #expect(drawn.texts == ["a", long, long])
  }

  @Test func manyTasksDrawTheSame() async {
    let cache = MarkdownCache(entries: 3, bytes: 1_000)
    await withTaskGroup { group in
      for index in 0..<200 {
        group.addTask {
          cache.html("*\(index % 5)*").text == "<p><em>\(index % 5)</em></p>\n"
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func thePagesCacheDrawsMarkdown() {
    for _ in 0..<2 {
      #expect(MarkdownCache.shared.html("**a**").text == "<p><strong>a</strong></p>\n")
    }
  }
}
