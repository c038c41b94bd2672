import Dispatch
import Foundation
import GRDB
import Synchronization

/// The file of a cache: opened when it is needed first, and replaced when it is damaged.
final class CacheFile: Sendable {
  /// A response that does not fit, or that was removed while it was stored; its transaction is rolled back.
  struct NotStored: Error {}

  struct State {
    var database: CacheDatabase?
    /// Whether the file must be deleted before it is opened.
    var mustDelete = false
    /// When a file that could not be opened is tried again.
    var nextTry = Date.distantPast
    var reported: Set<SQLiteCacheProblem.Kind> = []
    var purges = 0
  }

  let files: CacheFiles
  private let now: @Sendable () -> Date
  private let report: @Sendable (SQLiteCacheProblem) -> Void
  let state = Mutex(State())
  // Opening and renaming may wait for other processes: not on a thread of Swift's pool, which are few.
  let queue = DispatchQueue(label: "Curlew's cache")

  init(
    _ url: URL, now: @escaping @Sendable () -> Date,
    report: @escaping @Sendable (SQLiteCacheProblem) -> Void
  ) {
    files = CacheFiles(url)
    (self.now, self.report) = (now, report)
  }

  /// How often all entries, or those of an account, were removed.
  var purges: Int { state.withLock { $0.purges } }

  /// Returns the open database; `nil` if it can't be opened.
  func database() async -> CacheDatabase? {
    if let database = current { return database }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.current ?? self.open()) }
    }
  }

  /// The open database, unless another process has renamed its file, or somebody has deleted it.
  private var current: CacheDatabase? {
    guard let database = state.withLock({ $0.database }) else { return nil }
    if database.isCurrent { return database }
    forget(database)
    return nil
  }

  @discardableResult
  func forget(_ database: CacheDatabase) -> Bool {
    let old = state.withLock { state in
      state.database === database ? state.database.take() : nil
    }
    // Released outside the lock, which closes it.
    return old != nil
  }

  private func open() -> CacheDatabase? {
    let (nextTry, mustDelete) = state.withLock { ($0.nextTry, $0.mustDelete) }
    guard now() >= nextTry else { return nil }
    do {
      try files.createFolder()
      let database = try files.locked {
        if mustDelete { try files.delete() }
        do {
          return try CacheDatabase(files)
        } catch {
          try replace(error)
          return try CacheDatabase(files)
        }
      }
      state.withLock { state in
        state.database = database
        state.mustDelete = false
      }
      return database
    } catch {
      state.withLock { $0.nextTry = now().addingTimeInterval(60) }
      tell(.unusable, reason: "\((error as? CacheFiles.Failure)?.reason ?? "\(error)")")
      return nil
    }
  }

  /// Renames a file with such an error; throws the error if it does not come from the file's content.
  private func replace(_ error: any Error) throws {
    switch Trouble(error) {
    case .damaged(let reason):
      tell(.damaged, copy: try files.setAside(as: .damaged, now: now()), reason: reason)
    case .newer:
      tell(
        .newer, copy: try files.setAside(as: .newer, now: now()),
        reason: "its format is not known")
    case .unwritable:
      guard let damage = CacheDatabase.damage(in: files) else { throw error }
      try replace(damage)
    case .passing: throw error
    }
  }

  // MARK: Trouble

  /// Handles an error of reading or writing.
  func failed(_ error: any Error, _ database: CacheDatabase) async {
    switch Trouble(error) {
    case .passing: break
    // A connection that is opened while another process renames the file finds none: that passes.
    case .unwritable(let reason): if database.isCurrent { tell(.unwritable, reason: reason) }
    case .damaged, .newer:
      await withCheckedContinuation { continuation in
        queue.async {
          self.setAside(database, error)
          continuation.resume()
        }
      }
    }
  }

  private func setAside(_ database: CacheDatabase, _ error: any Error) {
    guard forget(database) else { return }
    do {
      try files.locked {
        // Another process may have seen the damage first: the file there now is a new one.
        guard database.isCurrent else { return }
        try replace(error)
      }
    } catch {
      // It is tried again when it is opened.
      tell(.unusable, reason: "\((error as? CacheFiles.Failure)?.reason ?? "\(error)")")
    }
  }

  func tell(_ kind: SQLiteCacheProblem.Kind, copy: String? = nil, reason: String) {
    let isNew = state.withLock { $0.reported.insert(kind).inserted }
    guard isNew || copy != nil || kind == .discarded else { return }
    report(SQLiteCacheProblem(kind, files.path, copy: copy, reason: reason))
  }
}
