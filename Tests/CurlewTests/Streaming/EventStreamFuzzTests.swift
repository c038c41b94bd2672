import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Random streams in random chunks, compared with a parser that takes the whole text.
///
/// `CURLEW_FUZZ=1000000` reads as many bytes, `CURLEW_SEED` other ones.
@Suite(.timeLimit(.minutes(10)))
struct EventStreamFuzzTests {
  private let bytes = Fuzz.runs(60_000)

  /// Calls a function with random streams, until they have the number of bytes.
  private func fuzz(
    _ makeStream: (inout SeededGenerator) -> Data,
    _ check: (Data, inout SeededGenerator) throws -> Void
  ) rethrows {
    var generator = SeededGenerator(seed: Fuzz.seed())
    var count = 0
    while count < bytes {
      let stream = makeStream(&generator)
      count += max(1, stream.count)
      try check(stream, &generator)
    }
  }

  /// Fields, line ends and damage in any order.
  private static func stream(_ generator: inout SeededGenerator) -> Data {
    let tokens: [[UInt8]] =
      [
        "data", "event", "id", "retry", "data:", "data: ", "event:", "id:", "retry:", ":", " ",
        "\n",
        "\n", "\n\n", "\r", "\r\n", "\r\n\r\n", "\u{FEFF}", "\u{0}", "a", "ä", "😀", "17", "dat",
        "x",
      ].map { Array($0.utf8) } + [
        [0xFF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F], [0xEF, 0xBB], [0xBF],
      ]
    var stream: [UInt8] = generator.chance(oneIn: 4) ? [0xEF, 0xBB, 0xBF] : []
    for _ in 0..<generator.pick(0...60) { stream += generator.pick(tokens) }
    return Data(stream)
  }

  private static func noise(_ generator: inout SeededGenerator) -> Data {
    Data((0..<generator.pick(0...300)).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  private func expectSame(_ stream: Data, _ generator: inout SeededGenerator) throws {
    let expected = ReferenceParser(stream)
    for chunks in [[stream], generator.cut(stream), stream.cut(every: 1)] {
      var parser = ServerSentEventParser(limit: .max)
      let events = try parser.events(in: chunks)
      try #require(events == expected.events, "\(Array(stream)) in \(chunks.map(\.count))")
      try #require(parser.lastEventID == expected.lastEventID, "\(Array(stream))")
      try #require(
        parser.reconnectionTime == expected.retry.map { .milliseconds($0) }, "\(Array(stream))")
    }
  }

  @Test func randomFieldsGiveTheEventsOfTheWholeText() throws {
    try fuzz(Self.stream, expectSame)
  }

  @Test func randomBytesGiveTheEventsOfTheWholeText() throws {
    try fuzz(Self.noise, expectSame)
  }

  @Test func randomLinesAreThoseOfTheWholeText() throws {
    try fuzz(Self.stream) { stream, generator in
      var (lines, rest) = ReferenceParser.lines(of: stream)
      if !rest.isEmpty { lines.append(rest) }
      var splitter = LineSplitter(limit: .max)
      var found: [[UInt8]] = []
      for chunk in generator.cut(stream) {
        splitter.append(chunk)
        while let line = try splitter.next() { found.append(line) }
      }
      if let line = splitter.finish() { found.append(line) }
      try #require(found.map { String(decoding: $0, as: UTF8.self) } == lines, "\(Array(stream))")
    }
  }

  @Test func aLimitEndsAStreamOrChangesNothing() throws {
    try fuzz(Self.stream) { stream, generator in
      let expected = ReferenceParser(stream).events
      let limit = generator.pick(0...40)
      var parser = ServerSentEventParser(limit: limit)
      var events: [ServerSentEvent] = []
      do {
        for chunk in generator.cut(stream) {
          parser.append(chunk)
          while let event = try parser.next() { events.append(event) }
        }
        try #require(events == expected)
      } catch is ServerSentEventParser.TooLong {
        try #require(expected.starts(with: events))
      }
      for event in events { try #require(!event.fitsNever(in: limit)) }
    }
  }
}

extension ServerSentEvent {
  /// Whether the event exceeds a limit, however invalid bytes were replaced.
  fileprivate func fitsNever(in limit: Int) -> Bool {
    data.unicodeScalars.count > limit
  }
}

/// Reads a whole stream as the standard is written, on text, but resumes only from IDs that a header field
/// can carry.
private struct ReferenceParser {
  private(set) var events: [ServerSentEvent] = []
  private(set) var lastEventID = ""
  private(set) var retry: Int64?

  /// Returns the complete lines of a text, and what follows the last one.
  static func lines(of stream: Data) -> (lines: [String], rest: String) {
    var text = String(decoding: stream, as: UTF8.self).unicodeScalars[...]
    if text.first == "\u{FEFF}" { text = text.dropFirst() }
    var (lines, line) = ([String](), "".unicodeScalars)
    while let scalar = text.popFirst() {
      if scalar == "\r", text.first == "\n" { continue }
      if scalar == "\r" || scalar == "\n" {
        lines.append(String(line))
        line = "".unicodeScalars
      } else {
        line.append(scalar)
      }
    }
    return (lines, String(line))
  }

  init(_ stream: Data) {
    var (data, type, id) = ([String](), "", "")
    for line in Self.lines(of: stream).lines {
      if line.isEmpty {
        if HTTPField.isValidValue(id) { lastEventID = id }
        if !data.isEmpty {
          let type = type.isEmpty ? "message" : type
          events.append(
            ServerSentEvent(type: type, data: data.joined(separator: "\n"), id: id))
        }
        (data, type) = ([], "")
        continue
      }
      let scalars = line.unicodeScalars
      let name = String(scalars.prefix { $0 != ":" })
      var value = scalars.dropFirst(name.unicodeScalars.count + 1)
      if value.first == " " { value = value.dropFirst() }
      switch name {
      case "data": data.append(String(value))
      case "event": type = String(value)
      case "id" where !value.contains("\u{0}"): id = String(value)
      case "retry" where !value.isEmpty && value.allSatisfy { ("0"..."9").contains($0) }:
        retry = Int64(String(value)) ?? .max
      default: break
      }
    }
  }
}
