import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A body that `URLSession` reads while sending: a file or, on Apple's systems, data or a stream.
///
/// On Linux, a body that is not a file is written to a temporary file first: all sessions of a process share a
/// thread, which waiting for a body's bytes would block.
final class URLSessionUpload: Sendable {
  private enum Source: Sendable {
    case file(URL, isTemporary: Bool)
    case data(Data)
    case stream
  }

  private let source: Source
  private let body: OutgoingBody
  private let length: Int64?
  private let bytes: SentBytes
  private let pump = Mutex<UploadPump?>(nil)
  /// Called if a file can't be read.
  private let onFailure = Mutex<(@Sendable (any Error) -> Void)?>(nil)

  /// Creates an upload; on Linux, writes the body to a temporary file unless it is a file.
  ///
  /// - Throws: The error of the body's source; ``FileSystemError``.
  init(_ body: OutgoingBody) async throws {
    self.body = body
    if let file = body.file {
      (source, length) = (.file(file, isTemporary: false), body.length)
    } else {
      #if canImport(FoundationNetworking)
        let file = FileManager.default.temporaryDirectory.appending(
          path: "curlew-\(UUID().uuidString)")
        source = .file(file, isTemporary: true)
        length = try await Self.write(body, to: file)
      #else
        (source, length) = (body.data.map { .data($0) } ?? .stream, body.length)
      #endif
    }
    bytes = SentBytes(of: length, report: body.observer?())
  }

  deinit {
    if case .file(let file, isTemporary: true) = source {
      try? FileManager.default.removeItem(at: file)
    }
  }

  /// Returns the session's task.
  func task(for request: URLRequest, in session: URLSession) -> URLSessionDataTask {
    switch source {
    case .file(let file, _):
      #if canImport(FoundationNetworking)
        let size = length ?? 0
        let stream = URLSessionFileStream(file, size: size) { [weak self] error in
          self?.onFailure.withLock { $0 }?(error)
        }
        return session.dataTask(with: request.streaming(stream, length: size))
      #else
        return session.uploadTask(with: request, fromFile: file)
      #endif
    case .data(let data): return session.uploadTask(with: request, from: data)
    case .stream:
      #if canImport(FoundationNetworking)
        preconditionFailure("On Linux, URLSession uploads bodies from files only.")
      #else
        var request = request
        // Without the length, HTTP/1.1 uses chunks, which not every server accepts.
        if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
        return session.uploadTask(withStreamedRequest: request)
      #endif
    }
  }

  /// Sets the handlers for a failure of the body's source, and for the end of sending a stream of unknown length.
  func onEnd(
    failed: @escaping @Sendable (any Error) -> Void, sent: @escaping @Sendable () -> Void
  ) {
    onFailure.withLock { $0 = failed }
    guard case .stream = source else { return }
    let pump = UploadPump(body) { [bytes] result in
      switch result {
      case .success(let length): if bytes.end(at: length) { sent() }
      case .failure(let error): failed(error)
      }
    }
    self.pump.withLock { $0 = pump }
  }

  /// Starts writing the stream into a sink; returns whether writing has started.
  func start(into sink: some UploadPump.Sink) -> Bool {
    bytes.restart()
    return pump.withLock { $0 }?.start(into: sink) ?? false
  }

  /// Stops writing the stream.
  func stop() { pump.withLock { $0 }?.stop() }

  private static func write(_ original: OutgoingBody, to file: URL) async throws -> Int64 {
    var body = original
    body.observer = nil
    var size: Int64 = 0
    do {
      // Readable by this user only: the file may contain secrets.
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

  /// Records sent bytes; returns whether the whole body is sent.
  func sent(_ count: Int) -> Bool { bytes.add(count) }
}

/// Writes a body chunk by chunk into the stream from which a session reads.
final class UploadPump: Sendable {
  /// The writing end of a stream.
  protocol Sink: Sendable {
    /// Writes all of the bytes; waits until the stream has room.
    func write(_ data: Data) async throws
    /// Ends the stream.
    func close()
  }

  private struct State {
    var task: Task<Void, Never>?
    var isStarted = false
    var isStopped = false
  }

  private let body: OutgoingBody
  private let onEnd: @Sendable (Result<Int64, any Error>) -> Void
  private let state = Mutex(State())

  /// - Parameter onEnd: Called at the end with the number of bytes written, or with the error of the body's source.
  init(
    _ body: OutgoingBody, onEnd: @escaping @Sendable (Result<Int64, any Error>) -> Void
  ) {
    var body = body
    // The session reports the sent bytes.
    body.observer = nil
    (self.body, self.onEnd) = (body, onEnd)
  }

  /// Starts writing; stops writing into the previous sink, which the session has dropped.
  ///
  /// - Returns: Whether writing has started; a body that can be read only once is not sent again.
  func start(into sink: some Sink) -> Bool {
    state.withLock { state in
      guard !state.isStopped, !state.isStarted || body.isRepeatable else { return false }
      state.isStarted = true
      state.task?.cancel()
      state.task = Task { [body, onEnd] in
        defer { sink.close() }
        var length: Int64 = 0
        do {
          for try await chunk in body {
            try Task.checkCancellation()
            do { try await sink.write(chunk) } catch { return }
            length += Int64(chunk.count)
          }
          if !Task.isCancelled { onEnd(.success(length)) }
        } catch {
          // Only errors of the source are reported: a session with a failed sink has ended itself.
          if !Task.isCancelled { onEnd(.failure(error)) }
        }
      }
      return true
    }
  }

  /// Stops writing.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.task?.cancel()
    }
  }
}
