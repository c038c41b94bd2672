import CurlewLive

/// The document around every page: head, navigation and styles.
struct PageLayout {
  /// The name of the slot beside the link to the issues.
  static let unread = "unread"

  static let stylesheet = LiveAsset(
    named: "showcase.css",
    bytes: packed(
      PackageResources.base_css + PackageResources.layout_css + PackageResources.controls_css
        + PackageResources.states_css + PackageResources.rows_css),
    contentType: "text/css; charset=utf-8")

  /// The styles of what pages other than lists of issues show: cards, details, forms.
  static let cardStyles = LiveAsset(
    named: "cards.css",
    bytes: packed(
      PackageResources.cards_css + PackageResources.detail_css + PackageResources.form_css
        + PackageResources.home_css),
    contentType: "text/css; charset=utf-8")

  /// What the pages' elements do by themselves, by hooks.
  static let script = LiveAsset(
    named: "showcase.js", bytes: LiveAsset.script(of: [PackageResources.showcase_js]),
    contentType: "text/javascript; charset=utf-8")
  static let icon = LiveAsset(
    named: "favicon.svg", bytes: PackageResources.favicon_svg, contentType: "image/svg+xml")

  private static let template = Template(PackageResources.page_mustache)
  private static let missing = Template(PackageResources.missing_mustache)

  /// Returns a stylesheet without its comments, and without white space around its rules.
  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self).replacing(/\/\*[^*]*\*\/\n?/, with: "")
    return Array(text.replacing(/\s*([{};])\s*/) { "\($0.1)" }.utf8)
  }

  private static func stylesheets(of path: String) -> [LiveAsset] {
    ["/issues", "/watch", ""].contains(path) ? [stylesheet] : [stylesheet, cardStyles]
  }

  /// Says where the data comes from.
  let source: String

  /// Draws a document around a live screen.
  func document(_ document: LiveDocument) -> HTML {
    draw(
      document.title, document.content, head: document.head, path: document.path,
      slots: document.slots)
  }

  /// Draws the document for an address that leads nowhere.
  func missing(_ path: String) -> HTML {
    draw("No such page", Self.missing.draw(["path": path]))
  }

  private func draw(
    _ title: String, _ content: HTML, head: HTML = HTML(trusted: ""), path: String = "",
    slots: [String: HTML] = [:]
  ) -> HTML {
    let current = ScreenEntry.of(path)
    let section = current?.parent ?? current?.name
    let links: [Values] = ScreenEntry.all.compactMap { entry in
      entry.link.map { link in
        [
          "href": entry.path, "title": link.title, "icon": link.icon,
          "isCurrent": entry.name == section,
          // The name of what a page shows beside it, and what that is.
          "slot": entry.name == "issues" ? Self.unread : nil,
          "badge": slots[Self.unread]?.text ?? "",
        ]
      }
    }
    let values: Values = [
      "title": title, "head": head.text, "content": content.text, "icon": Self.icon.path,
      "stylesheets": Self.stylesheets(of: path).map(\.path), "script": Self.script.path,
      "source": source, "isHome": path == "/", "links": links,
    ]
    return Self.template.draw(values)
  }
}
