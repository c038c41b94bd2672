import Foundation
import Synchronization

/// A body that `URLSession` reads from a file while it sends it.
///
/// Other bodies are written to a temporary file first. On Linux there is no other way: all sessions of a
/// process share one thread, which a body that is not there yet would block.
final class URLSessionUpload: Sendable {
  /// The file that is sent.
  let file: URL
  private let isTemporary: Bool
  private let length: Int64?
  private let progress: Mutex<Progress>

  private struct Progress {
    var sent: Int64 = 0
    // Called within the lock only.
    nonisolated(unsafe) var report: ((Int, Bool) -> Void)?
  }

  /// Creates an upload; writes the body to a temporary file unless it is one.
  ///
  /// - Throws: The error of the body's source; ``FileSystemError``.
  init(_ body: OutgoingBody) async throws {
    nonisolated(unsafe) let report = body.observer?()
    progress = Mutex(Progress(report: report))
    if let file = body.file {
      (self.file, isTemporary, length) = (file, false, body.length)
      return
    }
    file = FileManager.default.temporaryDirectory.appending(path: "curlew-\(UUID().uuidString)")
    isTemporary = true
    length = try await Self.write(body, to: file)
  }

  deinit {
    if isTemporary { try? FileManager.default.removeItem(at: file) }
  }

  private static func write(_ original: OutgoingBody, to file: URL) async throws -> Int64 {
    var body = original
    body.observer = nil
    var size: Int64 = 0
    do {
      // For this user only: it may contain secrets.
      guard
        FileManager.default.createFile(
          atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
      else { throw FileSystemError(.notPermitted, file.path, reason: "it can't be created") }
      let handle = try FileHandle(forWritingTo: file)
      for try await chunk in body {
        try FileSystemError.classifying(file.path) { try handle.write(contentsOf: chunk) }
        size += Int64(chunk.count)
      }
      try handle.close()
      try Task.checkCancellation()
      return size
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  /// Records bytes that were sent; returns whether they were the last ones.
  func sent(_ count: Int) -> Bool {
    progress.withLock { progress in
      progress.sent += Int64(count)
      progress.report?(count, false)
      let isComplete = progress.sent == length
      if isComplete { progress.report?(0, true) }
      return isComplete
    }
  }
}
