import CurlewLive
import CurlewScreens

extension Markdown {
  /// The markup of texts that were drawn lately, for all pages: a page is drawn at every change of its state, and
  /// the long text on it is seldom what changed.
  static let recent = RecentValues<String, HTML>(limit: 32)

  /// The longest text that is kept, in bytes: GitHub's have 65,536 characters at most.
  static let longestKept = 65_536 * 4

  /// Returns a text's markup, which is drawn unless it was lately.
  static func recentHTML(_ text: String) -> HTML {
    if let html = recent[text] { return html }
    let html = html(text)
    if text.utf8.count <= longestKept { recent.remember([html]) { _ in text } }
    return html
  }
}
