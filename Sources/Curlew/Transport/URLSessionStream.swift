import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if !canImport(FoundationNetworking)
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
#else
  /// A file as a stream, which a session on Linux reads while it sends.
  ///
  /// `URLSession` itself reads a file in the background, and pauses the transfer meanwhile. When the connection fails in
  /// such a pause, continuing the transfer ends the process (`_EasyHandle._PauseState.setState` in
  /// swift-corelibs-foundation). It never pauses for a stream.
  final class URLSessionFileStream: InputStream {
    private let file: URL
    private let onFailure: (any Error) -> Void
    private var chunks: FileChunks?
    private var unread = Data()
    /// The number of bytes that are not sent yet.
    private var rest: Int64

    /// - Parameters:
    ///   - size: The size of the file, in bytes.
    ///   - onFailure: Called with a ``FileSystemError`` if the file can't be read.
    init(_ file: URL, size: Int64, onFailure: @escaping (any Error) -> Void) {
      (self.file, self.onFailure, rest) = (file, onFailure, size)
      super.init(data: Data())
    }

    override var hasBytesAvailable: Bool { rest > 0 }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
      do {
        if unread.isEmpty {
          var chunks = try self.chunks ?? FileChunks(file, size: rest)
          unread = try chunks.next() ?? Data()
          self.chunks = chunks
        }
      } catch {
        onFailure(error)
        return -1
      }
      let count = min(unread.count, maxLength)
      unread.copyBytes(to: buffer, count: count)
      unread.removeFirst(count)
      rest -= Int64(count)
      return count
    }
  }

  extension URLRequest {
    /// Returns this request with a body of known length from a stream.
    func streaming(_ stream: InputStream, length: Int64) -> URLRequest {
      var request = self
      request.httpBodyStream = stream
      request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
      // A blank value keeps libcurl from its own field, and so from sending chunks (CURLOPT_HTTPHEADER).
      request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
      return request
    }
  }
#endif
