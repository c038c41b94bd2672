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

  /// What the response protects (the quality of protection).
  enum Protection: String, Sendable {
    /// The request's method and URI.
    case auth
    /// The body as well.
    case authInt = "auth-int"
  }

  let realm: String
  /// Replaced when a response names the next one.
  var nonce: String
  let opaque: String?
  let algorithm: Algorithm
  /// `nil` for a server that knows only RFC 2069.
  let protection: Protection?
  /// Whether the server reads UTF-8.
  let isUTF8: Bool
  /// Whether the server wants a hash instead of the user's name.
  let hashesUser: Bool
  /// The URIs that the credentials are for; empty for all of the server.
  let domain: [String]

  /// Returns `nil` if the challenge is of another scheme, or is not supported.
  init?(_ challenge: AuthenticationChallenge) {
    let parameters = challenge.parameters
    guard challenge.scheme == "digest", let realm = parameters["realm"],
      let nonce = parameters["nonce"], let algorithm = Algorithm(parameters["algorithm"])
    else { return nil }
    (self.realm, self.nonce, self.algorithm) = (realm, nonce, algorithm)
    opaque = parameters["opaque"]
    isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
    hashesUser = parameters["userhash"]?.lowercased() == "true"
    domain = (parameters["domain"] ?? "").split(separator: " ").map { String($0) }
    if let offered = parameters["qop"] {
      let names = offered.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
      // The weaker one first: `auth-int` reads the body twice, and few servers check it.
      let known = [Protection.auth, .authInt].first { names.contains($0.rawValue[...]) }
      guard let known else { return nil }
      protection = known
    } else {
      protection = nil
    }
    // A session's hash takes a client nonce, which a server of RFC 2069 does not get.
    if algorithm.isSession, protection == nil { return nil }
  }

  /// Returns the strongest supported challenge of a response, the first of equal ones; `nil` if
  /// there is none.
  static func strongest(in fields: HTTPFields) -> DigestChallenge? {
    let challenges = fields[values: .wwwAuthenticate]
      .flatMap { AuthenticationChallenge.challenges(in: $0) }.compactMap { DigestChallenge($0) }
    return challenges.dropFirst().reduce(challenges.first) { best, one in
      guard let best, best.algorithm.strength >= one.algorithm.strength else { return one }
      return best
    }
  }

  /// Returns whether the credentials are for a path of an origin (RFC 7616 section 3.3, `domain`).
  func covers(_ path: String, of origin: String) -> Bool {
    domain.isEmpty
      || domain.contains { uri in
        let prefix = uri.hasPrefix(origin) ? String(uri.dropFirst(origin.count)) : uri
        return prefix.isEmpty || prefix.hasPrefix("/") && path.hasPrefix(prefix)
      }
  }
}
