import Foundation
import HTTPTypes

/// Parses the events of a stream whose bytes arrive in chunks (WHATWG HTML section 9.2.6).
struct ServerSentEventParser: ChunkParser {
  typealias TooLong = LineSplitter.TooLong

  static var kind: Client.TooLargeFailure.Limit { .eventSize }
  /// The ID to resume the stream from: the ID of the newest complete event, with or without data, whose ID
  /// is a valid header field value.
  var lastEventID: String
  /// The reconnection time that the server set; `nil` if it set none.
  var reconnectionTime: Duration?

  let limit: Int
  private var lines: LineSplitter
  private var data: [UInt8] = []
  private var type: [UInt8] = []
  /// The current ID; it is not reset after an event, because it applies to all following events.
  private var id: String

  /// Creates a parser for one connection.
  ///
  /// - Parameters:
  ///   - lastEventID: The ID that the stream is resumed from. Events without an `id` keep it, as in
  ///     browsers.
  ///   - limit: The maximum number of bytes of an event's type and data, and of each line.
  init(lastEventID: String = "", limit: Int) {
    self.lastEventID = lastEventID
    self.limit = limit
    id = lastEventID
    lines = LineSplitter(limit: limit)
  }

  /// Appends received bytes.
  mutating func append(_ chunk: Data) { lines.append(chunk) }

  /// Returns the next complete event; `nil` when more bytes are needed.
  mutating func next() throws(TooLong) -> ServerSentEvent? {
    while let line = try lines.next() {
      if !line.isEmpty {
        try process(line)
      } else if let event = dispatch() {
        return event
      }
    }
    return nil
  }

  /// Returns `nil`: an event that is incomplete at the end is dropped.
  mutating func finish() -> ServerSentEvent? { nil }

  private mutating func process(_ line: [UInt8]) throws(TooLong) {
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let name = line[..<(colon ?? line.count)]
    var value = line[(colon.map { $0 + 1 } ?? line.count)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    // A comment has an empty name, which matches no field.
    if name.elementsEqual("data".utf8) {
      data += value
      data.append(UInt8(ascii: "\n"))
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8) {
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    } else if name.elementsEqual("retry".utf8) {
      setReconnectionTime(value)
    }
    // The line feed after the last line is not part of the data.
    guard max(0, data.count - 1) + type.count <= limit else { throw TooLong() }
  }

  private mutating func setReconnectionTime(_ digits: ArraySlice<UInt8>) {
    let range = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard !digits.isEmpty, digits.allSatisfy({ range.contains($0) }) else { return }
    let milliseconds = Int64(String(decoding: digits, as: UTF8.self)) ?? .max
    reconnectionTime = .milliseconds(milliseconds)
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer { (data, type) = ([], []) }
    if HTTPField.isValidValue(id) { lastEventID = id }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
      data: String(decoding: data.dropLast(), as: UTF8.self), id: id)
  }
}

/// An event of a server-sent event stream (WHATWG HTML section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
  /// The type, from the `event` field; `message` for an event without this field.
  public var type: String
  /// The values of the event's `data` fields, joined with LF.
  public var data: String
  /// The last event ID: the value of the newest `id` field, of this or an earlier event; empty if
  /// there was none.
  ///
  /// A program that stores the ID can resume the stream after a restart: see
  /// ``EventStreamPolicy/lastEventID``.
  public var id: String

  /// Creates an event.
  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}
