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

  /// The id of the changed record.
  public var id: UUID {
    switch self {
    case .append(let record), .replace(let record): record.id
    case .remove(let id): id
    }
  }
}

/// Records in the order in which they were appended.
struct OutboxRecords: Sendable {
  private var slots: [OutboxRecord?] = []
  private var indices: [UUID: Int] = [:]

  var all: [OutboxRecord] { slots.compactMap(\.self) }

  subscript(id: UUID) -> OutboxRecord? { indices[id].flatMap { slots[$0] } }

  mutating func apply(_ change: OutboxChange) {
    let index = indices[change.id]
    switch change {
    case .append(let record), .replace(let record):
      if let index {
        slots[index] = record
      } else if case .append = change {
        indices[record.id] = slots.count
        slots.append(record)
      }
    case .remove(let id):
      guard let index = indices.removeValue(forKey: id) else { return }
      slots[index] = nil
      if slots.count > 32, slots.count > 2 * indices.count {
        slots.removeAll { $0 == nil }
        for (index, record) in all.enumerated() { indices[record.id] = index }
      }
    }
  }
}

/// Keeps records until the process ends.
final class MemoryOutbox: OutboxStorage {
  private let records = Mutex(OutboxRecords())

  func all() -> [OutboxRecord] { records.withLock { $0.all } }

  func apply(_ changes: [OutboxChange]) {
    records.withLock { records in for change in changes { records.apply(change) } }
  }

  func acquireLease() -> Bool { true }
  func releaseLease() {}
}
