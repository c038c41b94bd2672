import Curlew
import Foundation
import HTTPTypes

/// A challenge of the Digest scheme (RFC 7616 section 3.3).
struct DigestChallenge: Sendable {
  /// A hash algorithm of Digest authentication (RFC 7616 section 6.1).
  struct Algorithm: Sendable {
    /// The name as the server wrote it; `nil` if it wrote none.
    let name: String?
    let hash: HashName
    /// Whether the hash of the password is one for a nonce: the name ends in `-sess`.
    let isSession: Bool
    /// A larger number for a stronger algorithm.
    let strength: Int

    /// Returns `nil` if the algorithm is not supported.
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
  /// Whether nonces are counted (`qop=auth`); `false` for a server that knows only RFC 2069.
  let countsNonces: Bool
  /// Whether the server reads UTF-8.
  let isUTF8: Bool

  /// Returns `nil` if the challenge is of another scheme, or is not supported.
  init?(_ challenge: AuthenticationChallenge) {
    let parameters = challenge.parameters
    guard challenge.scheme == "digest", let realm = parameters["realm"],
      let nonce = parameters["nonce"], let algorithm = Algorithm(parameters["algorithm"])
    else { return nil }
    (self.realm, self.nonce, self.algorithm) = (realm, nonce, algorithm)
    opaque = parameters["opaque"]
    isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
    let offered = parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    countsNonces = offered != nil
    // `auth-int`, which protects the body as well, is not supported: few servers ask for it alone.
    if let offered, !offered.contains("auth") { return nil }
    // A session's hash takes a client nonce, which a server of RFC 2069 does not get.
    if algorithm.isSession, !countsNonces { return nil }
  }

  /// Returns the strongest supported challenge of a response, the first of equal ones; `nil` if
  /// there is none.
  static func strongest(in fields: HTTPFields) -> DigestChallenge? {
    fields[values: .wwwAuthenticate]
      .flatMap { AuthenticationChallenge.challenges(in: $0) }.compactMap { DigestChallenge($0) }
      .max { $0.algorithm.strength < $1.algorithm.strength }
  }
}
