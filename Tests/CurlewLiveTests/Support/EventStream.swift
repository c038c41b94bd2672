import AsyncHTTPClient
import Foundation
import NIOCore

/// The server-sent events of one response, parsed as a browser does.
final class EventStream {
  /// One event.
  struct Event: Equatable {
    var name = "message"
    var data = ""
  }

  /// A received update: absent properties have not changed.
  struct Update: Decodable {
    let html: String?
    let parts: [Document.Part]?
    let title: String?
    let url: String?
    let kept: String?
    let isHistoryEntry: Bool?
    let acknowledged: Int?
    let version: Int?
    let isWorking: Bool?
    let isNew: Bool?
  }

  /// The content of the browser's page.
  struct State: Equatable {
    var html = ""
    var title = ""
    var url = ""
    var kept = ""
    var isHistoryEntry = true
    var acknowledged = 0
    var version = 0
  }

  struct Ended: Error {}

  let status: Int
  private var chunks: HTTPClientResponse.Body.AsyncIterator
  private var text = ""
  private(set) var shown: State

  init(status: Int, _ body: HTTPClientResponse.Body, shown: State = State()) {
    self.status = status
    self.shown = shown
    chunks = body.makeAsyncIterator()
  }

  /// Returns the next event, or `nil` at the end; a comment is an event named `comment`.
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

  /// Reads the hello event and returns the session's name.
  func hello() async throws -> String {
    guard let event = try await next(), event.name == "hello" else { throw Ended() }
    isNew = event.data.hasSuffix(" new")
    return String(event.data.prefix { $0 != " " })
  }

  /// Whether the session began with this stream.
  private(set) var isNew = false

  /// Returns the next state.
  func state() async throws -> State {
    while let event = try await next() {
      guard event.name == "state" else { continue }
      try show(JSONDecoder().decode(Update.self, from: Data(event.data.utf8)))
      return shown
    }
    throw Ended()
  }

  /// Applies an update as the script does.
  private func show(_ update: Update) throws {
    shown.html = update.html.map { Document($0).markup } ?? shown.html
    if let parts = update.parts {
      let document = Document(shown.html)
      for part in parts { try document.apply(part) }
      shown.html = document.markup
    }
    shown.title = update.title ?? shown.title
    shown.url = update.url ?? shown.url
    shown.isHistoryEntry = update.isHistoryEntry ?? shown.isHistoryEntry
    shown.kept = update.kept ?? shown.kept
    shown.acknowledged = update.acknowledged ?? shown.acknowledged
    shown.version = update.version ?? shown.version
  }

  /// Returns the first state from here on that meets a condition; the test's time limit bounds the wait.
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
