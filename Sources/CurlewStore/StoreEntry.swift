public import Curlew
import Foundation

/// A request, and what becomes of its response: the value that a store keeps, and the entities in it.
///
/// ```swift
/// extension Repository {
///   static func entry(_ name: RepositoryName) -> StoreEntry<Repository> {
///     StoreEntry(GitHub.repository(name), entities: .one(\.self)) { Repository($0) }
///   }
/// }
/// ```
///
/// Entries with an equal request and the same type of value are one. Write each of them once, as a function: of two with
/// different transforms the first is used, and debug builds stop.
public struct StoreEntry<Value: Equatable & Sendable>: Sendable {
  typealias Load = (value: Value?, response: StoreResponse)

  let identity: @Sendable (Client) throws(Client.Error) -> Client.RequestIdentity
  /// Reads what is stored, of any age, or what is current; `known` is the identity of a body whose value is known.
  let load: @Sendable (Client, _ stored: Bool, _ known: UUID?) async throws -> Load?
  let entities: [EntityPath<Value>]
  let location: String
  private(set) var tags: Set<String> = []
  private(set) var pollingInterval: Duration?

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of a `GET` or `HEAD` request without a body; any other stops the process when the entry is
  ///     used.
  ///   - entities: Where entities are in the value.
  ///   - fileID: The file of the call, for messages about entries with the same key.
  ///   - line: The line of the call.
  ///   - transform: A closure that makes the value of the response; it uses nothing but its argument, because it is not
  ///     called again for the same response.
  public init<E: Endpoint>(
    _ endpoint: E, entities: EntityPath<Value>..., fileID: StaticString = #fileID,
    line: UInt = #line, transform: @escaping @Sendable (E.Response) throws -> Value
  ) {
    self.init(endpoint, entities, "\(fileID):\(line)") { try transform($0.value) }
  }

  /// Creates an entry whose value needs the response's head, such as its `Link` to the next page (RFC 8288).
  public init<E: Endpoint>(
    responseTo endpoint: E, entities: EntityPath<Value>..., fileID: StaticString = #fileID,
    line: UInt = #line, transform: @escaping @Sendable (Response<E.Response>) throws -> Value
  ) {
    self.init(endpoint, entities, "\(fileID):\(line)", transform)
  }

  init<E: Endpoint>(
    _ endpoint: E, _ entities: [EntityPath<Value>], _ location: @autoclosure () -> String,
    _ transform: @escaping @Sendable (Response<E.Response>) throws -> Value
  ) {
    self.entities = entities
    #if DEBUG
      self.location = location()
    #else
      self.location = ""
    #endif
    identity = { client throws(Client.Error) in try client.identity(of: endpoint) }
    load = { client, isStored, known in
      guard let reading = try await client.read(endpoint, stored: isStored, unless: known) else {
        return nil
      }
      let response = StoreResponse(
        id: reading.id, requestTime: reading.requestTime, asOf: reading.asOf,
        timeToLive: reading.timeToLive, size: reading.size)
      do {
        return (try reading.response.map(transform), response)
      } catch  where isStored {
        // What is stored may be of an older version of the app.
        return nil
      }
    }
  }

  /// Returns the same entry with a tag, by which several entries are invalidated together.
  public func tagged(_ tag: String) -> Self {
    var entry = self
    entry.tags.insert(tag)
    return entry
  }

  /// Returns the same entry, loaded again at an interval while somebody looks at it.
  ///
  /// A response that is still fresh is not asked for again. The interval of the entry that was looked at first counts.
  ///
  /// - Parameter interval: The interval; at least a second.
  public func polled(every interval: Duration) -> Self {
    var entry = self
    entry.pollingInterval = max(.seconds(1), interval)
    return entry
  }
}
