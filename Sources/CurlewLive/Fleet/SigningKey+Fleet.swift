import Foundation
import HTTPTypes
import NIOCore

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

extension SigningKey {
  private static let idLength = 32
  private static let serverLength = 16
  /// The time that a forwarded request is valid, in seconds: the clocks of two servers may differ by it.
  private static let forwardingTime = 60

  /// Returns a closure for new session ids that name the session's server: random digits, the server's, and their signature.
  func sessionIDs(of server: String, at path: String) -> @Sendable () -> String {
    {
      let name = String.newSessionID() + server
      return name + signature(of: ["session", path, name])
    }
  }

  /// Returns the server that a session id names; `nil` if this key has not signed the id.
  func server(of id: String, at path: String) -> String? {
    let name = id.prefix(Self.idLength + Self.serverLength)
    guard signature(of: ["session", path, String(name)]).isSame(as: id.dropFirst(name.count)) else {
      return nil
    }
    return String(name.dropFirst(Self.idLength))
  }

  /// Returns a name of the visitor with an id that reveals nothing without the key.
  func name(ofVisitor id: String) -> String { signature(of: ["visitor", id]) }

  /// Returns a name of the screen that all visitors of a page share, which differs for each key.
  func name(ofScreenAt path: String) -> String { signature(of: ["screen", path]) }

  /// Whether a request was forwarded to a server by another one with this key, a moment ago.
  func isForwarded(_ head: HTTPRequest, _ body: ByteBuffer, to server: String) -> Bool {
    guard let value = head.headerFields[.liveForwarded],
      let time = Int(value.prefix { $0 != "." }),
      (seconds - Self.forwardingTime...seconds + Self.forwardingTime).contains(time)
    else { return false }
    return forwarding(head, body, to: server, at: time).isSame(as: value)
  }

  /// Returns the signature of a request that is forwarded to a server, with its time in seconds; by default, now.
  func forwarding(
    _ head: HTTPRequest, _ body: ByteBuffer, to server: String, at time: Int? = nil
  ) -> String {
    let time = time ?? seconds
    var parts = [
      "forwarded", server, "\(time)", head.method.rawValue, head.authority ?? "", head.path ?? "",
    ]
    // The order of fields with different names has no meaning (RFC 9110 section 5.3).
    parts += HTTPFields.forwarded(head.headerFields).map { "\($0.name.canonicalName):\($0.value)" }
      .sorted()
    return "\(time)." + signature(of: parts, body)
  }

  private var seconds: Int { Int(date().timeIntervalSince1970) }

  /// Returns 128 bits of the signature of texts and bytes, in hexadecimal digits.
  private func signature(of parts: [String], _ bytes: ByteBuffer = ByteBuffer()) -> String {
    // A page's path, with which the texts begin that this key signs for browsers, begins with a slash.
    let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    return Self.digits(of: code(for: Data(text.utf8) + Data(bytes.readableBytesView)).prefix(16))
  }
}

extension String {
  /// Compares texts in a time that does not depend on where they differ.
  fileprivate func isSame(as other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension HTTPFields {
  /// Returns the fields of a message that a server forwards: without those of the connection (RFC 9110 section 7.6.1).
  static func forwarded(_ fields: HTTPFields) -> HTTPFields {
    HTTPFields(fields.filter { !connectionFields.contains($0.name.canonicalName) })
  }

  private static let connectionFields: Set<String> = [
    "connection", "content-length", "date", "expect", "keep-alive", "live-forwarded", "te",
    "trailer", "transfer-encoding", "upgrade",
  ]
}
