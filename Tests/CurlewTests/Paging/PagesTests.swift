import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct PagesTests {
  private var (stub, client) = stubAndClient { $0.middleware = [.bearer("s3cret")] }
  private let list = Request<[Int]>.get("/list", query: ["per_page": 2])

  private func page(_ json: String, next target: String? = nil) -> StubResponse {
    .text(json, target.map { ["Link": "<\($0)>; rel=\"next\", </x>; rel=\"last\""] } ?? [:])
  }

  private func stubThreePages() {
    stub.stub(
      list,
      with: page("[1, 2]", next: "https://api.example.com/repositories/7/list?per_page=2&page=2"))
    stub.stub(
      .get, "/repositories/7/list", with: page("[3]", next: "?per_page=2&page=%33"), page("[]"))
  }

  private var sent: [String?] { stub.requests.map(\.head.path) }

  @Test func `links lead from page to page`() async throws {
    stubThreePages()
    let pages = client.pages(of: list)
    #expect(try await pages.reduce(into: []) { $0.append($1.value) } == [[1, 2], [3], []])
    #expect(
      sent == [
        "/list?per_page=2", "/repositories/7/list?per_page=2&page=2",
        "/repositories/7/list?per_page=2&page=%33",
      ])
    #expect(stub.requests.allSatisfy { $0.head.headerFields[.authorization] == "Bearer s3cret" })
  }

  @Test func `a page is requested when it is asked for`() async throws {
    stubThreePages()
    let pages = client.pages(of: list)
    var iterator = pages.makeAsyncIterator()
    #expect(sent.isEmpty)
    #expect(try await iterator.next(isolation: #isolation)?.value == [1, 2])
    #expect(sent.count == 1)
    #expect(try await iterator.next(isolation: #isolation)?.value == [3])
    #expect(sent.count == 2)
    for try await page in pages {
      #expect(page.value == [1, 2])
      break
    }
    #expect(sent.count == 3, "An iteration begins with the first page.")
  }

  @Test func `the number of pages may be limited`() async throws {
    for (limit, expected) in [(0, 0), (2, 2), (3, 3), (9, 3)] {
      stubThreePages()
      let pages = client.pages(of: list, limit: limit)
      #expect(try await pages.reduce(0) { count, _ in count + 1 } == expected)
    }
    #expect(sent.count == 8)
  }

  @Test func `the items of all pages are a sequence`() async throws {
    stubThreePages()
    var items: [Int] = []
    for try await item in client.pages(of: list).items {
      items.append(item)
      let expected = items.count < 3 ? 1 : 2
      #expect(sent.count == expected, "No page is requested in advance.")
    }
    #expect(items == [1, 2, 3])
    struct Found: Decodable, Sendable { let items: [String] }
    let search = Request<Found>.get("/search")
    stub.stub(search, with: page(#"{"items": []}"#, next: "/search?2"))
    stub.stub(Request<Found>.get(.url("/search?2")), with: page(#"{"items": ["a", "b"]}"#))
    let names = client.pages(of: search).items(\.items)
    #expect(try await names.reduce(into: []) { $0.append($1) } == ["a", "b"])
  }

  /// A list with a cursor.
  private struct Notes: Endpoint {
    struct Response: Decodable, Sendable {
      let notes: [String]
      let cursor: String?
    }
    var cursor: String?
    var request: Request<Response> { .get("/notes", query: ["cursor": cursor]) }
  }

  @Test func `a cursor leads from page to page`() async throws {
    stub.stub(Notes(), with: .json(#"{"notes": ["a"], "cursor": "x/+"}"#))
    stub.stub(Notes(cursor: "x/+"), with: .json(#"{"notes": ["b"]}"#))
    let pages = client.pages(of: Notes()) { page in page.value.cursor.map { Notes(cursor: $0) } }
    #expect(try await pages.items(\.notes).reduce(into: []) { $0.append($1) } == ["a", "b"])
    #expect(sent == ["/notes", "/notes?cursor=x%2F%2B"])
  }

  @Test func `a cursor may be in a body`() async throws {
    stub.stub(.post, "/list", with: .json("[1]"), .json("[2]"), .json("[]"))
    let page = { @Sendable (after: Int?) in Request<[Int]>.post("/list", body: .json([after])) }
    let pages = client.pages(of: page(nil)) { response in response.value.last.map { page($0) } }
    var bodies: [String] = []
    for try await _ in pages {
      let data = stub.requests.last?.body?.data ?? Data()
      bodies.append(String(decoding: data, as: UTF8.self))
    }
    #expect(bodies == ["[null]", "[1]", "[2]"])
  }

  @Test(arguments: ["/list?per_page=2", "https://API.example.com:443/list?per_page=2", "/two", ""])
  func `a page that was read is an error`(target: String) async throws {
    stub.stub(list, with: page("[1]", next: "/two"))
    stub.stub(.get, "/two", with: page("[2]", next: target.isEmpty ? "two#" : target))
    var pages = client.pages(of: list).makeAsyncIterator()
    #expect(try await pages.next(isolation: #isolation)?.value == [1])
    #expect(try await pages.next(isolation: #isolation)?.value == [2])
    for _ in 1...2 {
      let error = await failure(of: &pages)
      #expect(error?.invalidRequest?.reason.hasPrefix("this page was already loaded") == true)
      #expect(error?.isRetryable == false)
    }
    #expect(sent.count == 2)
  }

  @Test func `a link to where a redirect led is an error`() async throws {
    stub.stub(list, with: .status(.found, [.location: "/repositories/7/list"]))
    stub.stub(.get, "/repositories/*/list", with: page("[1]", next: "list"))
    var pages = client.pages(of: list).makeAsyncIterator()
    #expect(try await pages.next(isolation: #isolation)?.value == [1])
    #expect(await failure(of: &pages)?.invalidRequest != nil)
    #expect(sent.count == 2)
  }

  @Test func `a cursor that comes again is an error`() async throws {
    stub.stub(.get, "/notes", with: .json(#"{"notes": ["a"], "cursor": "x"}"#))
    var pages = client.pages(of: Notes()) { Notes(cursor: $0.value.cursor) }.makeAsyncIterator()
    _ = try await (pages.next(isolation: #isolation), pages.next(isolation: #isolation))
    #expect(
      await failure(of: &pages)?.description.contains("GET https://api.example.com/notes?cursor=x")
        == true)
    #expect(sent.count == 2)
  }

  @Test func `an error can be retried`() async throws {
    stubThreePages()
    stub.stub(
      .get, "/repositories/7/list", with: .status(.serviceUnavailable),
      .status(.serviceUnavailable), page("[3]"))
    let pages = client.pages(of: list)
    var iterator = pages.makeAsyncIterator()
    let first = try #require(try await iterator.next(isolation: #isolation))
    #expect(await failure(of: &iterator)?.status == .serviceUnavailable)
    var rest = pages.after(first).makeAsyncIterator()
    #expect(await failure(of: &rest)?.status == .serviceUnavailable)
    #expect(try await iterator.next(isolation: #isolation)?.value == [3])
    for _ in 1...2 {
      let page = try await iterator.next(isolation: #isolation)
      #expect(page == nil)
    }
    #expect(try await rest.next()?.value == [3])
    #expect(stub.requests.count == 5)
  }

  @Test func `cancelling stops a page`() async throws {
    let gate = stub.hold(list)
    let task = Task { () async -> Client.Error? in
      var pages = client.pages(of: list).makeAsyncIterator()
      return await failure(of: &pages)
    }
    await gate.waitForRequests(1)
    task.cancel()
    #expect(await task.value?.isCancelled == true)
    await gate.waitForCancellations(1)
  }

  @Test(arguments: [
    ("http://api.example.com/two", "its link to the next page changes from https to http"),
    (
      "ftp://a.example/two",
      "its link to the next page is malformed: it must begin with http:// or https://, or be relative"
    ),
    ("", "its link to the next page is malformed: it is empty"),
  ])
  func `a bad link is an error of the next page`(target: String, reason: String) async throws {
    stub.stub(list, with: page("[1]", next: target))
    var pages = client.pages(of: list).makeAsyncIterator()
    #expect(try await pages.next(isolation: #isolation)?.value == [1])
    #expect(await failure(of: &pages)?.invalidRequest?.reason == reason)
    #expect(sent.count == 1)
  }

  @Test func `a link to another origin gets no credentials`() async throws {
    let key: HTTPField.Name = "X-Api-Key"
    let own: HTTPFields = [.authorization: "Own s3cret", key: "s3cret", .acceptLanguage: "en"]
    let (there, back) = ("https://other.example/two", "https://api.example.com/four")
    let list = Request<[Int]>.get("/list", query: ["pin": Sensitive("hunter2")], headerFields: own)
    stub.stub(list, with: page("[1]", next: "\(there)?pin=hunter2&to=hunter2"))
    stub.stub(.get, "/two", with: page("[2]", next: "/three"))
    stub.stub(.get, "/three", with: page("[3]", next: back))
    stub.stub(.get, "/four", with: page("[4]"))
    let items = client.pages(of: list).items
    #expect(try await items.reduce(into: []) { $0.append($1) } == [1, 2, 3, 4])
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] }
        == ["Own s3cret", nil, nil, nil], "They don't come back, as after redirects.")
    #expect(stub.requests.map { $0.head.headerFields[key] } == ["s3cret", nil, nil, nil])
    #expect(stub.requests.allSatisfy { $0.head.headerFields[.acceptLanguage] == "en" })
    #expect(
      stub.requests[1].description == "GET https://other.example/two?pin=***&to=***",
      "Secrets of a page are secrets in the next page, too.")
  }

  @Test func `a redirected page takes no credentials along`() async throws {
    stub.stub(list, with: .status(.found, [.location: "https://other.example/one"]))
    stub.stub(.get, "/one", with: page("[1]", next: "two"))
    stub.stub(.get, "/two", with: page("[2]"))
    var own = list
    own.headerFields = [.authorization: "Own s3cret"]
    for try await _ in client.pages(of: own) {}
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] } == ["Own s3cret", nil, nil])
    #expect(stub.requests.last?.url == "https://other.example/two")
  }

  @Test func `an endpoint's choices hold for all pages`() async throws {
    let start = list.limits { $0.total = .seconds(7) }.accepting([404]).without(.authorization)
      .prefetch()
    stub.stub(list, with: page("[1]", next: "/two"))
    stub.stub(.get, "/two", with: .json("[2]", status: .notFound))
    let items = client.pages(of: start).items
    #expect(try await items.reduce(into: []) { $0.append($1) } == [1, 2])
    for request in stub.requests {
      #expect(request.limits.total == .seconds(7) && request.declaration.priority == .prefetch)
      #expect(request.head.headerFields[.authorization] == nil)
    }
  }

  private func failure<Value>(
    of pages: inout Client.Pages<Value>.AsyncIterator
  ) async -> Client.Error? {
    do {
      _ = try await pages.next(isolation: #isolation)
      return nil
    } catch {
      return error
    }
  }
}
