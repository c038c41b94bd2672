/// A hash (FNV-1a, 64 bits) of a content, the same in every process.
struct Fingerprint: Sendable, Equatable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {}

  init(_ bytes: some Sequence<UInt8>) { combine(bytes) }

  mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  mutating func combine(_ other: Fingerprint) {
    withUnsafeBytes(of: other.value.littleEndian) { combine($0) }
  }

  var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
