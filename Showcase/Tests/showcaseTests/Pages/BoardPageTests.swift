import Application
import Curlew
import CurlewAsyncHTTPClient
import CurlewLiveTesting
import CurlewTesting
import Foundation
import HTTPTypes
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The board that all browsers share.
@Suite(.timeLimit(.minutes(1)))
struct BoardPageTests {
  private let path = "/watch/board"

  /// The number of streams that the board has opened at the sandbox.
  private var streams: Int { served.requests.count { $0 == "/sandbox/opened-issues" } }

  /// Opens the page's stream of updates, as its script does, and returns it when rows have arrived.
  private func watch() async throws -> StreamedResponse {
    let client = Client(baseURL: try BaseURL(served.origin)) {
      $0.transport = ServedSite.transport
    }
    let tab = try #require(HTTPField.Name("Live-Tab"))
    let stream = try await client.stream(
      Request<Data>.get(
        "/watch/board/live", query: ["address": path],
        headerFields: [tab: String(repeating: "01", count: 8)]))
    var text = ""
    for try await chunk in stream {
      text += String(decoding: chunk, as: UTF8.self)
      if text.contains("class=\\\"number") { break }
    }
    return stream
  }

  @Test(.served) func `all visitors see one stream`() async throws {
    let link = try await served.open("/watch").elements.attribute("href", of: "#board")
    #expect(link == path)
    #expect(streams == 0, "nobody watches")
    do {
      let visitors = [try await watch(), try await watch()]
      let page = try await served.open(path)
      #expect(Set(page.texts(".number").map { $0.prefix { $0 != "#" } }).count >= 3)
      #expect(streams == 1)
      withExtendedLifetime(visitors) {}
    }
    // Both have left, so the stream has ended: the next visitor starts another.
    try await eventually("the stream is read again") {
      _ = try await watch()
      return streams > 1
    }
  }

  @Test func `host without a stream says so`() {
    let page = DrawnPage(BoardPage(Board(host: HeldServers())), at: path)
    page.probe.resume()
    page.probe.settle()
    #expect(page.status == "The newest issues can't be received.")
    #expect(page.elements.text("#failure")?.contains("only in the sandbox") == true)
    #expect(page.elements.has("#failure.notice"))
    #expect(!page.elements.has("#issues"))
  }
}
