/// The connections or sessions that one limit counts, by client or by visitor.
struct Share<ID: Hashable & Sendable, Client: Hashable & Sendable>: Sendable {
  private(set) var count = 0
  private(set) var clients: [Client: Set<ID>] = [:]

  /// - Parameter client: The client; `nil` to increase only the total.
  mutating func insert(_ id: ID, of client: Client?) {
    count += 1
    if let client { clients[client, default: []].insert(id) }
  }

  mutating func remove(_ id: ID, of client: Client?) {
    count -= 1
    guard let client else { return }
    clients[client]?.remove(id)
    if clients[client]?.isEmpty ?? false { clients[client] = nil }
  }

  func number(of client: Client?) -> Int { client.flatMap { clients[$0]?.count } ?? 0 }

  /// The client with the most connections or sessions.
  var largest: Client? { clients.max { $0.value.count < $1.value.count }?.key }
}
