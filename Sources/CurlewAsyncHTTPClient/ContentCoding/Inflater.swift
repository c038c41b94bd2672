import CCurlewZlib

/// Decompresses DEFLATE (RFC 1951), raw or wrapped, with the system's zlib.
///
/// Buffers are only accessed during a call. An inflater must not be used concurrently.
package final class Inflater: Decompressor {
  /// The format around the compressed data; the raw value is zlib's window bits.
  package enum Wrapping: Int32, CaseIterable {
    /// A header, a CRC-32 and the length (RFC 1952).
    case gzip = 31
    /// A header and an Adler-32 (RFC 1950).
    case zlib = 15
    /// Raw DEFLATE, in which some damage is not detected (RFC 1951).
    case none = -15
  }

  /// The result of one call.
  package struct Step: Equatable {
    /// The number of input bytes that were consumed.
    package var read = 0
    /// The number of output bytes that were written.
    package var written = 0
    /// Whether the compressed data has ended, including its checksum if it has one.
    package var isAtEnd = false

    package init() {}
  }

  /// An error in the compressed data, with zlib's text.
  package struct DataError: Error, Equatable {
    package let reason: String

    package init(reason: String) {
      self.reason = reason
    }
  }

  /// The stream, on the heap because zlib rejects a stream whose address has changed.
  private let stream: UnsafeMutablePointer<z_stream>
  private let wrapping: Wrapping
  /// The first error, kept because zlib would accept further input after it.
  private var damage: DataError?

  package init(_ wrapping: Wrapping) throws(DataError) {
    self.wrapping = wrapping
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let result = curlew_inflateInit(stream, wrapping.rawValue)
    guard result == Z_OK else { throw DataError(reason: "zlib can't be initialized (\(result))") }
  }

  deinit {
    // Has no effect if the stream could not be initialized.
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Decompresses as much as the input and the space in the output allow.
  ///
  /// A step that reads and writes nothing needs more input, or more space if there is none.
  package func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DataError) -> Step {
    if let damage { throw damage }
    guard !output.isEmpty else { return Step() }
    curlew_setBuffers(stream, input.baseAddress, input.count, output.baseAddress, output.count)
    let (readable, writable) = (stream.pointee.avail_in, stream.pointee.avail_out)
    let result = CCurlewZlib.inflate(stream, Z_NO_FLUSH)
    switch result {
    case Z_OK, Z_STREAM_END, Z_BUF_ERROR:
      var step = Step()
      step.read = Int(readable - stream.pointee.avail_in)
      step.written = Int(writable - stream.pointee.avail_out)
      step.isAtEnd = result == Z_STREAM_END
      return step
    default:
      let damage = DataError(reason: text(of: result))
      self.damage = damage
      throw damage
    }
  }

  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DataError) -> Step {
    try inflate(input, into: output)
  }

  func continues(with first: UInt8) -> Bool {
    guard wrapping == .gzip, first == 0x1F else { return false }
    restart()
    return true
  }

  /// Starts over, for further compressed data.
  package func restart() {
    damage = inflateReset(stream) == Z_OK ? nil : DataError(reason: "zlib can't be reset")
  }

  private func text(of result: Int32) -> String {
    switch result {
    case Z_NEED_DICT: "it needs a dictionary"
    case Z_MEM_ERROR: "out of memory"
    default: stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)"
    }
  }
}
