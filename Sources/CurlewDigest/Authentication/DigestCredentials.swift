import Curlew
import Foundation

/// The value of an `Authorization` field of the Digest scheme (RFC 7616 section 3.4).
struct DigestCredentials {
  let user: String
  let password: Sensitive
  let nonce: DigestSessions.Use
  let method: String
  let uri: String

  private var challenge: DigestChallenge { nonce.challenge }
  private var count: String { Self.hex(withUnsafeBytes(of: nonce.count.bigEndian) { Data($0) }) }

  /// The field's value.
  var field: String {
    var parts = [userPart, "realm=\(Self.quoted(challenge.realm))", "uri=\(Self.quoted(uri))"]
    if let name = challenge.algorithm.name { parts.append("algorithm=\(name)") }
    parts.append("nonce=\(Self.quoted(challenge.nonce))")
    if challenge.countsNonces {
      parts += ["nc=\(count)", "cnonce=\(Self.quoted(nonce.clientNonce))", "qop=auth"]
    }
    parts.append("response=\(Self.quoted(response))")
    if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
    return "Digest " + parts.joined(separator: ", ")
  }

  private var userPart: String {
    // A server that does not announce UTF-8 may not support `username*` either.
    let isPlain = user.utf8.allSatisfy { 0x20...0x7E ~= $0 || !challenge.isUTF8 && $0 >= 0x80 }
    return isPlain
      ? "username=\(Self.quoted(user))" : "username*=UTF-8''\(Self.encoded(normalized(user)))"
  }

  /// The response to the challenge (RFC 7616 section 3.4.1; without counted nonces RFC 2069 section
  /// 2.1.2).
  private var response: String {
    var secret = hash(normalized(user), challenge.realm, normalized(password.value))
    if challenge.algorithm.isSession {
      secret = hash(secret, challenge.nonce, nonce.clientNonce)
    }
    let request = hash(method, uri)
    return challenge.countsNonces
      ? hash(secret, challenge.nonce, count, nonce.clientNonce, "auth", request)
      : hash(secret, challenge.nonce, request)
  }

  /// Returns a text in Unicode's normalization form C if the server announces UTF-8 (RFC 7616
  /// section 4).
  private func normalized(_ text: String) -> String {
    challenge.isUTF8 ? text.precomposedStringWithCanonicalMapping : text
  }

  private func hash(_ parts: String...) -> String {
    Self.hex(challenge.algorithm.hash.hash(Data(parts.joined(separator: ":").utf8)))
  }

  private static func hex(_ data: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// Returns the value of an extended parameter (RFC 8187 section 3.2.1).
  private static func encoded(_ text: String) -> String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    let plain = CharacterSet(charactersIn: letters + "!#$&+-.^_`|~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
