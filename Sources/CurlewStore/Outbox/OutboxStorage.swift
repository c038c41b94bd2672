public import Foundation
import Synchronization

/// A storage of actions, which several processes may share.
///
/// The functions are called while the store holds a lock, and must not call the store.
public protocol OutboxStorage: Sendable {
  /// Returns all records, in the order in which they were appended, by any process.
  func all() throws -> [OutboxRecord]

  /// Makes changes permanent before it returns: all of them, or none if it throws.
  func apply(_ changes: [OutboxChange]) throws

  /// Acquires the lease, which at most one storage object of all processes has, until it is released or its process
  /// ends; returns `false` if another one has it.
  func acquireLease() throws -> Bool

  /// Releases the lease.
  func releaseLease()
}

/// An action in an ``OutboxStorage``.
public struct OutboxRecord: Sendable, Equatable {
  /// The id of the action.
  public let id: UUID
  /// The encoded action.
  public let data: Data

  /// Creates a record.
  public init(id: UUID, data: Data) { (self.id, self.data) = (id, data) }
}

/// A change of an ``OutboxStorage``.
public enum OutboxChange: Sendable, Equatable {
  /// Adds a record after all others.
  case append(OutboxRecord)
  /// Replaces a record with the same id, which keeps its position; does nothing if there is none.
  case replace(OutboxRecord)
  /// Removes a record; does nothing if there is none.
  case remove(UUID)

  var id: UUID {
    switch self {
    case .append(let record), .replace(let record): record.id
    case .remove(let id): id
    }
  }
}

extension [OutboxRecord] {
  mutating func apply(_ change: OutboxChange) {
    switch change {
    case .append(let record): append(record)
    case .replace(let record):
      if let index = firstIndex(where: { $0.id == record.id }) { self[index] = record }
    case .remove(let id): removeAll { $0.id == id }
    }
  }
}

/// Keeps records until the process ends.
final class MemoryOutbox: OutboxStorage {
  private let records = Mutex<[OutboxRecord]>([])

  func all() -> [OutboxRecord] { records.withLock { $0 } }

  func apply(_ changes: [OutboxChange]) {
    records.withLock { records in for change in changes { records.apply(change) } }
  }

  func acquireLease() -> Bool { true }
  func releaseLease() {}
}
