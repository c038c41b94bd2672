import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct LinesTests {
  private var (stub, client) = stubAndClient(on: TestClock()) { $0.limits = .endless }

  private func lines(
    _ request: Request<Data> = .get("/x")
  ) async throws -> (elements: [String], error: Client.Error?) {
    await (try client.stream(request)).lines.collect()
  }

  @Test func `lines arrive one by one`() async throws {
    let live = LiveBody(contentType: "text/plain")
    stub.stub(.get, "/x", with: live.response)
    var lines = try await client.stream(.get("/x")).lines.makeAsyncIterator()
    live.send("one\ntw")
    #expect(try await lines.next(isolation: #isolation) == "one")
    live.send("o\r")
    #expect(try await lines.next(isolation: #isolation) == "two")
  }

  @Test func `the last line needs no end`() async throws {
    stub.stub(.get, "/x", with: .text("a\r\nb\rc"))
    let (lines, error) = try await lines()
    #expect(lines == ["a", "b", "c"] && error == nil)
  }

  @Test func `invalid UTF8 is replaced`() async throws {
    let bytes = Data([0xC3, 0x0A, 0xFF, 0x61, 0x0A, 0xE2, 0x82])
    stub.stub(.get, "/x", with: .chunks(bytes.cut(every: 1)))
    #expect(try await lines().elements == ["\u{FFFD}", "\u{FFFD}a", "\u{FFFD}"])
  }

  @Test func `a line over the limit ends them`() async throws {
    stub.stub(.get, "/x", with: .text("abc\nabcd\nabc"))
    let (lines, error) = try await lines(.get("/x").limits { $0.lineSize = 3 })
    #expect(lines == ["abc"])
    #expect(error?.tooLarge?.limit == .lineSize && error?.tooLarge?.bytes == 3)
    #expect(
      error.map { "\($0)" }
        == "GET https://api.example.com/x: a line exceeds 3 bytes (limits.lineSize)")
  }

  @Test func `a lost connection is an error after the whole lines`() async throws {
    stub.stub(
      .get, "/x", with: .text("a\nb", error: Client.TransportFailure(.lost, reason: "reset")))
    let (lines, error) = try await lines()
    #expect(lines == ["a"] && error?.transportFailure?.kind == .lost)
  }

  @Test func `after their end there are none`() async throws {
    stub.stub(.get, "/x", with: .text("a"), .text("abcd"))
    var lines = try await client.stream(.get("/x")).lines.makeAsyncIterator()
    #expect(try await lines.next(isolation: #isolation) == "a")
    for _ in 0..<2 { #expect(try await lines.next(isolation: #isolation) == nil) }
    let request = Request<Data>.get("/x").limits { $0.lineSize = 3 }
    lines = try await client.stream(request).lines.makeAsyncIterator()
    await #expect(throws: Client.Error.self) { try await lines.next(isolation: #isolation) }
    #expect(try await lines.next(isolation: #isolation) == nil)
  }

  @Test func `leaving the loop ends the transfer`() async throws {
    let live = LiveBody(contentType: "text/plain")
    stub.stub(.get, "/x", with: live.response)
    let task = Task { [client] in
      for try await line in try await client.stream(.get("/x")).lines { return line }
      return ""
    }
    live.send("a\nb\n")
    #expect(try await task.value == "a")
    await eventually { live.hasEnded }
  }
}
