import CurlewJSON
import Foundation
import Synchronization

/// The file of a shared value: read once, and written by one task at a time, which skips outdated values.
final class SharedFile<Value: Sendable>: Sendable {
  private struct State {
    var next: Value?
    var isWriting = false
  }

  /// The pending writes to the file.
  let pending = PendingWork()
  private let file: URL
  private let state = Mutex(State())
  private let decode: @Sendable (Data) throws -> Value
  private let encode: @Sendable (Value) throws -> Data
  private let report: @Sendable (any Error) -> Void

  init(_ file: URL, report: @escaping @Sendable (any Error) -> Void) where Value: Codable {
    (self.file, self.report) = (file, report)
    decode = { try FastJSONDecoder().decode(Value.self, from: $0) }
    encode = { try JSONEncoder().encode($0) }
  }

  /// Returns the value in the file; `nil` when there is no file, or when it is unreadable, and is then renamed.
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

  /// Schedules a write of a value, which replaces a waiting value.
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
      // A fixed name beside the file: a killed process leaves at most one temporary file.
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
