import Synchronization

/// Lets operations with equal keys that run at the same time share the outcome of one of them.
///
/// The first one leads and runs; the others wait for its outcome. One that waits is resumed with `nil` to
/// lead in its place.
final class SingleFlight<Key: Hashable & Sendable, Tag: Sendable, Outcome: Sendable>: Sendable {
  typealias Follower = Waiter<Outcome?>

  private struct Flight {
    /// What the leader wants its followers to know.
    var tag: Tag
    var followers: [Follower] = []
  }

  private let flights = Mutex<[Key: Flight]>([:])

  /// Joins the operation that runs, with its leader's tag; returns `nil` to the one that leads from now on.
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

  /// Ends a wait that was stopped.
  func leave(_ key: Key, _ follower: Follower) {
    flights.withLock { $0[key]?.followers.removeAll { $0 === follower } }
  }

  /// Tells later ones who leads now.
  func lead(_ key: Key, as tag: Tag) {
    flights.withLock { $0[key]?.tag = tag }
  }

  /// Ends the operation, and passes its outcome to all that wait.
  func finish(_ key: Key, _ outcome: Outcome) {
    let flight = flights.withLock { $0.removeValue(forKey: key) }
    for follower in flight?.followers ?? [] { follower.resume(with: .success(outcome)) }
  }

  /// Ends the leader without an outcome: the next one that waits leads.
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
