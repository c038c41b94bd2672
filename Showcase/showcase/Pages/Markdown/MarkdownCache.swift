import CurlewLive
import Synchronization

/// Texts in Markdown that were drawn lately: a page is drawn at every change of its state, such as a
/// keystroke in one of its fields, and the long text on it is seldom what changed.
final class MarkdownCache: Sendable {
  private struct Entry {
    let text: String
    let html: HTML

    var size: Int { text.utf8.count + html.text.utf8.count }
  }

  /// What all pages have drawn.
  static let shared = MarkdownCache(entries: 32, bytes: 8_000_000)

  /// From the one that was used longest ago to the newest.
  private let kept = Mutex<[Entry]>([])
  private let mostEntries: Int
  private let mostBytes: Int

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - entries: How many texts it keeps at most.
  ///   - bytes: How many bytes these and their markup have at most, in UTF-8.
  init(entries: Int, bytes: Int) {
    mostEntries = entries
    mostBytes = bytes
  }

  /// Returns a text's markup, which is drawn unless it is kept.
  func html(_ text: String, draw: (String) -> HTML = Markdown.html) -> HTML {
    if let html = html(keptFor: text) { return html }
    // Not while others wait. Two who need a text at the same moment both draw it.
    let entry = Entry(text: text, html: draw(text))
    keep(entry)
    return entry.html
  }

  private func html(keptFor text: String) -> HTML? {
    kept.withLock { kept in
      guard let index = kept.lastIndex(where: { $0.text == text }) else { return nil }
      let entry = kept.remove(at: index)
      kept.append(entry)
      return entry.html
    }
  }

  private func keep(_ entry: Entry) {
    // One that is too large alone must not drive the others out.
    guard entry.size <= mostBytes else { return }
    kept.withLock { kept in
      kept.removeAll { $0.text == entry.text }
      kept.append(entry)
      var size = kept.reduce(0) { $0 + $1.size }
      while kept.count > mostEntries || size > mostBytes { size -= kept.removeFirst().size }
    }
  }
}
