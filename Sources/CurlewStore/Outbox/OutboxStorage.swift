public import Foundation
import Synchronization

/// A storage of actions, which several processes may share.
///
/// The functions are called while the store holds a lock, and must not call the store.
public protocol OutboxStorage: Sendable {
  /// Returns all records, in the order in which they were appended, by any process.
  func all() throws -> [OutboxRecord]

  /// Returns a number that each change by any process increases by one, so that records that have not changed are not
  /// read again; `nil`, the default, if they must be.
  func version() throws -> Int?

  /// Makes changes permanent before it returns: all of them, or none if it throws.
  func apply(_ changes: [OutboxChange]) throws

  /// Acquires the lease, which at most one storage object of all processes has, until it is released or its process
  /// ends; returns `false` if another one has it.
  func acquireLease() throws -> Bool

  /// Releases the lease.
  func releaseLease()
}

extension OutboxStorage {
  /// Returns `nil`: the records are always read again.
  public func version() throws -> Int? { nil }
}

/// An action in an ``OutboxStorage``.
public struct OutboxRecord: Identifiable, Sendable, Equatable {
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

extension OrderedItems<OutboxRecord> {
  mutating func apply(_ change: OutboxChange) {
    switch change {
    case .append(let record): self[record.id] = record
    case .replace(let record): if self[record.id] != nil { self[record.id] = record }
    case .remove(let id): self[id] = nil
    }
  }
}

/// Keeps records until the process ends.
final class MemoryOutbox: OutboxStorage {
  private let state = Mutex((records: OrderedItems<OutboxRecord>(), version: 0))

  func all() -> [OutboxRecord] { state.withLock { $0.records.all } }
  func version() -> Int? { state.withLock { $0.version } }

  func apply(_ changes: [OutboxChange]) {
    state.withLock { state in
      for change in changes { state.records.apply(change) }
      state.version += changes.count
    }
  }

  func acquireLease() -> Bool { true }
  func releaseLease() {}
}
