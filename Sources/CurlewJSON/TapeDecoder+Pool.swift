import Synchronization

extension TapeDecoder {
  /// Decodes a text in UTF-8.
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
    guard decoder.tape.pointee.scan() else { throw DecodingError.invalidJSON }
    return try decoder.decode(type)
  }

  /// Gives a decoder back, or lets it live where somebody has kept it, or a container.
  private static func finish(_ decoder: inout TapeDecoder) {
    if isKnownUniquelyReferenced(&decoder), isKnownUniquelyReferenced(&decoder.document) {
      decoder.tape.pointee.reset()
      // What user info and strategies refer to must not live on.
      decoder.set(Settings.standard)
      Pool.shared.give(decoder)
    } else {
      decoder.tape.pointee.ownBytes()
    }
  }

  /// Decoders that are not in use, with what they have learned of types.
  private struct Pool: ~Copyable {
    static let shared = Pool()
    /// As many as decode at once on most machines.
    private static let mostUnused = 16

    // Unchecked because a decoder is used only by who took it out.
    private struct Unused: @unchecked Sendable {
      let decoder: TapeDecoder
    }

    private let unused = Mutex<[Unused]>([])

    func take() -> TapeDecoder {
      unused.withLock { $0.popLast() }?.decoder ?? TapeDecoder()
    }

    func give(_ decoder: TapeDecoder) {
      let unused = Unused(decoder: decoder)
      self.unused.withLock { if $0.count < Self.mostUnused { $0.append(unused) } }
    }
  }
}
