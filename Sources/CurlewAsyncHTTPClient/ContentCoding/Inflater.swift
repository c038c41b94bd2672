import CCurlewZlib

/// Undoes DEFLATE (RFC 1951), bare or in one of its wrappings, with the system's zlib.
///
/// What it is given is only looked at while a call lasts: nothing of it is kept. Not for two tasks
/// at the same time.
package final class Inflater {
  /// What is around the compressed data; the value is what zlib calls window bits.
  package enum Wrapping: Int32, CaseIterable {
    /// Header, CRC-32 and length (RFC 1952).
    case gzip = 31
    /// Header and Adler-32 (RFC 1950).
    case zlib = 15
    /// Nothing, so that damage is not always seen (RFC 1951).
    case none = -15
  }

  /// What one call did.
  package struct Step: Equatable {
    /// How many bytes of the input are used up.
    package var read = 0
    /// How many bytes of the output are filled.
    package var written = 0
    /// Whether that was the end of the compressed data and, where it has one, of its checksum.
    package var isAtEnd = false

    package init() {}
  }

  /// Says what is wrong with the compressed data, in zlib's words.
  package struct DataError: Error, Equatable {
    package let reason: String

    package init(reason: String) {
      self.reason = reason
    }
  }

  /// On the heap, because zlib refuses a stream whose address has changed.
  private let stream: UnsafeMutablePointer<z_stream>
  /// After damage zlib would go on with whatever comes.
  private var damage: DataError?

  package init(_ wrapping: Wrapping) throws(DataError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    let result = inflateInit2_(stream, wrapping.rawValue, ZLIB_VERSION, size)
    guard result == Z_OK else { throw DataError(reason: "zlib can't begin (\(result))") }
  }

  deinit {
    // Does nothing to one that could not begin.
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Undoes as much as there is input and room for.
  ///
  /// A step that reads and writes nothing needs more input, or more room where there is none.
  package func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DataError) -> Step {
    if let damage { throw damage }
    guard let room = output.baseAddress, !output.isEmpty else { return Step() }
    let readable = UInt32(clamping: input.count)
    let writable = UInt32(clamping: output.count)
    // zlib does not write there: its type is from before `const`.
    stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
      .assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = readable
    stream.pointee.next_out = room.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = writable
    defer {
      stream.pointee.next_in = nil
      stream.pointee.avail_in = 0
      stream.pointee.next_out = nil
      stream.pointee.avail_out = 0
    }
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

  /// Begins anew, for compressed data that follows.
  package func restart() {
    damage = inflateReset(stream) == Z_OK ? nil : DataError(reason: "zlib can't begin anew")
  }

  private func text(of result: Int32) -> String {
    switch result {
    case Z_NEED_DICT: "it needs a dictionary"
    case Z_MEM_ERROR: "out of memory"
    default: stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(result)"
    }
  }
}
