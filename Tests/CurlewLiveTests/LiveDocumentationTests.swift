import CurlewLive
import CurlewScreens
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Mustache
import Testing

/// What `Documentation/Live.md` shows.
@Suite(.timeLimit(.minutes(1)))
struct LiveDocumentationTests {
  struct BirdsPage: LivePage {
    let path = "/birds"
    let screen = Search<String> { text in try await birds(named: text) }
    let template: MustacheTemplate

    func events(for query: LiveQuery, in state: Search<String>.State) -> [Search<String>.Event] {
      [.term(query["q"] ?? ""), .submit]
    }
    func event(for action: LiveAction) -> Search<String>.Event? {
      action.name == "term" ? .term(action.value) : action.name == "submit" ? .submit : nil
    }
    func address(of state: Search<String>.State) -> LiveAddress {
      LiveAddress(["q": state.query.isEmpty ? nil : state.query], isHistoryEntry: !state.isLoading)
    }
    func title(of state: Search<String>.State) -> String { "Birds \(state.query)" }
    func render(_ state: Search<String>.State) -> HTML {
      HTML(template, ["text": state.text, "birds": state.items] as [String: Any])
    }
  }

  @Test func theFirstPageIsServed() async throws {
    let markup = """
      <form id="search" data-live-submit="submit"><input name="q" value="{{text}}" data-live-input="term"></form>
      <ul id="birds">{{#birds}}<li data-key="{{.}}">{{.}}</li>{{/birds}}</ul>
      """
    let frame = """
      <!doctype html><html lang="en"><head><title>{{title}}</title>{{{head}}}</head>
      <body>{{{content}}}</body></html>
      """
    let (page, document) = try (MustacheTemplate(html: markup), MustacheTemplate(html: frame))
    let router = Router()
    router.add(LiveAsset.script)
    router.add(BirdsPage(template: page)) { live in
      HTML(document, ["title": live.title, "head": live.head.text, "content": live.content.text])
    }
    let application = Application(router: router, server: .live())
    let css = Array("li { color: teal }".utf8)
    let styles = LiveAsset(named: "birds.css", bytes: css, contentType: "text/css; charset=utf-8")
    router.add(styles)

    try await application.test(.live) { client in
      let response = try await client.execute(uri: "/birds?q=curlew&x=%3Cb%3E", method: .get)
      let script = try await client.execute(uri: LiveAsset.script.path, method: .get)

      #expect(response.status == .ok && script.status == .ok)
      #expect(response.text.contains("<title>Birds curlew</title>"))
      #expect(response.text.contains(#"value="curlew""#))
      #expect(response.text.contains(#"<li data-key="Eurasian curlew">Eurasian curlew</li>"#))
      #expect(response.text.contains(LiveAsset.script.path))
    }
  }
}

private func birds(named text: String) async throws -> [String] {
  ["Eurasian curlew", "Arctic tern"].filter { $0.contains(text) }
}
