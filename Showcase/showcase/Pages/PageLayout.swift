import CurlewLive

/// The document around every page: head, navigation and style sheets.
struct PageLayout {
  /// The name of the slot beside the link to the repositories, which screen readers also read.
  static let starred = "starred"

  static let stylesheet = LiveAsset(
    named: "showcase.css",
    bytes: packed(
      PackageResources.base_css + PackageResources.layout_css + PackageResources.controls_css
        + PackageResources.states_css + PackageResources.rows_css),
    contentType: "text/css; charset=utf-8")

  /// The style sheet for pages other than lists of issues: cards, details, forms.
  static let cardStyles = LiveAsset(
    named: "cards.css",
    bytes: packed(
      PackageResources.cards_css + PackageResources.detail_css + PackageResources.form_css),
    contentType: "text/css; charset=utf-8")

  /// The style sheet of the home page, which has no cards.
  static let homeStyles = LiveAsset(
    named: "home.css", bytes: packed(PackageResources.home_css),
    contentType: "text/css; charset=utf-8")

  /// The style sheet for the header of a user who has signed in.
  static let accountStyles = LiveAsset(
    named: "account.css", bytes: packed(PackageResources.account_css),
    contentType: "text/css; charset=utf-8")

  /// The style sheet for Markdown texts; an element with such a text loads it.
  static let markdownStyles = LiveAsset(
    named: "markdown.css", bytes: packed(PackageResources.markdown_css),
    contentType: "text/css; charset=utf-8")

  /// The script with the hooks of the pages' elements.
  static let script = LiveAsset(
    named: "showcase.js", bytes: LiveAsset.script(of: [PackageResources.showcase_js]),
    contentType: "text/javascript; charset=utf-8")

  /// The module for elements of a few pages; the script loads it when the first of them appears.
  static let extras = LiveAsset(
    named: "extras.js", bytes: LiveAsset.script(of: [PackageResources.extras_js]),
    contentType: "text/javascript; charset=utf-8")

  /// Returns a style sheet without comments and unnecessary white space.
  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self).replacing(/\/\*[^*]*\*\/\n?/, with: "")
    let rules = text.replacing(/\s*([{};])\s*/) { "\($0.1)" }.replacing(";}", with: "}")
    return Array(rules.replacing(#/([:,]) /#) { "\($0.1)" }.utf8)
  }

  /// The source of the data, as text.
  let source: String
  /// Whether users can sign in.
  var hasAccounts = false

  /// Renders a document around a live screen.
  func document(_ document: LiveDocument) -> HTML {
    draw(
      document.title, document.content, head: document.head, path: document.path,
      slots: document.slots)
  }

  /// Renders the document for an unknown address.
  func missing(_ path: String) -> HTML { draw("Page not found", MissingView(path: path).html) }

  /// Renders the page to sign in.
  func signIn(_ view: SignInView) -> HTML { draw("Sign in", view.html, path: SignInPages.path) }

  /// Renders the question before a sign-out that would discard changes.
  func signOut(_ view: SignOutView) -> HTML { draw("Sign out", view.html, path: "/sign-out") }

  private func draw(
    _ title: String, _ content: HTML, head: HTML = HTML(trusted: ""), path: String = "",
    slots: [String: HTML] = [:]
  ) -> HTML {
    LayoutView(
      title: title, head: head, content: content, source: source, path: path,
      slots: slots, user: User.current?.name,
      canSignIn: hasAccounts && User.current == nil && path != SignInPages.path
    ).html
  }
}

struct LayoutView: TemplateView {
  let title: String
  let head, content: HTML
  let source, path: String
  let slots: [String: HTML]
  let user: String?
  let canSignIn: Bool
  private var isHome: Bool { path == "/" }
  private var script: String { PageLayout.script.path }
  private var extras: String { PageLayout.extras.path }
  private var stylesheets: [String] {
    let usual =
      [PageLayout.stylesheet.path] + (user.map { _ in [PageLayout.accountStyles.path] } ?? [])
    return switch path {
    case "/": usual + [PageLayout.homeStyles.path]
    case "/issues", "/watch", "/watch/board", "": usual
    default: usual + [PageLayout.cardStyles.path]
    }
  }
  private var all: [LinkView] {
    let current = ScreenEntry.of(path)
    return LinkView.all(current: current?.parent ?? current?.name, slots: slots)
  }
  /// The links that fit on a phone, and the other links, which are behind a button there.
  private var links: [LinkView] { Array(all.prefix(4)) }
  private var rest: [LinkView] { Array(all.dropFirst(4)) }

  static let template = HTMLTemplate<Self>(PackageResources.page_mustache)
  static let names: TemplateNames<Self> = [
    "title": \.title, "head": \.head, "content": \.content,
    "stylesheets": \.stylesheets, "script": \.script, "extras": \.extras,
    "source": \.source, "isHome": \.isHome, "links": \.links, "rest": \.rest,
    "user": \.user, "canSignIn": \.canSignIn,
  ]
}

/// A link to a screen.
struct LinkView: TemplateValues {
  /// A number beside a link.
  struct Slot: TemplateValues {
    let name: String
    let badge: HTML?

    static let names: TemplateNames<Self> = ["name": \.name, "badge": \.badge]
  }

  private let entry: ScreenEntry
  private let link: ScreenEntry.Link
  private let isCurrent: Bool
  private let slot: Slot?

  static let names: TemplateNames<Self> = [
    "href": \.entry.path, "title": \.link.title, "icon": \.link.icon,
    "miniature": \.link.miniature.html,
    "text": \.link.text,
    "isCurrent": \.isCurrent, "slot": \.slot,
  ]

  static func all(current: String? = nil, slots: [String: HTML] = [:]) -> [LinkView] {
    ScreenEntry.all.compactMap { entry in
      entry.link.map { link in
        LinkView(
          entry: entry, link: link, isCurrent: entry.name == current,
          slot: link.slot.map { Slot(name: $0, badge: slots[$0]) })
      }
    }
  }
}

struct MissingView: TemplateView {
  let path: String

  static let template = HTMLTemplate<Self>(PackageResources.missing_mustache)
  static let names: TemplateNames<Self> = ["path": \.path]
}
