import CurlewLive
import Mustache
import Testing

/// Values in templates are escaped as text, even if their characters combine with adjacent markup.
@Suite struct EscapeTests {
  @Test(arguments: [
    ("a < b & c", "a &lt; b &amp; c"), ("\u{600}<meta>", "\u{600}&lt;meta&gt;"),
    ("\"\u{301} onclick='", "&quot;\u{301} onclick=&#39;"), ("<\u{200D}b>", "&lt;\u{200D}b&gt;"),
  ])
  func `every scalar is escaped`(text: String, escaped: String) throws {
    let template = try MustacheTemplate(
      html: "{{#list}}\n{{/list}}\n<p>{{text}}</p>{{#list}}{{.}}{{/list}}")
    let html = HTML(template, ["text": text, "list": [text]] as [String: Any])

    #expect(html.text.unicodeScalars.elementsEqual("<p>\(escaped)</p>\(escaped)".unicodeScalars))
  }
}
