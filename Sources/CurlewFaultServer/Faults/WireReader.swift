import Curlew
import Foundation
import HTTPTypes

/// Reads a response from a script as a correct transport reads it from a connection (RFC 9112).
///
/// Bytes after the end of the response are not read: a correct transport closes a connection with
/// unexpected bytes.
struct WireReader: Sendable {
  private enum Framing {
    case none
    case length(Int)
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailers
    case untilClose
  }

  /// The maximum size in bytes of a head with its interim responses, of a chunk's size line, and of
  /// trailers.
  static let headLimit = 64 * 1024

  private var player: WirePlayer
  private var unread = Data()
  private var isClosed = false
  private var framing = Framing.none

  init(_ player: WirePlayer) {
    self.player = player
  }

  /// Reads the head and returns the response, whose body is read on demand.
  static func response(
    to method: HTTPRequest.Method, from player: WirePlayer
  ) async throws -> IncomingResponse {
    var reader = WireReader(player)
    let head = try await reader.head(of: method)
    let atBody = reader
    return IncomingResponse(
      head: head,
      body: ResponseBody {
        var reader = atBody
        return { try await reader.piece() }
      })
  }

  private mutating func head(of method: HTTPRequest.Method) async throws -> HTTPResponse {
    var left = Self.headLimit
    while true {
      let status = try WireHead.status(of: try await line(&left))
      let fields = try await fields(&left)
      if status.kind == .informational, status.code != 101 { continue }
      framing = try Self.framing(status, fields, method)
      return HTTPResponse(status: status, headerFields: fields)
    }
  }

  /// Reads fields up to the empty line that ends them.
  private mutating func fields(_ left: inout Int) async throws -> HTTPFields {
    var fields = HTTPFields()
    while true {
      let line = try await line(&left)
      if line.isEmpty { return fields }
      fields.append(try WireHead.field(of: line))
    }
  }

  /// Returns how the body is delimited (RFC 9112 section 6.3).
  private static func framing(
    _ status: HTTPResponse.Status, _ fields: HTTPFields, _ method: HTTPRequest.Method
  ) throws -> Framing {
    if method == .head || status.code == 204 || status.code == 304 { return .none }
    if let coding = fields[.transferEncoding]?.lowercased() {
      guard fields[.contentLength] == nil else {
        throw Client.TransportFailure.malformed("both Transfer-Encoding and Content-Length")
      }
      return coding.hasSuffix("chunked") ? .chunkSize : .untilClose
    }
    guard let text = fields[.contentLength] else { return .untilClose }
    let lengths = Set(text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    guard let length = lengths.first, lengths.count == 1, length.utf8.allSatisfy(\.isDigit),
      let count = Int(length)
    else { throw Client.TransportFailure.malformed("Content-Length: \(text)") }
    return count == 0 ? .none : .length(count)
  }

  /// Returns the next piece of the body; `nil` at its end.
  private mutating func piece() async throws -> Data? {
    while true {
      var left = Self.headLimit
      switch framing {
      case .none: return nil
      case .length(let count):
        let bytes = try await take(count)
        framing = bytes.count == count ? .none : .length(count - bytes.count)
        return bytes
      case .chunkSize:
        let line = try await line(&left)
        let size = try WireHead.chunkSize(of: line)
        framing = size == 0 ? .trailers : .chunk(size)
      case .chunk(let count):
        let bytes = try await take(count)
        framing = bytes.count == count ? .chunkEnd : .chunk(count - bytes.count)
        return bytes
      case .chunkEnd:
        guard try await line(&left).isEmpty else {
          throw Client.TransportFailure.malformed("no line end after a chunk")
        }
        framing = .chunkSize
      case .trailers:
        _ = try await fields(&left)
        framing = .none
      case .untilClose:
        if unread.isEmpty, try await !receive() { return nil }
        return try await take(.max)
      }
    }
  }

  /// Reads a line, without its line end.
  private mutating func line(_ left: inout Int) async throws -> String {
    var end = unread.firstIndex(of: UInt8(ascii: "\n"))
    while end == nil {
      guard unread.count <= left else { break }
      guard try await receive() else { throw Client.TransportFailure.closed }
      end = unread.firstIndex(of: UInt8(ascii: "\n"))
    }
    guard let end, end - unread.startIndex < left else {
      throw HeaderTooLong()
    }
    let line = unread[..<end]
    left -= line.count + 1
    unread = unread[(end + 1)...]
    return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }

  /// Reads at most this many of the available bytes; waits if there are none.
  private mutating func take(_ count: Int) async throws -> Data {
    if unread.isEmpty, try await !receive() { throw Client.TransportFailure.closed }
    let bytes = Data(unread.prefix(count))
    unread = unread.dropFirst(count)
    return bytes
  }

  /// Waits for more bytes; returns whether any came before the connection was closed.
  private mutating func receive() async throws -> Bool {
    guard !isClosed else { return false }
    switch try await player.next() {
    case .bytes(let bytes)?:
      unread.append(bytes)
      return true
    case .reset?: throw Client.TransportFailure.reset
    case .cut?: break
    // The script has ended and leaves the connection open.
    case nil: try await WirePlayer.waitForCancellation()
    }
    isClosed = true
    return false
  }
}
