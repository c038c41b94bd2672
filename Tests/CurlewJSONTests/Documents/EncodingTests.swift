import Foundation
import Testing

/// Tests UTF-8, UTF-16 and UTF-32, with and without a byte order mark.
@Suite(.timeLimit(.minutes(1)))
struct EncodingTests {
  private static let encodings: [String.Encoding] = [
    .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
  ]
  private static let marks: [[UInt8]] = [
    [], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF],
    [0xFE, 0xFF, 0, 0], [0xEF, 0xBB], [0xEF], [0xFF], [0xFE], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF],
  ]

  private func check(_ data: Data) {
    expectSame(asEachOf: [JSONValue.self, [Int].self, Holder<String>.self, Int.self], data)
  }

  @Test func `every encoding with every mark is the same`() {
    for text in [
      "1", "12", "[1]", "[1,2,3]", "{\"v\":\"\u{E4}\u{65E5}\u{1F600}\"}", "\"a\"", "\"\u{E4}\"",
      "null", "", " ", "[", "-", "{\"v\":1}", "[\"\\ud83d\"]", "true",
    ] {
      for encoding in Self.encodings {
        guard let data = text.data(using: encoding) else { continue }
        for mark in Self.marks {
          check(Data(mark) + data)
          check(Data(mark) + data.dropLast())
          check(Data(mark) + data + [0])
        }
      }
    }
  }

  @Test func `lone surrogates in UTF16 are the same`() {
    check(Data([0x22, 0, 0x3D, 0xD8, 0x22, 0]))
    check(Data([0x22, 0, 0x00, 0xDE, 0x22, 0]))
    check(Data([0, 0x22, 0xD8, 0x3D, 0xDE, 0x00, 0, 0x22]))
  }

  @Test func `zeros at the start are the same`() {
    for count in 0...6 {
      for bytes in [[0x31], [0x5B, 0x5D], [0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D]] as [[UInt8]] {
        check(Data(repeating: 0, count: count) + bytes)
        check(Data(bytes) + Data(repeating: 0, count: count))
      }
    }
    for first in [0, 0x31, 0x5B, 0xFE, 0xFF, 0xEF] as [UInt8] {
      for second in [0, 0x32, 0x5D, 0xFF, 0xFE, 0xBB] as [UInt8] {
        check(Data([first]))
        check(Data([first, second]))
        for third in [0, 0x33, 0xBF] as [UInt8] {
          check(Data([first, second, third]))
          check(Data([first, second, third, 0]))
          check(Data([first, second, third, 0x31]))
          check(Data([first, second, third, 0, 0x5D, 0]))
        }
      }
    }
  }

  @Test func `errors are the same in every encoding`() {
    for text in ["{\"v\":[1,null]}", "{\"w\":1}", "{\"v\":1e400}", "[\"x\"]", "{\"v\":\"\\x\"}"] {
      for encoding in Self.encodings {
        guard let data = text.data(using: encoding) else { continue }
        expectSame(Holder<[Int]>.self, data)
        expectSame(Holder<Date>.self, data, configure: iso8601)
        expectSame([Holder<Int>].self, data, configure: snakeCase)
      }
    }
  }
}
