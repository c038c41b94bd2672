#if !canImport(FoundationNetworking)
  import Foundation

  /// The writing end of a stream pair; a session reads from the other end.
  struct URLSessionStream: UploadPump.Sink {
    /// The size of the buffer between both ends, in bytes.
    private static let size = 64 * 1024

    // Used by a single session.
    nonisolated(unsafe) let input: InputStream
    // Used on the queue only.
    nonisolated(unsafe) private let output: OutputStream
    /// The queue for blocking writes: a task must not block until the buffer has room.
    private let queue = DispatchQueue(label: "Curlew.URLSessionStream")

    init?() {
      var (input, output): (InputStream?, OutputStream?)
      Stream.getBoundStreams(withBufferSize: Self.size, inputStream: &input, outputStream: &output)
      guard let input, let output else { return nil }
      (self.input, self.output) = (input, output)
      output.open()
    }

    func write(_ data: Data) async throws {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try self.writeNow(data) }) }
      }
    }

    private func writeNow(_ data: Data) throws {
      var rest = [UInt8](data)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBufferPointer { bytes in
          bytes.baseAddress.map { output.write($0, maxLength: bytes.count) } ?? 0
        }
        guard count > 0 else { throw CancellationError() }
        rest = rest.dropFirst(count)
      }
    }

    func close() { queue.async { output.close() } }
  }
#endif
