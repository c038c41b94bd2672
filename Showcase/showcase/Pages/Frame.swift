import CurlewLive
import Mustache

/// The document around every page: head, navigation and styles.
struct Frame {
  private struct Values {
    let title: String
    let head: String
    let content: String
    let icon: String
    let stylesheet: String
    let source: String
    let isIssues: Bool
  }

  static let stylesheet = LiveAsset(
    named: "showcase.css", bytes: PackageResources.showcase_css,
    contentType: "text/css; charset=utf-8")
  static let icon = LiveAsset(
    named: "favicon.svg", bytes: PackageResources.favicon_svg, contentType: "image/svg+xml")

  private let page: MustacheTemplate
  private let missing: MustacheTemplate
  /// Says where the data comes from.
  private let source: String

  /// Creates the frame.
  ///
  /// - Throws: When a template is malformed.
  init(source: String) throws {
    self.source = source
    page = try MustacheTemplate(
      string: String(decoding: PackageResources.page_mustache, as: UTF8.self))
    missing = try MustacheTemplate(
      string: String(decoding: PackageResources.missing_mustache, as: UTF8.self))
  }

  /// Draws a document around a live screen.
  func document(_ document: LiveDocument) -> HTML {
    draw(
      title: document.title, content: document.content, head: document.head, isIssues: true)
  }

  /// Draws the document for an address that leads nowhere.
  func missing(_ path: String) -> HTML {
    draw(title: "No such page", content: HTML(missing, ["path": path]))
  }

  private func draw(
    title: String, content: HTML, head: HTML = HTML(trusted: ""), isIssues: Bool = false
  ) -> HTML {
    HTML(
      page,
      Values(
        title: "\(title) · Curlew", head: head.text, content: content.text, icon: Self.icon.path,
        stylesheet: Self.stylesheet.path, source: source, isIssues: isIssues))
  }
}
