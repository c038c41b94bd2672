public import Foundation
import HTTPTypes

/// A request as it came over a connection.
public struct WireRequest: Sendable, Hashable {
  /// A header field, spelled as it came.
  public struct Field: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The value, without the spaces around it.
    public let value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }

    /// As in a head: `Name: value`.
    public var description: String { "\(name): \(value)" }
  }

  /// The request line as it came: `GET /users?page=2 HTTP/1.1`.
  public let line: String
  /// The method.
  public let method: String
  /// The request target, not decoded: path and query.
  public let target: String
  /// `HTTP/1.1` or `HTTP/1.0`.
  public let version: String
  /// The header fields in their order.
  public let fields: [Field]
  /// Which of the server's connections it came on, from 0.
  public let connection: Int
  /// The body without its framing.
  public internal(set) var body = Data()
  /// How many bytes each chunk of the body had; `nil` for a body that was not chunked.
  public internal(set) var chunks: [Int]?
  /// The fields after a chunked body.
  public internal(set) var trailers: [Field] = []

  /// The target without its query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Returns the values of a field, in their order.
  public func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The values of a field, joined as a list; `nil` when it did not come.
  public subscript(name: String) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Reads a head; `nil` for one that is not a request's of HTTP/1.
  init?(head: String, connection: Int) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    line = String(lines.removeFirst())
    let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]) else { return nil }
    (method, target, version) = (parts[0], parts[1], parts[2])
    fields = lines.map(Field.init(line:))
    self.connection = connection
  }

  /// Whether its connection can carry a further request.
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
