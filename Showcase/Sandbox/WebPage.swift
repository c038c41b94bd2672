import Hummingbird
import NIOCore

/// A small web page that an API's response links to, in the place of one on the real server's site.
struct WebPage: Sendable {
  /// What it is about, such as `Issue`.
  let kind: String
  let title, text: String
  /// The path of a picture.
  var picture: String?
  /// Whether the picture is a poster, and no square.
  var hasPoster = false
  var facts: [(name: String, value: String)] = []
  /// The page that it belongs to.
  var parent: (name: String, path: String)?
  /// The path at which the API has the same as JSON.
  let data: String

  /// The page, whose markup can load nothing but the sandbox's own styles and pictures.
  var response: Response {
    let values = [
      "kind": kind.escapedForMarkup,
      "parent": parent.map { link($0.path, "← " + $0.name) } ?? "<span>Sandbox</span>",
      "picture": picture.map {
        #"<img class="\#(hasPoster ? "poster" : "square")" src="\#($0.escapedForMarkup)" alt="">"#
      } ?? "",
      "title": title.escapedForMarkup,
      "facts": facts.map { name, value in
        "<div><dt>\(name.escapedForMarkup)</dt><dd dir=\"auto\">\(value.escapedForMarkup)</dd></div>"
      }.joined(),
      "text": text.lightMarkdown, "data": data.escapedForMarkup,
    ]
    let parts = String(decoding: PackageResources.page_html, as: UTF8.self).split(
      separator: "{{", omittingEmptySubsequences: false)
    // Part by part, so that what a value says is no name.
    let html = parts.dropFirst().reduce(into: String(parts[0])) { html, part in
      let halves = part.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      html += (values[String(halves[0])] ?? "") + halves[1]
    }
    return Response(.ok, "text/html; charset=utf-8", ByteBuffer(string: html)).with([
      "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'"
    ])
  }

  private func link(_ path: String, _ text: String) -> String {
    #"<a href="\#(path.escapedForMarkup)">\#(text.escapedForMarkup)</a>"#
  }
}

extension String {
  /// The text as markup: with the headings, the code and the emphasis that issues have, and no more.
  fileprivate var lightMarkdown: String {
    var isCode = false
    let lines = escapedForMarkup.split(separator: "\n", omittingEmptySubsequences: false).map {
      line -> String in
      if line.hasPrefix("```") {
        isCode.toggle()
        return isCode ? "<pre>" : "</pre>"
      }
      if isCode { return line + "\n" }
      if line.hasPrefix("## ") || line.hasPrefix("### ") {
        return "<h2>\(line.drop { $0 == "#" || $0 == " " })</h2>"
      }
      // As far as a match may be, so that no text takes long.
      return line.replacing(/\*\*([^*]{1,200})\*\*/) { "<strong>\($0.1)</strong>" }
        .replacing(/`([^`]{1,200})`/) { "<code>\($0.1)</code>" } + "\n"
    }
    return lines.joined() + (isCode ? "</pre>" : "")
  }
}
