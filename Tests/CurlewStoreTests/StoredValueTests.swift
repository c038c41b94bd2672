import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// What the client's cache has when an app starts.
@Suite(.timeLimit(.minutes(1)))
struct StoredValueTests {
  private let test = TestStore()

  @Test func `a launch shows what is stored before any request`() throws {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 60, tag: "a")))
    test.observe(Library.bookEntry(1)).stop()
    test.advance(by: .seconds(100))
    let gate = test.stub.hold(Library.book(1))
    let consumer = test.observe(Library.bookEntry(1), in: Store(test.client))
    #expect(consumer.shown.isLoading && consumer.latest?.title == "Emma")
    #expect(consumer.shown.asOf != nil)
    #expect(try #require(gate.held.first).head.headerFields[.ifNoneMatch] == "\"a\"")
  }

  @Test func `a launch asks for nothing that is fresh`() {
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 60)))
    test.observe(Library.bookEntry(1)).stop()
    let consumer = test.observe(Library.bookEntry(1), in: Store(test.client))
    #expect(
      consumer.all.map(\.isLoading) == [true, false] || consumer.all.map(\.isLoading) == [false])
    #expect(consumer.latest?.title == "Emma")
    #expect(test.stub.requests.count == 1)
  }

  @Test func `A stored value is current only if the server says so`() {
    let test = TestStore { $0.cache?.maximumOfflineStaleness = .seconds(1_000_000) }
    test.stub.stub(
      Library.book(1),
      with: .book(1, "Emma", [.cacheControl: "max-age=0, stale-while-revalidate=1000"]),
      .failure(Client.TransportFailure(.refused, reason: "down")))
    test.observe(Library.bookEntry(1)).stop()
    test.advance(by: .seconds(5))
    let consumer = test.observe(Library.bookEntry(1), in: Store(test.client))
    #expect(consumer.latest?.title == "Emma" && consumer.shown.failure != nil)
    #expect(test.stub.requests.count == 2)
  }

  @Test func `A stored response of an older app's form is skipped`() {
    test.stub.stub(
      .get, "/books/1", with: .json("[1]", [.cacheControl: "max-age=0"]), .book(1, "Emma"))
    test.run { _ = try? await test.client.send(Request<[Int]>.get("/books/1")) }
    let consumer = test.observe(Library.bookEntry(1))
    #expect(consumer.all.map(\.latest?.title) == [nil, "Emma"])
    #expect(consumer.all.allSatisfy { $0.failure == nil })
  }
}
