public import Curlew
import Foundation

/// A request, the value that a store keeps of its response, and the entities in the value.
///
/// ```swift
/// extension Repository {
///   static func entry(_ name: RepositoryName) -> StoreEntry<Repository> {
///     StoreEntry(GitHub.repository(name), entities: .one(\.self)) { Repository($0) }
///   }
/// }
/// ```
///
/// Entries with an equal request and the same type of value are the same entry. Define each entry once, as a function: of
/// two transforms, the first is used, and debug builds stop.
public struct StoreEntry<Value: Equatable & Sendable>: Sendable {
  typealias Load = (value: Value?, response: Client.Reading)

  let identity: @Sendable (Client) throws(Client.Error) -> Client.RequestIdentity
  /// Reads the stored response, of any age, or the current response; `known` is the identity of a body whose value is
  /// known.
  let load: @Sendable (Client, _ stored: Bool, _ known: UUID?) async throws -> Load?
  let entities: [EntityPath<Value>]
  private let fileID: StaticString
  private let line: UInt
  private(set) var tags: Set<String> = []
  private(set) var pollingInterval: Duration?

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of a `GET` or `HEAD` request; any other stops the process when the entry is used.
  ///   - entities: The locations of the entities in the value.
  ///   - transform: A closure that makes the value from the response; it must use only its argument.
  ///   - fileID: The file of the call, for messages about entries with the same key.
  ///   - line: The line of the call.
  public init<E: Endpoint>(
    _ endpoint: E, entities: EntityPath<Value>..., fileID: StaticString = #fileID,
    line: UInt = #line, transform: @escaping @Sendable (E.Response) throws -> Value
  ) {
    self.init(endpoint, entities, fileID, line) { try transform($0.value) }
  }

  /// Creates an entry whose value needs the response's head, such as its `Link` to the next page (RFC 8288).
  public init<E: Endpoint>(
    responseTo endpoint: E, entities: EntityPath<Value>..., fileID: StaticString = #fileID,
    line: UInt = #line, transform: @escaping @Sendable (Response<E.Response>) throws -> Value
  ) {
    self.init(endpoint, entities, fileID, line, transform)
  }

  private init<E: Endpoint>(
    _ endpoint: E, _ entities: [EntityPath<Value>], _ fileID: StaticString, _ line: UInt,
    _ transform: @escaping @Sendable (Response<E.Response>) throws -> Value
  ) {
    (self.entities, self.fileID, self.line) = (entities, fileID, line)
    identity = { client throws(Client.Error) in try client.identity(of: endpoint) }
    load = { client, isStored, known in
      guard
        let (response, reading) = try await client.read(endpoint, stored: isStored, unless: known)
      else { return nil }
      do {
        return (try response.map(transform), reading)
      } catch  where isStored {
        // The stored response may be from an older version of the app.
        return nil
      }
    }
  }

  var location: String { "\(fileID):\(line)" }

  /// Returns the same entry with a tag, by which several entries are invalidated together.
  public func tagged(_ tag: String) -> Self {
    var entry = self
    entry.tags.insert(tag)
    return entry
  }

  /// Returns the same entry, loaded again at an interval of at least a second while it has an active consumer, unless its
  /// response is fresh; of several intervals, the first applies.
  public func polled(every interval: Duration) -> Self {
    var entry = self
    entry.pollingInterval = max(.seconds(1), interval)
    return entry
  }
}
