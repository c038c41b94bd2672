import Foundation
import NIOCore

/// A request as its bytes arrived.
struct ServerRequest: Sendable {
  let method: String
  /// The request target, not decoded.
  let target: String
  let fields: [(name: String, value: String)]
  var body = Data()

  /// The values of a field, in order.
  func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The values of a field, joined as a list; `nil` when it did not come.
  subscript(name: String) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  fileprivate init?(head: String) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let start = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard start.count == 3, start[2] == "HTTP/1.1" else { return nil }
    method = String(start[0])
    target = String(start[1])
    fields = lines.map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
      return (String(parts[0]), value)
    }
  }
}

/// Reads requests from the bytes of a connection.
///
/// Of bodies, only those with a `Content-Length`.
struct ServerRequestReader {
  struct Malformed: Error {}

  var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  var unread = Data()

  init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) {
    self.inbound = inbound.makeAsyncIterator()
  }

  /// Returns the next request; `nil` when the client closed the connection.
  mutating func next() async throws -> ServerRequest? {
    let separator = Data("\r\n\r\n".utf8)
    var end = unread.range(of: separator)
    while end == nil {
      guard try await readMore() else { return nil }
      end = unread.range(of: separator)
    }
    guard let end else { return nil }
    let head = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
    unread = Data(unread[end.upperBound...])
    guard var request = ServerRequest(head: head), request["Transfer-Encoding"] == nil else {
      throw Malformed()
    }
    let length = request["Content-Length"].flatMap { Int($0) } ?? 0
    while unread.count < length {
      guard try await readMore() else { return nil }
    }
    request.body = Data(unread.prefix(length))
    unread = Data(unread.dropFirst(length))
    return request
  }

  private mutating func readMore() async throws -> Bool {
    guard let buffer = try await inbound.next(isolation: #isolation) else { return false }
    buffer.withUnsafeReadableBytes { unread.append(contentsOf: $0) }
    return true
  }
}
