import CCurlewZlib
import Foundation

/// Compresses data to gzip (RFC 1952) with the system's zlib.
///
/// Buffers are only accessed during a call. A deflater must not be used concurrently.
final class Deflater {
  /// An error of zlib, such as too little memory.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32

    var description: String { "its body can't be compressed (zlib: \(code))" }
  }

  private static let pieceSize = 64 * 1024
  /// The largest window, with a gzip header and trailer.
  private static let windowBits: Int32 = 15 + 16

  /// The stream, on the heap because zlib rejects a stream whose address has changed.
  private let stream: UnsafeMutablePointer<z_stream>
  private var buffer = [UInt8](repeating: 0, count: pieceSize)

  init() throws(Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code = curlew_deflateInit(stream, Z_DEFAULT_COMPRESSION, Self.windowBits)
    guard code == Z_OK else { throw Failure(code: code) }
  }

  deinit {
    // Has no effect if the stream could not be initialized.
    deflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Compresses more data and returns the available output, which is often empty because zlib
  /// buffers.
  func compress(_ data: Data) throws(Failure) -> Data { try run(data, Z_NO_FLUSH) }

  /// Returns the rest of the compressed data; called once, at the end.
  func finish() throws(Failure) -> Data { try run(Data(), Z_FINISH) }

  /// Returns complete data as gzip.
  static func gzip(_ data: Data) throws(Failure) -> Data {
    let deflater = try Deflater()
    return try deflater.compress(data) + deflater.finish()
  }

  private func run(_ input: Data, _ flush: Int32) throws(Failure) -> Data {
    var output = Data()
    var code = Z_OK
    input.withUnsafeBytes { input in
      var rest = input[...]
      var written = Self.pieceSize
      // If the buffer has room left, the output is complete.
      while code == Z_OK || code == Z_BUF_ERROR, !rest.isEmpty || written == Self.pieceSize {
        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(UInt32.max)))
        code = buffer.withUnsafeMutableBytes { output in
          curlew_setBuffers(
            stream, part.baseAddress, part.count, output.baseAddress, output.count)
          return deflate(stream, flush)
        }
        rest = rest.dropFirst(part.count - Int(stream.pointee.avail_in))
        written = Self.pieceSize - Int(stream.pointee.avail_out)
        output += buffer[..<written]
      }
    }
    guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) else { throw Failure(code: code) }
    return output
  }
}
