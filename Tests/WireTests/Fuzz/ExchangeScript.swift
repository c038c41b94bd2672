import CurlewTesting
import Foundation
import TestSupport

/// A hostile server's behaviour for one attempt of a request, determined by the seed.
struct ExchangeScript {
  enum Part: Equatable {
    case bytes(Data)
    /// Waits until the whole request has arrived, unless the connection ends before.
    case wholeRequest
    /// Lets the client read the bytes so far.
    case pause
    /// Announces the last stream that the server processes, and ignores later streams.
    case goAway(last: UInt32)
    case close
    case reset
  }

  var parts: [Part] = []
  /// Whether the server first announces that it did not process the request.
  var isRefusal = false
  /// Whether the connection is closed without a byte of a response.
  var isSilent = false

  // MARK: HTTP/1.1

  /// Creates a script for HTTP/1.1.
  init(http1 random: inout SeededGenerator, mayBeHostile: Bool) {
    if random.chance(oneIn: 2) { parts.append(.wholeRequest) }
    switch random.pick(0...(mayBeHostile ? 12 : 4)) {
    case 0...3:
      parts += [.bytes(Data(Self.texts[0].utf8)), .wholeRequest]
    case 4:
      isSilent = true
      parts.append(.close)
    case 5...7:
      // A fine response before or after the body's end, and an end of the connection at any moment.
      let bytes = Data(random.pick(Self.texts).utf8)
      parts.append(.bytes(bytes.prefix(random.pick([bytes.count, random.pick(0...bytes.count)]))))
      if random.chance(oneIn: 3) { parts.append(.pause) }
      if random.chance(oneIn: 3) { parts.append(.wholeRequest) }
      // Bytes while the connection is idle.
      if random.chance(oneIn: 3) { parts += [.pause, .bytes(Data(Self.texts[3].utf8))] }
      parts.append(random.chance(oneIn: 4) ? .reset : .close)
    default:
      var corruption = Corruption(seed: random.next())
      let bytes = corruption.applied(to: Data(random.pick(Self.texts).utf8))
      let middle = random.pick(0...bytes.count)
      parts += [.bytes(bytes.prefix(middle)), .bytes(bytes.dropFirst(middle))]
      // The client must not wait for bytes that never arrive.
      parts.append(.close)
    }
  }

  private static let texts = [
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nfi\r\n2\r\nne\r\n0\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno",
    "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\nfine",
    "HTTP/1.1 204 No Content\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nfine",
    "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\nfine",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x4\r\nfine\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\nfine",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\nContent-Length: 4\r\n\r\n",
  ]

  // MARK: HTTP/2

  /// Creates a script for a stream of HTTP/2.
  ///
  /// - Parameters:
  ///   - isRefusable: Whether the server may refuse the request once more.
  ///   - mayBeHostile: Whether it may violate the protocol.
  init(
    http2 stream: UInt32, _ random: inout SeededGenerator, isRefusable: Bool, mayBeHostile: Bool
  ) {
    if random.chance(oneIn: 3) { parts.append(.wholeRequest) }
    var frames = Self.fine(stream)
    switch random.pick(0...(mayBeHostile ? 9 : 5)) {
    case 0...3: break
    case 4 where isRefusable:
      isRefusal = true
      parts = [.bytes(Self.reset(stream, 7))]
      return
    case 5 where isRefusable:
      isRefusal = true
      // The client closes the connection: closed here, it could be reset before GOAWAY is read.
      parts = [.goAway(last: stream > 2 ? stream - 2 : 0)]
      return
    case _ where !mayBeHostile: break
    default:
      for _ in 0..<random.pick(1...3) { mutate(&frames, stream, &random) }
      if random.chance(oneIn: 4) {
        var corruption = Corruption(seed: random.next())
        frames = [corruption.applied(to: Data(frames.joined()))]
      }
      for frame in frames {
        parts.append(.bytes(frame))
        if random.chance(oneIn: 4) { parts.append(.pause) }
      }
      if random.chance(oneIn: 4) { parts.insert(.close, at: random.pick(0...parts.count)) }
      parts.append(random.chance(oneIn: 4) ? .reset : .close)
      return
    }
    if random.chance(oneIn: 8) {
      frames[0] = Self.head(stream, "200", [("content-length", "4")], dependency: 0)
    }
    parts += frames.map { .bytes($0) } + [.wholeRequest]
    // The connection may be idle.
    if random.chance(oneIn: 8) {
      parts += [.pause, .bytes(Self.settings(UInt32(random.pick(10...200))))]
    }
  }

