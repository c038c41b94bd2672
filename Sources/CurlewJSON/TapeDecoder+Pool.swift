import Synchronization

extension TapeDecoder {
  /// Decodes a value from UTF-8 text.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ text: UnsafeRawBufferPointer, _ settings: Settings
  ) throws -> Value {
    var decoder = Pool.shared.take()
    decoder.set(settings)
    if let start = text.baseAddress {
      decoder.tape.pointee.bytes = start
      decoder.tape.pointee.byteCount = text.count
    }
    defer { finish(&decoder) }
    if let fault = decoder.tape.pointee.scan() { throw decoder.malformed(fault, at: []) }
    return try decoder.decode(type)
  }

  /// Returns a decoder to the pool; if it or a container was retained, copies the text for it instead.
  private static func finish(_ decoder: inout TapeDecoder) {
    if isKnownUniquelyReferenced(&decoder), isKnownUniquelyReferenced(&decoder.document) {
      decoder.tape.pointee.reset()
      // The pool must not retain objects of user info and strategies.
      decoder.set(Settings.standard)
      Pool.shared.putBack(decoder)
    } else {
      decoder.tape.pointee.ownBytes()
    }
  }

  /// A pool of unused decoders, with their type caches.
  private struct Pool: ~Copyable {
    static let shared = Pool()
    /// Enough for the concurrent decodings on most machines.
    private static let maximumUnused = 16

    // Unchecked because a decoder has a single user at a time.
    private struct Unused: @unchecked Sendable {
      let decoder: TapeDecoder
    }

    private let unused = Mutex<[Unused]>([])

    func take() -> TapeDecoder {
      unused.withLock { $0.popLast() }?.decoder ?? TapeDecoder()
    }

    func putBack(_ decoder: TapeDecoder) {
      let unused = Unused(decoder: decoder)
      self.unused.withLock { if $0.count < Self.maximumUnused { $0.append(unused) } }
    }
  }
}
