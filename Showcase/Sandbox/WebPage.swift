import Hummingbird
import NIOCore

/// A small web page that an API's response links to, in place of a page on the real website.
struct WebPage: Sendable {
  /// The kind of the subject, such as `Issue`.
  let kind: String
  let title, text: String
  /// The path of the image.
  var picture: String?
  /// Whether the image has the format of a poster instead of a square.
  var hasPoster = false
  var facts: [(name: String, value: String)] = []
  /// The parent page.
  var parent: (name: String, path: String)?
  /// The path of the same data as JSON in the API.
  let data: String

  /// The page; its markup can load only the sandbox's own styles and images.
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
    // Values are inserted part by part, so that placeholders in values are not replaced.
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
  /// The text as markup; supports only the headings, code and emphasis used in issues.
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
      // The length of a match is limited, so that no text takes long.
      return line.replacing(/\*\*([^*]{1,200})\*\*/) { "<strong>\($0.1)</strong>" }
        .replacing(/`([^`]{1,200})`/) { "<code>\($0.1)</code>" } + "\n"
    }
    return lines.joined() + (isCode ? "</pre>" : "")
  }
}
