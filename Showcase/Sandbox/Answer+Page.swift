import HTTPTypes
import NIOCore

extension Answer {
  /// Creates a small web page, for the links that an API's answers hold.
  static func page(_ title: String, _ text: String) -> Answer {
    let (title, text) = (Markup.escaped(title), Markup.escaped(text))
    let html = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title>
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" \
      content="light dark"><h1 dir="auto">\(title)</h1>
      <pre dir="auto">\(text)</pre></html>

      """
    return Answer(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "default-src 'none'",
      ],
      body: ByteBuffer(string: html))
  }
}

enum Markup {
  /// The text with what HTML and XML would read as markup escaped.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
