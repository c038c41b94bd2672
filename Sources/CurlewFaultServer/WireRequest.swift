public import Foundation
import HTTPTypes

/// A request as received on a connection.
public struct WireRequest: Sendable, Hashable {
  /// A header field, spelled as received.
  public struct Field: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The value, without surrounding whitespace.
    public let value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }

    /// The field as in a head: `Name: value`.
    public var description: String { "\(name): \(value)" }
  }

  /// The request line as received: `GET /users?page=2 HTTP/1.1`.
  public let line: String
  /// The method.
  public let method: String
  /// The request target as received: path and query, percent-encoded.
  public let target: String
  /// The HTTP version: `HTTP/1.1` or `HTTP/1.0`.
  public let version: String
  /// The header fields, in order.
  public let fields: [Field]
  /// The number of the connection that the request arrived on, from 0.
  public let connection: Int
  /// The body, without its framing.
  public internal(set) var body = Data()
  /// The size of each chunk of the body in bytes; `nil` for a body that was not chunked.
  public internal(set) var chunks: [Int]?
  /// The trailer fields of a chunked body.
  public internal(set) var trailers: [Field] = []

  /// The target without its query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Returns the values of a field, in order.
  public func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The values of a field, joined by commas; `nil` if the request has no such field.
  public subscript(name: String) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Parses a request head; returns `nil` if it is not a valid HTTP/1 head.
  init?(head: String, connection: Int) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    line = String(lines.removeFirst())
    let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]) else { return nil }
    (method, target, version) = (parts[0], parts[1], parts[2])
    fields = lines.map(Field.init(line:))
    self.connection = connection
  }

  /// Whether the connection can carry another request.
  var keepsAlive: Bool {
    version == "HTTP/1.1" && self["Connection"]?.lowercased() != "close"
  }
}

extension WireRequest.Field {
  init(line: some StringProtocol) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    self.init(String(parts[0]), value)
  }
}
