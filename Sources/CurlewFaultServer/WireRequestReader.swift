import CurlewTesting
import Foundation
import NIOCore

/// Reads requests from the bytes of a connection.
struct WireRequestReader {
  struct Malformed: Error {}

  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private let channel: any Channel
  private let connection: Int
  private var unread = Data()

  init(
    _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ channel: any Channel, connection: Int
  ) {
    self.inbound = inbound.makeAsyncIterator()
    self.channel = channel
    self.connection = connection
  }

  /// Returns the next request, or `nil` if the client closed the connection.
  ///
  /// - Throws: ``Malformed`` for an invalid request.
  mutating func next() async throws -> WireRequest? {
    guard let head = try await text(upTo: "\r\n\r\n") else { return nil }
    guard var request = WireRequest(head: head, connection: connection) else { throw Malformed() }
    let isChunked = request["Transfer-Encoding"]?.lowercased() == "chunked"
    guard isChunked || request["Transfer-Encoding"] == nil else { throw Malformed() }
    let length = Int(request["Content-Length"] ?? "0") ?? -1
    guard length >= 0 else { throw Malformed() }
    if request["Expect"]?.lowercased() == "100-continue", unread.isEmpty {
      try await channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")).get()
    }
    if isChunked { return try await readChunks(of: &request) ? request : nil }
    guard let body = try await bytes(length) else { return nil }
    request.body = body
    return request
  }

  /// Reads a chunked body with its trailers; returns whether it is complete.
  private mutating func readChunks(of request: inout WireRequest) async throws -> Bool {
    var sizes: [Int] = []
    while true {
      guard let line = try await text(upTo: "\r\n") else { return false }
      // Chunk extensions after a semicolon are ignored. A sign is rejected, because it is not a digit.
      let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      guard digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16) else {
        throw Malformed()
      }
      if size == 0 { break }
      guard let bytes = try await bytes(size), let end = try await text(upTo: "\r\n")
      else { return false }
      guard end.isEmpty else { throw Malformed() }
      sizes.append(size)
      request.body.append(bytes)
    }
    request.chunks = sizes
    while let line = try await text(upTo: "\r\n") {
      if line.isEmpty { return true }
      request.trailers.append(WireRequest.Field(line: line))
    }
    return false
  }

  private mutating func text(upTo end: String) async throws -> String? {
    let end = Data(end.utf8)
    while true {
      if let range = unread.range(of: end) {
        let text = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread = Data(unread[range.upperBound...])
        return text
      }
      guard try await readMore() else { return nil }
    }
  }

  private mutating func bytes(_ count: Int) async throws -> Data? {
    while unread.count < count {
      guard try await readMore() else { return nil }
    }
    defer { unread = Data(unread.dropFirst(count)) }
    return Data(unread.prefix(count))
  }

  private mutating func readMore() async throws -> Bool {
    guard let buffer = try await inbound.next(isolation: #isolation) else { return false }
    buffer.withUnsafeReadableBytes { unread.append(contentsOf: $0) }
    return true
  }
}
