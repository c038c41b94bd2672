import AsyncHTTPClient
import Foundation
import NIOCore

/// The server-sent events of one response, as a browser reads them.
final class EventStream {
  /// One event.
  struct Event: Equatable {
    var name = "message"
    var data = ""
  }

  /// A state as the browser's script gets it.
  struct State: Decodable, Equatable {
    let html: String
    let title: String
    let url: String
    let isHistoryEntry: Bool
    let acknowledged: Int
  }

  struct Ended: Error {}

  let status: Int
  private var chunks: HTTPClientResponse.Body.AsyncIterator
  private var text = ""

  init(status: Int, _ body: HTTPClientResponse.Body) {
    self.status = status
    chunks = body.makeAsyncIterator()
  }

  /// The next event, or `nil` at the end; a comment is an event named `comment`.
  func next() async throws -> Event? {
    while true {
      if let end = text.range(of: "\n\n") {
        let lines = text[..<end.lowerBound].split(separator: "\n")
        text = String(text[end.upperBound...])
        return Self.event(lines)
      }
      guard let chunk = try await chunks.next(isolation: #isolation) else { return nil }
      text += String(buffer: chunk)
    }
  }

  /// The session's name, which comes first.
  func hello() async throws -> String {
    guard let event = try await next(), event.name == "hello" else { throw Ended() }
    return event.data
  }

  /// The next state.
  func state() async throws -> State {
    while let event = try await next() {
      guard event.name == "state" else { continue }
      return try JSONDecoder().decode(State.self, from: Data(event.data.utf8))
    }
    throw Ended()
  }

  /// The first state from here on that is as wanted; the time limit of the test is its patience.
  func state(where isWanted: (State) -> Bool) async throws -> State {
    while true {
      let state = try await state()
      if isWanted(state) { return state }
    }
  }

  private static func event(_ lines: [Substring]) -> Event {
    var event = Event()
    for line in lines {
      if line.hasPrefix(":") { event.name = "comment" }
      if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
      if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
    }
    return event
  }
}
