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

  private static let texts = [
    "1", "12", "[1]", "[1,2,3]", "{\"v\":\"\u{E4}\u{65E5}\u{1F600}\"}", "\"a\"", "\"\u{E4}\"",
    "null", "", " ", "[", "-", "{\"v\":1}", "[\"\\ud83d\"]", "true",
  ]

  /// A value where Foundation's decoder has none, or another, would be a text that was misread.
  private func checkNotMisread(_ data: Data) {
    let expected = Outcome { try JSONDecoder().decode(JSONValue.self, from: data) }
    let outcome = FastDecoding.outcome(JSONValue.self, data)
    #expect(outcome.value == nil || outcome.value == expected.value, "\(Array(data))")
  }

  @Test func `every encoding with its mark is the same`() {
    let marks: [[UInt8]] = [
      [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [], [0, 0, 0xFE, 0xFF],
    ]
    for text in Self.texts {
      for (encoding, mark) in zip(Self.encodings, marks) {
        guard let data = text.data(using: encoding) else { continue }
        check(data)
        check(Data(mark) + data)
      }
    }
  }

  /// Foundation expects the mark FE FF 00 00.
  @Test func `the mark of UTF32 in little endian is read`() {
    for text in ["[1,2,3]", "[12]", " [1]"] {
      let data = Data([0xFF, 0xFE, 0, 0]) + (text.data(using: .utf32LittleEndian) ?? Data())
      let expected = try? JSONDecoder().decode([Int].self, from: Data(text.utf8))
      #expect(FastDecoding.outcome([Int].self, data).value == expected)
    }
  }

  /// Foundation expects that the first two characters are ASCII.
  @Test func `a second character outside of ASCII is read`() {
    for encoding in Self.encodings {
      let data = "\"\u{65E5}\"".data(using: encoding) ?? Data()
      #expect(FastDecoding.outcome(String.self, data).value == "\u{65E5}", "\(encoding)")
    }
  }

  @Test func `other marks and cut texts are not misread`() {
    for text in Self.texts where text != "\"\u{E4}\"" {
      for encoding in Self.encodings {
        guard let data = text.data(using: encoding) else { continue }
        for mark in Self.marks where mark != [0xFF, 0xFE, 0, 0] {
          checkNotMisread(Data(mark) + data)
          checkNotMisread(Data(mark) + data.dropLast())
          checkNotMisread(Data(mark) + data + [0])
        }
      }
    }
  }

  /// Foundation replaces the first with U+FFFD, and ignores the second.
  @Test func `lone surrogates and parts of code units are errors`() {
    for bytes in [
      [0x22, 0, 0x3D, 0xD8, 0x22, 0], [0x22, 0, 0x00, 0xDE, 0x22, 0], [0x31, 0, 0x32],
      [0, 0x22, 0xD8, 0x3D, 0, 0x22], [0, 0, 0, 0x31, 0],
      [0x22, 0, 0, 0, 0, 0xD8, 0, 0, 0x22, 0, 0, 0],
    ] as [[UInt8]] {
      #expect(FastDecoding.outcome(JSONValue.self, Data(bytes)).value == nil, "\(bytes)")
    }
    let pair = Data([0, 0x22, 0xD8, 0x3D, 0xDE, 0x00, 0, 0x22])
    #expect(FastDecoding.outcome(String.self, pair).value == "\u{1F600}")
  }

  @Test func `zeros at the start are not misread`() {
    for count in 0...6 {
      for bytes in [[0x31], [0x5B, 0x5D], [0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D]] as [[UInt8]] {
        checkNotMisread(Data(repeating: 0, count: count) + bytes)
        checkNotMisread(Data(bytes) + Data(repeating: 0, count: count))
      }
    }
    for first in [0, 0x31, 0x5B, 0xFE, 0xFF, 0xEF] as [UInt8] {
      for second in [0, 0x32, 0x5D, 0xFF, 0xFE, 0xBB] as [UInt8] {
        checkNotMisread(Data([first]))
        checkNotMisread(Data([first, second]))
        for third in [0, 0x33, 0xBF] as [UInt8] {
          for rest in [[], [0], [0x31], [0, 0x5D, 0]] as [[UInt8]] {
            checkNotMisread(Data([first, second, third] + rest))
          }
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
