import Synchronization

/// The challenges of servers, each with the number of uses of its nonce.
final class DigestSessions: Sendable {
  /// One use of a nonce.
  struct Use: Sendable {
    let challenge: DigestChallenge
    /// The client's nonce; it changes only with the server's nonce, as `-sess` algorithms require.
    let clientNonce: String
    /// The number of the use, from 1.
    var count: UInt32
  }

  /// The maximum number of origins: more than a client has.
  private static let limit = 100

  private let sessions = Mutex<[String: Use]>([:])

  /// Returns the next use of a known nonce of an origin; `nil` if there is none.
  func next(of origin: String) -> Use? {
    sessions.withLock { sessions in
      guard var use = sessions[origin], use.count < .max else { return nil }
      use.count += 1
      sessions[origin] = use
      return use
    }
  }

  /// Stores a challenge of an origin and returns the use of its nonce.
  func take(_ challenge: DigestChallenge, of origin: String, _ clientNonce: () -> String) -> Use {
    let fresh = clientNonce()
    return sessions.withLock { sessions in
      var use = Use(challenge: challenge, clientNonce: fresh, count: 0)
      // Concurrent requests may get the same nonce, with which each number may be used only once.
      if let known = sessions[origin], known.challenge.isSame(as: challenge), known.count < .max {
        use = known
      }
      use.count += 1
      if sessions.count >= Self.limit, sessions[origin] == nil { sessions = [:] }
      sessions[origin] = use
      return use
    }
  }

  /// Removes a challenge whose credentials the server rejected.
  func forget(_ use: Use, of origin: String) {
    sessions.withLock { sessions in
      guard sessions[origin]?.challenge.isSame(as: use.challenge) == true else { return }
      sessions[origin] = nil
    }
  }
}

extension DigestChallenge {
  fileprivate func isSame(as other: DigestChallenge) -> Bool {
    nonce == other.nonce && realm == other.realm && algorithm.name == other.algorithm.name
      && countsNonces == other.countsNonces
  }
}
