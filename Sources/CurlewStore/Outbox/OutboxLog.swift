import Foundation

/// The contents of an outbox's file: a header, and a frame for each change.
///
/// A frame is a marker, the length of its payload, the payload's checksum, and the payload: the kind of change, the
/// record's id and its data. A frame whose end is missing, or whose checksum does not match, is skipped; all others count.
struct OutboxLog: Sendable {
  /// The first bytes of the file; a random identity, which changes when the file is replaced, follows.
  static let title = Data("CurlewO1".utf8)
  static let headerSize = title.count + 16
  private static let marker = Data("CuOb".utf8)
  private static let frameSize = 12
  private static let payloadSize = 17

  private(set) var records = OrderedItems<OutboxRecord>()
  /// The number of changes that were read; more if the file was replaced.
  private(set) var version = 0
  /// The size of the frames that contain the present records.
  private(set) var liveSize = 0
  /// The number of bytes up to the end of the last whole frame.
  private(set) var end = 0
  /// Whether bytes were damaged, instead of cut off by the end of a process.
  private(set) var isDamaged = false
  private var identity: UUID?

  /// Reads a file from its beginning, or from ``end`` if its identity is known.
  mutating func read(_ size: Int, _ bytes: (Range<Int>) throws -> Data) throws {
    let header = try bytes(0..<min(size, Self.headerSize))
    let isWhole = header.count == Self.headerSize && header.starts(with: Self.title)
    let identity = isWhole ? UUID(header.suffix(16)) : nil
    if identity == nil || identity != self.identity || size < end {
      let version = self.identity == nil ? version : version + 1 << 32
      self = OutboxLog()
      (self.identity, self.version, end) = (identity, version, isWhole ? Self.headerSize : 0)
    }
    // A shorter header was cut off.
    guard size > end, size >= Self.headerSize else { return }
    read(try bytes(end..<size))
    // Without a header, what is there belongs to no outbox, or was damaged.
    isDamaged = isDamaged || !isWhole
  }

  /// Reads the bytes after ``end``.
  private mutating func read(_ bytes: Data) {
    let start = end - bytes.startIndex
    var (rest, hasGap, failed) = (bytes, false, 0)
    while !rest.isEmpty {
      if let (change, size) = Self.change(rest) {
        apply(change, size: size)
        rest = rest.dropFirst(size)
        end = start + rest.startIndex
        isDamaged = isDamaged || hasGap
        hasGap = false
        continue
      }
      hasGap = true
      let payload = Self.payload(rest)
      failed += payload?.count ?? 0
      // A cut frame is short, or ends in zeros where a file system has not written it.
      let isCut =
        payload == nil && Self.marker.starts(with: rest.prefix(4)) || !rest.contains { $0 != 0 }
      isDamaged = isDamaged || !isCut
      // Bytes that look like many large frames must not take more time than the file is long.
      guard failed <= 4 * bytes.count, let next = rest.dropFirst().firstRange(of: Self.marker)
      else { return }
      rest = rest[next.lowerBound...]
    }
  }

  /// Records changes that were written after ``end``.
  mutating func add(_ changes: [OutboxChange], size: Int) {
    for change in changes { apply(change, size: Self.frame(change).count) }
    end += size
  }

  private mutating func apply(_ change: OutboxChange, size: Int) {
    if let old = records[change.id] {
      liveSize -= Self.frameSize + Self.payloadSize + old.data.count
    }
    records.apply(change)
    version += 1
    if records[change.id] != nil { liveSize += size }
  }

  /// Returns the contents of a new file with the present records.
  func compacted() -> Data {
    records.all.reduce(into: Self.header()) { $0 += Self.frame(.append($1)) }
  }

  static func header() -> Data {
    title + withUnsafeBytes(of: UUID().uuid) { Data($0) }
  }

  // MARK: Frames

  static func frame(_ change: OutboxChange) -> Data {
    let (kind, data): (UInt8, Data) =
      switch change {
      case .append(let record): (0, record.data)
      case .replace(let record): (1, record.data)
      case .remove: (2, Data())
      }
    let payload = Data([kind]) + withUnsafeBytes(of: change.id.uuid) { Data($0) } + data
    return marker + bytes(UInt32(payload.count)) + bytes(checksum(payload)) + payload
  }

  /// Returns the payload of the frame at the beginning of bytes, perhaps damaged; `nil` if there is no whole frame.
  private static func payload(_ bytes: Data) -> Data? {
    guard bytes.count >= frameSize + payloadSize, bytes.starts(with: marker) else { return nil }
    let length = Int(number(bytes.dropFirst(4)))
    guard length >= payloadSize, length <= bytes.count - frameSize else { return nil }
    return bytes.dropFirst(frameSize).prefix(length)
  }

  /// Returns the change at the beginning of bytes, and the size of its frame.
  private static func change(_ bytes: Data) -> (OutboxChange, Int)? {
    guard let payload = payload(bytes), checksum(payload) == number(bytes.dropFirst(8)),
      let id = UUID(payload.dropFirst().prefix(16))
    else { return nil }
    let length = payload.count
    let record = OutboxRecord(id: id, data: Data(payload.dropFirst(payloadSize)))
    switch payload.first {
    case 0: return (.append(record), frameSize + length)
    case 1: return (.replace(record), frameSize + length)
    case 2: return (.remove(id), frameSize + length)
    default: return nil
    }
  }

  private static func bytes(_ number: UInt32) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }

  private static func number(_ bytes: Data) -> UInt32 {
    bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(byte) { remainder, _ in remainder >> 1 ^ (remainder & 1) * 0xEDB8_8320 }
  }

  /// Returns the CRC-32 of bytes, as of Ethernet and PNG.
  private static func checksum(_ bytes: Data) -> UInt32 {
    ~bytes.reduce(~0) { $0 >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}

extension UUID {
  fileprivate init?(_ bytes: Data) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
