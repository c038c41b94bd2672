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

  /// Returns the value in the file; `nil` when there is no file, or when it has no value, and is then renamed.
  ///
  /// - Throws: The error when there is a file, but it can't be read.
  func read() throws -> Value? {
    let target = target
    do {
      let data = try Data(contentsOf: target)
      do {
        return try decode(data)
      } catch {
        report(error)
        // An earlier damaged file stays.
        for name in ["damaged", "\(UUID()).damaged"] {
          let aside = target.appendingPathExtension(name)
          if (try? FileManager.default.moveItem(at: target, to: aside)) != nil { break }
        }
      }
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {}
    return nil
  }

  /// The file that symbolic links lead to, which may not exist yet: replacing the file must not replace a link.
  private var target: URL {
    var path = file.path
    // The system follows at most 40 links, too (`ELOOP`).
    for _ in 0..<40 {
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      let folder = URL(filePath: path).deletingLastPathComponent().path
      path = link.hasPrefix("/") ? link : folder + "/" + link
    }
    return URL(filePath: path)
  }

  /// Schedules a write of a value, which replaces a waiting value.
  func write(_ value: Value) {
    let isFirst = state.withLock { state in
      defer { (state.next, state.isWriting) = (value, true) }
      return !state.isWriting
    }
    guard isFirst else { return }
    pending.begin()
    Task { @concurrent in
      while let value = next() { save(value) }
      pending.end()
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
      let target = target
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      // A fixed name beside the file: a killed process leaves at most one temporary file.
      let new = target.appendingPathExtension("new")
      // Private before it has contents, which may be secret. Foundation's `createFile` would begin with a file of a random name.
      try? FileManager.default.removeItem(at: new)
      let descriptor = open(new.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      close(descriptor)
      try encode(value).write(to: new)
      guard rename(new.path, target.path) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
    } catch {
      report(error)
    }
  }
}
