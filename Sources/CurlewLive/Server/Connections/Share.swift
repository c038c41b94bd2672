/// The connections or sessions that one limit counts, by client.
struct Share<ID: Hashable & Sendable>: Sendable {
  private(set) var count = 0
  private(set) var clients: [IPAddress: Set<ID>] = [:]

  /// - Parameter client: The client; `nil` to increase only the total.
  mutating func insert(_ id: ID, of client: IPAddress?) {
    count += 1
    if let client { clients[client, default: []].insert(id) }
  }

  mutating func remove(_ id: ID, of client: IPAddress?) {
    count -= 1
    guard let client else { return }
    clients[client]?.remove(id)
    if clients[client]?.isEmpty ?? false { clients[client] = nil }
  }

  func number(of client: IPAddress?) -> Int { client.flatMap { clients[$0]?.count } ?? 0 }

  /// The client with the most connections or sessions.
  var largest: IPAddress? { clients.max { $0.value.count < $1.value.count }?.key }
}
