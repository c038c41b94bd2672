import CurlewLive
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

/// Forms without JavaScript, and the fields of a form's submit.
@Suite(.timeLimit(.minutes(1)))
struct FormTests {
  private static let form = "application/x-www-form-urlencoded"

  private func post(
    _ body: String, to client: any TestClientProtocol, origin: String? = "http://localhost",
    type: String = form
  ) async throws -> TestResponse {
    var headers: HTTPFields = [.contentType: type]
    headers[.origin] = origin
    return try await client.execute(
      uri: "/letters", method: .post, headers: headers, body: ByteBuffer(string: body))
  }

  @Test func `a form leads where the screen goes`() async throws {
    try await site(LettersPage()).test(.router) { client in
      let response = try await post("live%3Asubmit=send&text=a+%26+b", to: client)

      #expect(response.status == .seeOther)
      #expect(response.headers[.location] == "/letters?sent=1")
    }
  }

  @Test func `a form that is not taken comes back with its texts`() async throws {
    let page = LettersPage(screen: Letters { _ in throw CancellationError() })
    try await site(page).test(.router) { client in
      let form = try await post("live%3Asubmit=send&text=a+%3Cb%3E%0D%0Ac", to: client)
      #expect(form.status == .seeOther && form.headers[.location] == "/letters")
      let response = try await form.following(in: client)
      #expect(response.status == .ok)
      #expect(response.text.contains("<p id=\"text\">a &lt;b&gt;\r\nc</p>"))
      #expect(response.text.contains("It came back."))
      #expect(response.session != nil, "the script goes on with it")
    }
  }

  @Test func `the response waits for the write`() async throws {
    let gate = Gate()
    let page = LettersPage(screen: Letters { _ in await gate.wait() })
    try await site(page).test(.router) { client in
      async let response = post("live%3Asubmit=send&text=stay", to: client)
      await gate.waitForArrival()
      gate.open()
      let page = try await response.following(in: client)
      #expect(page.text.contains("<p id=\"sent\">1</p>"))
    }
  }

  @Test func `a form of another site is forbidden`() async throws {
    try await site(LettersPage()).test(.router) { client in
      for origin in [nil, "http://evil.example", "null"] {
        let response = try await post("live%3Asubmit=send&text=a", to: client, origin: origin)
        #expect(response.status == .forbidden)
      }
    }
  }

  @Test func `an unknown action is a bad request`() async throws {
    try await site(LettersPage()).test(.router) { client in
      let response = try await post("live%3Asubmit=dance", to: client)
      #expect(response.status == .badRequest)
    }
  }

  @Test(arguments: [
    ("", form), ("text=a", form), ("live%3Asubmit=send", "text/plain"), ("%%%=&&&=%", form),
  ])
  func `what is no form of the page is no method of it`(body: String, type: String) async throws {
    try await site(LettersPage()).test(.router) { client in
      let response = try await post(body, to: client, type: type)
      #expect(response.status == .methodNotAllowed)
      #expect(response.headers[.allow] == "GET, HEAD")
    }
  }

  @Test func `a page with a form allows it`() async throws {
    let form = #"<form method="post"><button name="live:submit" value="send"></button></form>"#
    try await site(LettersPage(form: form)).test(.router) { client in
      let other = try await client.execute(uri: "/letters", method: .put)
      #expect(other.status == .methodNotAllowed)
      #expect(other.headers[.allow] == "GET, HEAD, POST")
      #expect(try await post("text=a", to: client).status == .badRequest)
      #expect(try await post("live%3Asubmit=send&text=a", to: client).status == .seeOther)
    }
  }

  @Test func `a form over the size is refused`() async throws {
    try await site(LettersPage()).test(.router) { client in
      let text = String(repeating: "a", count: 70_000)
      let response = try await post("live%3Asubmit=send&text=\(text)", to: client)
      #expect(response.status == .contentTooLarge)
    }
  }

  @Test(arguments: [
    (#"[["text","a"],["text","b"]]"#, ["text=a", "text=b"]), ("[]", []),
    (#"[["a"],["b","c","d"]]"#, []),
  ])
  func `a submit has the fields of its form`(fields: String, items: [String]) throws {
    let message = try JSONDecoder().decode(
      LiveMessage.self,
      from: Data(#"{"number":1,"name":"send","value":"","fields":\#(fields)}"#.utf8))
    #expect(message.action.fields.items.map { "\($0.name)=\($0.value)" } == items)
  }

  @Test func `a page for a script does not wait for its content`() async throws {
    let gate = Gate()
    var page = try NotesPage(gate, "late")
    page.reloadDelay = .seconds(1)
    try await site(page).test(.router) { client in
      let response = try await client.execute(
        uri: "/notes?q=a", method: .get, headers: [.liveVisit: "1"])

      #expect(response.text.contains("<hr>"), "it is still loading")
      #expect(response.headers[.setCookie] == nil, "the script goes on with the session")
      gate.open()
    }
  }

  // MARK: Slots

  @Test func `the frame shows slots of the state`() async throws {
    try await withServer(LettersPage()) { visitor in
      #expect(try await !visitor.document("/letters").contains("data-live-slot"))
      let page = try await visitor.document("/letters?text=four")
      #expect(page.contains(#"<i data-live-slot="length">4 &lt;</i>"#))
    }
  }

  @Test func `only slots that change are sent`() {
    let update = LiveUpdate.changes(from:to:)
    #expect(update(["a": "1", "b": "2"], ["a": "1", "b": "3"]) == ["b": "3"])
    #expect(update(["a": "1"], ["a": "1"]) == nil)
    let gone: [String: String?] = ["a": nil]
    #expect(update(["a": "1"], [:]) == gone)
    #expect(update([:], ["a": "1"]) == ["a": "1"])
    // Equal strings in Swift, but different bytes.
    #expect(update(["a": "\u{e9}"], ["a": "e\u{301}"]) == ["a": "e\u{301}"])
  }
}
