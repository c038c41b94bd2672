import CurlewLive
import CurlewTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// Compressed event streams: their content, and when it arrives.
@Suite(.timeLimit(.minutes(1)))
struct EventCodingTests {
  private static let opening = "event: hello\ndata: 1\n\n"
  private static let small = "data: " + String(repeating: "é", count: 26) + "\n\n"
  private static let large = "data: \(rows(70_000))\n\n"

  /// An event with many rows shrinks to a fifth; a small event grows by ten bytes.
  @Test(arguments: [(large, large.utf8.count / 5), (small, 70)])
  func `an event has few bytes`(event: String, most: Int) async throws {
    let parts = [Self.opening, event].map { ByteBuffer(string: $0) }
    try await withEvents(parts) { stream, next in
      next()
      try await stream.read(until: parts[0].readableBytes)
      let before = stream.received.count
      next()
      try await stream.read(until: parts[0].readableBytes + parts[1].readableBytes)

      #expect((1...most).contains(stream.received.count - before))
    }
  }

  @Test func `the whole stream is one file of gzip`() async throws {
    let texts = [Self.opening, Self.large, Self.small]
    let whole = texts.joined()
    try await withResponses(["/events": { _ in events(texts) }]) { port in
      let stream = try await CodedStream("http://localhost:\(port)/events")
      try await stream.readToEnd()
      let length = ByteBuffer(bytes: stream.received.suffix(4)).getInteger(
        at: 0, endianness: .little, as: UInt32.self)

      #expect(stream.isComplete && stream.fields["Content-Length"] == [])
      #expect(stream.fields["Vary"] == ["Accept-Encoding"])
      #expect(length == UInt32(whole.utf8.count))
      #expect(String(decoding: stream.content, as: UTF8.self) == whole)
    }
  }

  @Test func `a stream without events is an empty file`() async throws {
    for texts in [[], [""]] {
      try await withResponses(["/events": { _ in events(texts) }]) { port in
        let stream = try await CodedStream("http://localhost:\(port)/events")
        try await stream.readToEnd()

        #expect(stream.isComplete && stream.content == [])
      }
    }
  }

  @Test func `parts of all lengths can be read as they arrive`() async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    let lengths = [0, 1, 511, 512, 65_535, 65_536, 200_000]
    for _ in 0..<Fuzz.runs(2, of: 1_000) {
      var made: [ByteBuffer] = []
      for length in (lengths + lengths).shuffled(using: &random) {
        let count = max(0, length + random.pick([0, 0, 0, -1, 1, random.pick(0...400)]))
        // From incompressible bytes to only zeros.
        let mask = random.pick([0, 1, 15, 255] as [UInt8])
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) & mask }
        made.append(ByteBuffer(bytes: bytes))
      }
      let parts = made
      try await withEvents(parts) { stream, next in
        var whole: [UInt8] = []
        for part in parts {
          next()
          let before = (content: whole.count, received: stream.received.count)
          whole += part.readableBytesView
          try await stream.read(until: whole.count)

          #expect(stream.content[before.content...].elementsEqual(part.readableBytesView))
          // The overhead of each block and the header; the rest of the previous part may have arrived late.
          let most = part.readableBytes + 5 * (part.readableBytes / 65_535 + 1) + 20
          #expect(stream.received.count - before.received <= most)
        }
        next()
        try await stream.readToEnd()

        #expect(stream.isComplete && stream.content == whole)
      }
    }
  }

  @Test(arguments: [nil, "", "identity", "br", "gzip;q=0"])
  func `streams for others are as they are`(coding: String?) async throws {
    try await withResponses(["/events": { _ in events([Self.small, Self.large]) }]) { port in
      let fields = coding.map { [("Accept-Encoding", $0)] } ?? []
      let response = try await fetch("http://localhost:\(port)/events", fields)

      #expect(response.fields["Content-Encoding"] == [])
      #expect(response.fields["Vary"] == ["Accept-Encoding"])
      #expect(String(buffer: response.body) == Self.small + Self.large)
    }
  }

  @Test(arguments: [[.cacheControl: "no-transform"], [.contentEncoding: "br"]] as [HTTPFields])
  func `streams that must not change are as they are`(fields: HTTPFields) async throws {
    try await withResponses(["/events": { _ in events([Self.large], fields: fields) }]) { port in
      let response = try await fetch("http://localhost:\(port)/events")

      #expect(response.fields["Content-Encoding"] == (fields[.contentEncoding].map { [$0] } ?? []))
      #expect(String(buffer: response.body) == Self.large)
    }
  }

  @Test func `the stream of a page is compressed`() async throws {
    try await withServer(NotesPage()) { visitor in
      let url = "\(visitor.origin)/notes/live?address="
      let stream = try await CodedStream(url, [("Live-Tab", tab), ("Live-Version", "0")])
      // The hello with a new session's name is longer than 40 bytes.
      try await stream.read(until: 40)

      #expect(stream.fields["Content-Encoding"] == ["gzip"])
      #expect(String(decoding: stream.content, as: UTF8.self).contains("event: hello\ndata: "))
    }
  }
}
