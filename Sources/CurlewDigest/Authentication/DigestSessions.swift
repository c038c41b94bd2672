import Synchronization

/// The challenges that servers have sent, each with how often its nonce was used.
final class DigestSessions: Sendable {
  /// One use of a nonce.
  struct Use: Sendable {
    let challenge: DigestChallenge
    /// The client's nonce: the same one as long as the server's is, as `-sess` algorithms need it.
    let clientNonce: String
    /// The number of the use, from 1.
    var count: UInt32
  }

  /// More origins than a client has.
  private static let limit = 100

  private let sessions = Mutex<[String: Use]>([:])

  /// Returns the next use of a known nonce of an origin; `nil` without one.
  func next(of origin: String) -> Use? {
    sessions.withLock { sessions in
      guard var use = sessions[origin], use.count < .max else { return nil }
      use.count += 1
      sessions[origin] = use
      return use
    }
  }

  /// Remembers a challenge of an origin and returns the use of its nonce.
  func take(_ challenge: DigestChallenge, of origin: String, _ clientNonce: () -> String) -> Use {
    let fresh = clientNonce()
    return sessions.withLock { sessions in
      var use = Use(challenge: challenge, clientNonce: fresh, count: 0)
      // Requests at the same time may get the same nonce, of which each number counts once.
      if let known = sessions[origin], known.challenge.isSame(as: challenge), known.count < .max {
        use = known
      }
      use.count += 1
      if sessions.count >= Self.limit, sessions[origin] == nil { sessions = [:] }
      sessions[origin] = use
      return use
    }
  }

  /// Forgets a challenge whose credentials the server rejected.
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
