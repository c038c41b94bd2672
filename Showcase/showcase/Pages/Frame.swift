import CurlewLive

/// The document around every page: head, navigation and styles.
struct Frame {
  private struct Values {
    let title: String
    let head: String
    let content: String
    let icon: String
    let stylesheet: String
    let source: String
    let places: [Place]
  }

  /// A way to another screen.
  private struct Place {
    let href: String
    let name: String
    /// The path of its picture, 24 by 24.
    let drawing: String
    let isCurrent: Bool
  }

  static let stylesheet = LiveAsset(
    named: "showcase.css",
    bytes: PackageResources.base_css + PackageResources.frame_css + PackageResources.controls_css
      + PackageResources.states_css + PackageResources.rows_css + PackageResources.cards_css
      + PackageResources.detail_css,
    contentType: "text/css; charset=utf-8")
  static let icon = LiveAsset(
    named: "favicon.svg", bytes: PackageResources.favicon_svg, contentType: "image/svg+xml")

  private static let places = [
    (
      "/issues", "Issues",
      "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 6.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z"
    ),
    (
      "/repositories", "Repositories",
      "M6 3h13v14H7.500A1.500 1.500 0 0 0 6 18.500V3zm0 15.500A2.500 2.500 0 0 0 8.500 21H19v-4M10 7h5"
    ),
    (
      "/itunes", "iTunes",
      "M5 20v-7M12 20V4M19 20v-11M3 20h18"
    ),
    (
      "/movies", "Movies",
      "M4 5h16v14H4zM8 5v14M16 5v14M4 9.700h4M4 14.300h4M16 9.700h4M16 14.300h4"
    ),
    (
      "/dogs", "Dogs",
      "M12 12.500c-3 0-5.500 3-5.500 5.300 0 1.700 1.300 2.200 2.600 2.200 1.100 0 1.900-.5 2.900-.5s1.800.5 2.900.5c"
        + "1.300 0 2.600-.5 2.600-2.200 0-2.300-2.500-5.300-5.500-5.300zM9 5v3M15 5v3M5 10v2M19 10v2"
    ),
  ]

  private let templates: Templates
  /// Says where the data comes from.
  private let source: String

  init(_ templates: Templates, source: String) {
    self.templates = templates
    self.source = source
  }

  /// Draws a document around a live screen.
  func document(_ document: LiveDocument) -> HTML {
    draw(document.title, document.content, head: document.head, path: document.path)
  }

  /// Draws the document for an address that leads nowhere.
  func missing(_ path: String) -> HTML {
    draw("No such page", templates.draw(.missing, ["path": path]))
  }

  private func draw(
    _ title: String, _ content: HTML, head: HTML = HTML(trusted: ""), path: String = ""
  ) -> HTML {
    let places = Self.places.map { href, name, drawing in
      Place(
        href: href, name: name, drawing: drawing,
        isCurrent: path == href || path.hasPrefix("\(href)/"))
    }
    return templates.draw(
      .page,
      Values(
        title: title, head: head.text, content: content.text, icon: Self.icon.path,
        stylesheet: Self.stylesheet.path, source: source, places: places))
  }
}
