import Synchronization

/// Lets concurrent operations with equal keys share the outcome of a single operation.
///
/// The first operation is the leader and runs; the followers wait for its outcome. A follower that is
/// resumed with `nil` becomes the leader.
final class SingleFlight<Key: Hashable & Sendable, Tag: Sendable, Outcome: Sendable>: Sendable {
  typealias Follower = Waiter<Outcome?>

  private struct Flight {
    /// The leader's information for its followers.
    var tag: Tag
    var followers: [Follower] = []
  }

  private let flights = Mutex<[Key: Flight]>([:])

  /// Joins the running operation and returns its leader's tag; returns `nil` if the caller becomes the
  /// leader.
  func join(_ key: Key, as tag: Tag) -> (follower: Follower, leader: Tag)? {
    flights.withLock { flights in
      guard let flight = flights[key] else {
        flights[key] = Flight(tag: tag)
        return nil
      }
      let follower = Follower()
      flights[key]?.followers.append(follower)
      return (follower, flight.tag)
    }
  }

  /// Removes a follower whose wait was stopped.
  func removeFollower(_ key: Key, _ follower: Follower) {
    flights.withLock { $0[key]?.followers.removeAll { $0 === follower } }
  }

  /// Sets the tag of the new leader, for later followers.
  func lead(_ key: Key, as tag: Tag) {
    flights.withLock { $0[key]?.tag = tag }
  }

  /// Ends the operation, and passes its outcome to all followers.
  func finish(_ key: Key, _ outcome: Outcome) {
    let flight = flights.withLock { $0.removeValue(forKey: key) }
    for follower in flight?.followers ?? [] { follower.resume(with: .success(outcome)) }
  }

  /// Ends the leader's operation without an outcome: the next follower becomes the leader.
  func handOver(_ key: Key) {
    while true {
      let follower = flights.withLock { flights -> Follower? in
        guard flights[key]?.followers.isEmpty == false else {
          flights[key] = nil
          return nil
        }
        return flights[key]?.followers.removeFirst()
      }
      guard let follower else { return }
      if follower.resume(with: .success(nil)) { return }
    }
  }
}
