import Curlew
import Foundation
import HTTPTypes

/// A challenge of the Digest scheme (RFC 7616 section 3.3).
struct DigestChallenge: Sendable {
  /// A hash algorithm of Digest authentication (RFC 7616 section 6.1).
  struct Algorithm: Sendable {
    /// The name as the server sent it; `nil` if it sent none.
    let name: String?
    let hash: HashName
    /// Whether the hash of the password includes a nonce: the name ends in `-sess`.
    let isSession: Bool
    /// The strength: larger for a stronger algorithm.
    let strength: Int

    /// Creates an algorithm from its name; `nil` if it is not supported.
    init?(_ name: String?) {
      self.name = name
      let lowercased = (name ?? "MD5").lowercased()
      isSession = lowercased.hasSuffix("-sess")
      switch isSession ? String(lowercased.dropLast(5)) : lowercased {
      case "md5": (hash, strength) = (.md5, 0)
      case "sha-256": (hash, strength) = (.sha256, 1)
      default: return nil
      }
    }
  }

  let realm: String
  let nonce: String
  let opaque: String?
  let algorithm: Algorithm
  /// Whether nonces are counted (`qop=auth`); `false` for a server that supports only RFC 2069.
  let countsNonces: Bool
  /// Whether the server accepts UTF-8.
  let isUTF8: Bool

  /// Creates a Digest challenge; `nil` if the challenge has another scheme or is not supported.
  init?(_ challenge: AuthenticationChallenge) {
    let parameters = challenge.parameters
    guard challenge.scheme == "digest", let realm = parameters["realm"],
      let nonce = parameters["nonce"], let algorithm = Algorithm(parameters["algorithm"])
    else { return nil }
    (self.realm, self.nonce, self.algorithm) = (realm, nonce, algorithm)
    opaque = parameters["opaque"]
    isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
    let offered = parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    // Servers of RFC 2069 may send an empty list.
    countsNonces = offered?.isEmpty == false
    // `auth-int`, which protects the body as well, is not supported: few servers require it.
    if countsNonces, offered?.contains("auth") != true { return nil }
    // A session's hash includes a client nonce, which is not sent to an RFC 2069 server.
    if algorithm.isSession, !countsNonces { return nil }
  }

  /// Returns the strongest supported challenge of a response, and the first of several equally
  /// strong challenges; `nil` if there is none.
  static func strongest(in fields: HTTPFields) -> DigestChallenge? {
    fields[values: .wwwAuthenticate]
      .flatMap { AuthenticationChallenge.challenges(in: $0) }.compactMap { DigestChallenge($0) }
      .max { $0.algorithm.strength < $1.algorithm.strength }
  }
}