  private static func fine(_ stream: UInt32) -> [Data] {
    [
      head(stream, "200", [("content-length", "4")]), frame(0, 0, stream, Data("fi".utf8)),
      frame(0, 1, stream, Data("ne".utf8)),
    ]
  }

  private mutating func mutate(
    _ frames: inout [Data], _ stream: UInt32, _ random: inout SeededGenerator
  ) {
    let index = random.pick(0...frames.count)
    let dependency = random.pick([stream, 0x8000_0000 | stream, 0, stream + 2, 0x7fff_ffff])
    switch random.pick(0...12) {
    case 0 where !frames.isEmpty: frames.remove(at: min(index, frames.count - 1))
    case 1 where !frames.isEmpty:
      frames.insert(frames[random.pick(0...frames.count - 1)], at: index)
    case 2:
      let status = random.pick([
        "099", "000", "-1", "+200", "", "100", "101", "103", "204", "304", "404", "500", "599",
        "600", "1000", "2e2",
      ])
      frames.insert(Self.head(stream, status, [], random.pick([4, 5])), at: index)
    case 3: frames.insert(Self.reset(stream, random.pick(Array(0...14))), at: index)
    case 4:
      let last = random.pick([UInt32(0), stream, stream + 2, 0x7fff_ffff])
      frames.insert(Self.goAway(last: last, UInt32(random.pick(0...13))), at: index)
    case 5:
      let empty = Self.frame(0, 0, stream, Data())
      frames.insert(contentsOf: Array(repeating: empty, count: random.pick(1...60)), at: index)
    case 6:
      let increment = random.pick([UInt32(0), 1, 0x7fff_ffff])
      let target = random.pick([0, stream, stream + 2])
      frames.insert(Self.frame(8, 0, target, Self.number(increment)), at: index)
    case 7:
      let type = UInt8(random.pick([2, 3, 4, 5, 6, 9, 10, 99]))
      let payload = Data(repeating: 1, count: random.pick([0, 1, 4, 5, 6, 8]))
      frames.insert(
        Self.frame(type, UInt8(random.pick(0...5)), random.pick([0, stream]), payload), at: index)
    case 8: frames.insert(Self.head(stream, "200", [("content-length", "9")]), at: index)
    case 9:
      frames.insert(Self.frame(2, 0, stream, Self.number(dependency) + Data([1])), at: index)
    case 10:
      let status = random.pick(["103", "200", "404"])
      frames.insert(
        Self.head(stream, status, [], random.pick([4, 5]), dependency: dependency), at: index)
    case 11 where !frames.isEmpty:
      frames[0] = Self.head(stream, "200", [("content-length", "4")], dependency: dependency)
    case 12: frames.insert(Self.settings(random.pick([0, 1, 100, 0x7fff_ffff])), at: index)
    default: frames.insert(Self.head(0, "200", [("x", "y")], 5), at: index)
    }
  }

  // Frames (RFC 9113 section 4.1), with fields as literals without indexing (RFC 7541 section 6.2.2).

  static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: Data) -> Data {
    number(UInt32(payload.count)).dropFirst() + Data([type, flags]) + number(stream) + payload
  }

  /// - Parameter dependency: The stream that a priority depends on, with the bit for an exclusive dependency.
  static func head(
    _ stream: UInt32, _ status: String, _ fields: [(String, String)], _ flags: UInt8 = 4,
    dependency: UInt32? = nil
  ) -> Data {
    let priority = dependency.map { number($0) + Data([1]) }
    var block = Data([8, UInt8(status.utf8.count)]) + Data(status.utf8)
    for (name, value) in fields {
      block += [0, UInt8(name.utf8.count)]
      block += Data(name.utf8) + [UInt8(value.utf8.count)] + Data(value.utf8)
    }
    return frame(1, flags | (priority == nil ? 0 : 0x20), stream, (priority ?? Data()) + block)
  }

  /// - Parameter maximum: The maximum number of concurrent streams.
  static func settings(_ maximum: UInt32) -> Data {
    frame(4, 0, 0, Data([0, 3]) + number(maximum))
  }

  static func reset(_ stream: UInt32, _ code: UInt32) -> Data { frame(3, 0, stream, number(code)) }

  static func goAway(last: UInt32, _ code: UInt32 = 0) -> Data {
    frame(7, 0, 0, number(last) + number(code))
  }

  private static func number(_ number: UInt32) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }
}
