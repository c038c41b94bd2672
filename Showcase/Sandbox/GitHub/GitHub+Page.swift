import HTTPTypes
import NIOCore

extension GitHub {
  /// The small page behind an issue's `html_url`, so that following the link leads somewhere true.
  func page(_ inquiry: Inquiry, _ segments: [String]) -> Answer {
    guard let repository = Catalogue.repository(segments[0], segments[1]),
      let issue = entry(segments[3], of: repository, inquiry)?.issue
    else { return .notFound() }
    let title = Self.escaped("\(issue.title) · #\(issue.number) · \(repository.fullName)")
    let body = Self.escaped(issue.body ?? "No description.")
    let html = """
      <!doctype html><html lang="en"><meta charset="utf-8"><title>\(title)</title>
      <meta name="viewport" content="width=device-width"><meta name="color-scheme" \
      content="light dark"><h1 dir="auto">\(title)</h1>
      <pre dir="auto">\(body)</pre></html>

      """
    return Answer(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "default-src 'none'",
      ],
      body: ByteBuffer(string: html))
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
