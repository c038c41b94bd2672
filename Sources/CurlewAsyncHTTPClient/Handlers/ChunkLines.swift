import NIOCore

/// Finds the lines of chunk sizes in a chunked body (RFC 9112 section 7.1), and removes what follows the size in a line with
/// white space: small devices pad sizes with spaces, and extensions may have white space around them.
///
/// Anything else is passed unchanged, for the parser to judge.
struct ChunkLines {
  private enum Part {
    case size(digits: Int)
    /// After the carriage return of a size's line.
    case lineEnd
    /// In white space or an extension after a size, which is held until the end of its line.
    case extra
    case data
    /// In the line break after the data.
    case dataEnd
    /// In the trailer section, or after something unexpected.
    case end
  }

  /// The maximum number of bytes after a size.
  private static let maximumExtra = 1024

  private var part = Part.size(digits: 0)
  /// The number of bytes of the current chunk that have not arrived.
  private var size = 0
  private var buffered = ByteBuffer()

  /// Reads bytes and passes them on, in pieces; returns whether a line was changed.
  mutating func read(_ bytes: ByteBuffer, _ pass: (ByteBuffer) -> Void) -> Bool {
    var (bytes, index, isChanged) = (bytes, bytes.readerIndex, false)
    while index < bytes.writerIndex, let byte = bytes.getInteger(at: index, as: UInt8.self) {
      if case .extra = part {
        let before = buffered.readableBytes
        isChanged = buffer(&bytes, pass) || isChanged
        index = bytes.readerIndex
        if case .extra = part, buffered.readableBytes == before { break }
        continue
      }
      switch (part, byte) {
      case (.data, _):
        let count = min(size, bytes.writerIndex - index)
        (size, index) = (size - count, index + count)
        if size == 0 { part = .dataEnd }
        continue
      case (.end, _):
        index = bytes.writerIndex
        continue
      case (.size(1...), 0x09), (.size(1...), 0x20), (.size(1...), 0x3B):
        if let start = bytes.readSlice(length: index - bytes.readerIndex) { pass(start) }
        part = .extra
        continue
      case (.size(1...), 0x0D): part = .lineEnd
      case (.size(let digits), _):
        part = .end
        // At most 60 bits.
        if digits < 15, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
          (size, part) = (size * 16 + digit, .size(digits: digits + 1))
        }
      case (.lineEnd, 0x0A): part = size == 0 ? .end : .data
      case (.dataEnd, 0x0D): break
      case (.dataEnd, 0x0A): part = .size(digits: 0)
      default: part = .end
      }
      index += 1
    }
    if bytes.readableBytes > 0 { pass(bytes) }
    return isChanged
  }

  /// Holds what follows a size, and passes it, or only the line break, at the end of the line.
  private mutating func buffer(_ bytes: inout ByteBuffer, _ pass: (ByteBuffer) -> Void) -> Bool {
    let line = bytes.readableBytesView.prefix { $0 != 0x0A }
    buffered.writeBytes(line)
    bytes.moveReaderIndex(forwardBy: line.count)
    guard let newline = bytes.readInteger(as: UInt8.self) else {
      if buffered.readableBytes > Self.maximumExtra { release(pass, next: .end) }
      return false
    }
    let isPadded = isPadded
    if isPadded { buffered = ByteBuffer(bytes: [0x0D]) }
    buffered.writeInteger(newline)
    release(pass, next: size == 0 ? .end : .data)
    return isPadded
  }

  /// Whether the held line has white space only where it may be: around and in extensions, and before the line's end.
  private var isPadded: Bool {
    let line = buffered.readableBytesView
    guard line.last == 0x0D, line.contains(where: { $0 == 0x20 || $0 == 0x09 }) else {
      return false
    }
    let first = line.first { $0 != 0x20 && $0 != 0x09 }
    return (first == 0x3B || first == 0x0D)
      && line.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  private mutating func release(_ pass: (ByteBuffer) -> Void, next: Part) {
    pass(buffered)
    buffered.clear()
    part = next
  }
}
