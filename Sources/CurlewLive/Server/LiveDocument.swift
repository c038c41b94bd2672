public import HTTPTypes
import Hummingbird
import NIOCore

/// What goes into the frame of a page that is sent whole.
public struct LiveDocument: Sendable {
  /// The page's path in this request.
  public let path: String
  /// The title of the window.
  public let title: String
  /// The screen, in the element that the script keeps live.
  public let content: HTML
  /// What belongs into `<head>`: the script, and, while content is still awaited or the screen goes on
  /// by itself later, a reload for browsers without JavaScript.
  public let head: HTML

  init<Page: LivePage>(
    _ page: Page, at path: String, _ state: Page.Content.State, session: String?, isDone: Bool
  ) {
    self.path = path
    title = page.title(of: state)
    let id = session.map { " data-live-session=\"\($0)\"" } ?? ""
    content = HTML(
      trusted: "<div id=\"live\" data-live=\"\(HTML.escape(path))\"\(id)>"
        + page.render(state).text + "</div>")
    let delay = isDone ? page.reloadDelay(of: state) : .seconds(2)
    let reload = delay.map { delay in
      // Rounded up: earlier, it would only be told to wait on.
      let seconds = max(1, delay.components.seconds + (delay.components.attoseconds > 0 ? 1 : 0))
      return "<noscript><meta http-equiv=\"refresh\" content=\"\(seconds)\"></noscript>"
    }
    head = HTML(
      trusted: "<script src=\"\(LiveAsset.script.path)\" defer></script>\(reload ?? "")")
  }
}

extension HTTPFields {
  /// What every page is sent with: nothing but the site's own files may be loaded, no inline code
  /// may run, no other site may frame it, and no cache responds with it.
  public static let page: HTTPFields = .page()

  /// What a page is sent with whose images come from other origins, too.
  public static func page(images origins: [String] = []) -> HTTPFields {
    let images = (["'self'", "data:"] + origins).joined(separator: " ")
    var fields: HTTPFields = [
      .contentType: "text/html; charset=utf-8",
      // `no-store` would keep a browser from bringing the page back as it was left; `Vary: *` keeps
      // a cache from bringing it back as it was sent, with a session that another tab may have.
      .cacheControl: "private, no-cache",
      .vary: "*",
      .contentSecurityPolicy:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); "
        + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ]
    fields[.xContentTypeOptions] = "nosniff"
    fields[.referrerPolicy] = "same-origin"
    return fields
  }
}

extension HTTPField.Name {
  /// The Fetch standard's `Referrer-Policy`.
  static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .referer
}
