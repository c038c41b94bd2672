import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Random streams in random chunks, compared with a parser of the whole text.
///
/// `CURLEW_FUZZ=1000000` parses that many bytes, `CURLEW_SEED` changes the seed.
@Suite(.timeLimit(.minutes(10)))
struct EventStreamFuzzTests {
  private let bytes = Fuzz.runs(60_000)

  /// Calls a function with random streams, until their total size is reached.
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

  /// Returns fields, line ends and damage in random order.
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

  @Test(arguments: [true, false])
  func `random fields or bytes give the events of the whole text`(areFields: Bool) throws {
    try fuzz(areFields ? Self.stream : Self.noise, expectSame)
  }

  @Test func `a limit ends a stream or changes nothing`() throws {
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

  // MARK: Connections cut at random positions: every event arrives, once and in order

  private static let count = 40

  /// Returns the server's stream after an event.
  private static func stream(after id: Int) -> Data {
    let events = (id..<count).map { number in
      let end = ["\n", "\r", "\r\n"][number % 3]
      let lines = ["id: \(number + 1)", "data: ä \(number)", ":", "data", ""]
      return lines.map { $0 + end }.joined()
    }
    return Data(("\u{FEFF}" + events.joined()).utf8)
  }

  @Test(arguments: 0..<Fuzz.size(20, full: 1_000)) func `nothing is lost over cuts`(round: Int)
    async
  {
    let (clock, stub) = stubOnTestClock()
    let random = SharedGenerator(Fuzz.seed() + UInt64(round))
    stub.stub(
      .get, "/events",
      with: .responding { request in
        let id = request.lastEventID.flatMap { Int($0) } ?? 0
        guard id < Self.count else {
          return IncomingResponse(head: HTTPResponse(status: .noContent), body: ResponseBody())
        }
        if random.int(in: 0..<8) == 0 {
          throw Client.TransportFailure(.refused, reason: "restarting")
        }
        let whole = Self.stream(after: id)
        let cut = whole.prefix(random.int(in: 0..<min(whole.count + 1, 300)))
        var generator = SeededGenerator(seed: UInt64(random.int(in: 0..<1_000)))
        let chunks = generator.cut(cut)
        let isLost = random.int(in: 0..<2) == 0
        let connection = StubTransport()
        connection.stub(
          .get, "/events",
          with: .chunks(
            chunks, contentType: "text/event-stream",
            error: isLost ? Client.TransportFailure(.lost, reason: "reset") : nil))
        return try await connection.send(request)
      })
    let client = Client.stubbed(by: stub) { $0.limits = .endless }
    let (events, error) = await clock.advancing(by: .seconds(90)) {
      await client.events(Request<String>.get("/events")).collect()
    }
    #expect(error == nil)
    #expect(events.map(\.data) == (0..<Self.count).map { "ä \($0)\n" })
    #expect(events.map(\.id) == (1...Self.count).map { "\($0)" })
  }
}

extension ServerSentEvent {
  /// Whether the event exceeds a limit, regardless of how invalid bytes were replaced.
  fileprivate func fitsNever(in limit: Int) -> Bool {
    data.unicodeScalars.count > limit
  }
}

/// Parses a whole stream literally as the standard says, on text, but resumes only from IDs that a header field can
/// contain.
private struct ReferenceParser {
  private(set) var events: [ServerSentEvent] = []
  private(set) var lastEventID = ""
  private(set) var retry: Int64?

  /// Returns the complete lines of a text, and the rest after the last line end.
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
