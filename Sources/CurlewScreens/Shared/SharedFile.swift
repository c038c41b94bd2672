import Foundation
import Synchronization

/// The file of a shared value: read once, and written by one task at a time, which skips values that are not the newest.
final class SharedFile<Value: Sendable>: Sendable {
  private struct State {
    var next: Value?
    var isWriting = false
  }

  /// The values that are not in the file.
  let pending = PendingWork()
  private let file: URL
  private let state = Mutex(State())
  private let decode: @Sendable (Data) throws -> Value
  private let encode: @Sendable (Value) throws -> Data
  private let report: @Sendable (any Error) -> Void

  init(_ file: URL, report: @escaping @Sendable (any Error) -> Void) where Value: Codable {
    (self.file, self.report) = (file, report)
    decode = { try JSONDecoder().decode(Value.self, from: $0) }
    encode = { try JSONEncoder().encode($0) }
  }

  /// Returns the value in the file; `nil` where there is none, or one that can't be read, which is set aside.
  func read() -> Value? {
    do {
      return try decode(Data(contentsOf: file))
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    } catch {
      report(error)
      let aside = file.appendingPathExtension("damaged")
      try? FileManager.default.removeItem(at: aside)
      try? FileManager.default.moveItem(at: file, to: aside)
      return nil
    }
  }

  /// Writes a value soon, instead of one that waits.
  func write(_ value: Value) {
    let isFirst = state.withLock { state in
      defer { (state.next, state.isWriting) = (value, true) }
      return !state.isWriting
    }
    guard isFirst else { return }
    pending.enter()
    Task { @concurrent in
      while let value = next() { save(value) }
      pending.leave()
    }
  }

  private func next() -> Value? {
    state.withLock { state in
      let value = state.next.take()
      if value == nil { state.isWriting = false }
      return value
    }
  }

  private func save(_ value: Value) {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Beside it, under one name: a process that is killed leaves no more than that.
      let new = file.appendingPathExtension("new")
      try encode(value).write(to: new)
      guard rename(new.path, file.path) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
    } catch {
      report(error)
    }
  }
}
