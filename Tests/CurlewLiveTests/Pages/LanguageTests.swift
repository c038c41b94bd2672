import CurlewLive
import CurlewScreens
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

/// A page is in its session's language.
@Suite(.timeLimit(.minutes(1)))
struct LanguageTests {
  private let page = RefusedPage()
  private let texts = [UserTexts.english, .vietnamese]

  @Test(
    arguments: [
      (nil, "en"), ("", "en"), ("vi", "vi"), ("vi-VN,vi;q=0.9,en;q=0.8", "vi"),
      ("en-GB;q=0.5, vi-VN;q=0.9", "vi"), ("de, fr;q=0.9", "en"), ("de, vi;q=0.1", "vi"),
      ("vi;q=0, en", "en"), ("vi;q=2", "en"), ("*", "en"), ("VI", "vi"),
    ] as [(String?, String)])
  func `a document is in the language that its browser prefers`(
    accepted: String?, language: String
  ) async throws {
    try await site(page, texts: texts).test(.router) { client in
      var fields: HTTPFields = [:]
      fields[.acceptLanguage] = accepted
      let document = try await client.execute(
        uri: "/refused?q=a", method: .get, headers: fields
      ).text
      let words = language == "vi" ? UserTexts.vietnamese : .english
      #expect(document.contains("<html lang=\"\(language)\">"))
      #expect(document.contains("<p>\(words.somethingWrong)</p>"))
      #expect(document.contains("data-live-not-accepted=\"\(words.notAccepted)\""))
      #expect(document.contains("data-live-too-long=\"\(words.tooLongToSend)\""))
    }
  }

  @Test func `a stream goes on in the language of its document`() async throws {
    try await withServer(page, texts: texts) { visitor in
      let vietnamese = [("Accept-Language", "vi")]
      let (stream, session) = try await visitor.connect(
        address: "/refused", path: "/refused", fields: vietnamese)
      _ = try await stream.state()
      try await visitor.act("find", "a", in: session, path: "/refused")
      let state = try await stream.state { $0.html.contains("<p>") }
      #expect(state.html.contains(UserTexts.vietnamese.somethingWrong))
    }
  }

  @Test func `what all browsers share is in each one's language`() async throws {
    var shared = page
    shared.isShared = true
    try await withServer(shared, texts: texts) { [texts] visitor in
      var streams: [EventStream] = []
      var session = ""
      for (index, language) in ["en", "vi", "vi"].enumerated() {
        let tab = String(repeating: "0\(index)", count: 8)
        let (stream, own) = try await visitor.connect(
          path: "/refused", tab: tab, fields: [("Accept-Language", language)])
        _ = try await stream.state()
        (session, streams) = (own, streams + [stream])
      }
      try await visitor.act(
        "find", "a", in: session, path: "/refused", tab: String(repeating: "02", count: 8))
      for (stream, words) in zip(streams, [texts[0], texts[1], texts[1]]) {
        let state = try await stream.state { $0.html.contains("<p>") }
        #expect(state.html.contains(words.somethingWrong))
      }
    }
  }

  @Test func `a form that is refused says so in the language`() async throws {
    try await site(page, texts: texts).test(.router) { client in
      let response = try await client.execute(
        uri: "/refused", method: .post,
        headers: [
          .acceptLanguage: "vi", .contentType: "application/x-www-form-urlencoded",
          .origin: "http://other.example",
        ], body: ByteBuffer(string: "live%3Asubmit=find"))
      #expect(response.status == .forbidden)
      #expect(response.text == UserTexts.vietnamese.otherOrigin + "\n")
    }
  }
}

/// A search that fails and shows the reason.
private struct RefusedPage: LivePage {
  struct Failure: Error {}

  let path = "/refused"
  let screen = Search<String>(debounce: .zero) { _ in throw Failure() }
  var isShared = false

  func events(for query: LiveQuery, in state: Search<String>.State) -> [Search<String>.Event] {
    query["q"].map { [.term($0), .submit] } ?? []
  }

  func event(for action: LiveAction) -> Search<String>.Event? { .term(action.value) }

  func address(of state: Search<String>.State) -> LiveAddress { LiveAddress(["q": state.term]) }

  func title(of state: Search<String>.State) -> String { "Refused" }

  func render(_ state: Search<String>.State, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: state.results.failure.map { "<p>\($0.message)</p>" } ?? "<b></b>")
  }
}
