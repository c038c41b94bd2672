import CurlewScreens
public import HTTPTypes
import Hummingbird
import NIOCore

/// The elements of a complete HTML document for a page; templates refer to them as `{{path}}`, `{{language}}`,
/// `{{title}}`, `{{{head}}}` and `{{{content}}}`.
public struct LiveDocument: TemplateValues, Sendable {
  /// The names in templates.
  public static let names: TemplateNames<Self> = [
    "path": \.path, "language": \.language, "title": \.title, "head": \.head, "content": \.content,
  ]

  /// The path of the request.
  public let path: String
  /// The language of the session's texts: `<html lang="{{language}}">`.
  public let language: String
  /// The title of the document.
  public let title: String
  /// The rendered screen, in the element that the script updates.
  public let content: HTML
  /// The page's content for the frame, keyed by slot name: see ``LivePage/slots(of:)``.
  public let slots: [String: HTML]
  /// The markup for `<head>`: the script, and a reload for browsers without JavaScript if the
  /// content is still loading or the page specifies a ``LivePage/reloadDelay(of:)``.
  public let head: HTML

  /// - Parameters:
  ///   - pages: A regular expression for the paths of all live pages.
  ///   - text: The view's markup.
  ///   - build: The version of the document.
  ///   - session: The session that the page's script continues; `nil` if no session could be started.
  ///   - version: The version of the markup in that session.
  ///   - reload: The time after which a browser without JavaScript reloads the document.
  ///   - isShared: Whether all browsers share the screen.
  ///   - inspector: The paths of the inspector's files; `nil` without an inspector.
  init(
    path: String, pages: String, view: LiveView, text: String, build: String, session: String?,
    version: Int?,
    reload: Duration?, isShared: Bool = false, inspector: String? = nil
  ) {
    self.path = path
    let texts = UserTexts.current
    language = texts.language
    title = view.title
    slots = view.slots.mapValues { HTML(trusted: $0) }
    var attributes = "data-live=\"\(HTML.escape(path))\" data-live-build=\"\(HTML.escape(build))\""
    attributes += " data-live-pages=\"\(HTML.escape(pages))\""
    // Messages that the script displays without the server.
    attributes += " data-live-not-accepted=\"\(HTML.escape(texts.notAccepted))\""
    attributes += " data-live-too-long=\"\(HTML.escape(texts.tooLongToSend))\""
    if let kept = view.kept { attributes += " data-live-state=\"\(kept)\"" }
    if isShared { attributes += " data-live-shared" }
    if let session, let version {
      attributes += " data-live-session=\"\(session)\" data-live-version=\"\(version)\""
    }
    if let inspector { attributes += " data-live-inspector=\"\(inspector)\"" }
    content = HTML(trusted: "<div id=\"live\" \(attributes)>\(text)</div>")
    let refresh = reload.map { delay in
      // Rounded up, because an earlier reload would show the same state.
      let seconds = max(1, delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0))
      return "<noscript><meta http-equiv=\"refresh\" content=\"\(seconds)\"></noscript>"
    }
    head = HTML(
      trusted: "<script src=\"\(LiveAsset.script.path)\" defer></script>\(refresh ?? "")")
  }
}

extension HTTPFields {
  /// The header fields of a page: only the site's own files are loaded, inline code does not run,
  /// no other site can frame the page, and caches do not reuse it.
  public static let page: HTTPFields = .page()

  /// Returns the header fields of a page that may also load images, video and audio, fonts, and the documents of frames
  /// from other origins.
  public static func page(
    images: [String] = [], media: [String] = [], fonts: [String] = [], frames: [String] = []
  ) -> HTTPFields {
    let sources = [
      ("img", ["data:"] + images), ("media", media), ("font", fonts), ("frame", frames),
    ].map { "\($0)-src \((["'self'"] + $1).joined(separator: " ")); " }.joined()
    return [
      .contentType: "text/html; charset=utf-8",
      // `no-store` would disable the browser's back/forward cache. `Vary: *` prevents the HTTP
      // cache from restoring the original response, whose session another tab may use.
      .cacheControl: "private, no-cache",
      .vary: "*",
      .contentSecurityPolicy:
        "default-src 'none'; script-src 'self'; style-src 'self'; \(sources)"
        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      .xContentTypeOptions: "nosniff", .referrerPolicy: "same-origin",
    ]
  }
}

extension HTTPField.Name {
  /// The Fetch standard's `Referrer-Policy`.
  static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .referer
}
