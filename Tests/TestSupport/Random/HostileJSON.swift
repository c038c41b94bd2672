public import Foundation

/// JSON texts that end the process in Foundation's decoder, and their neighbours.
public enum HostileJSON: Sendable {
  /// The encodings of JSON (RFC 8259 section 8.1, RFC 4627 section 3), each with its byte order mark.
  private static let encodings: [(String.Encoding, mark: [UInt8])] = [
    (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, [0xFF, 0xFE]),
    (.utf16BigEndian, [0xFE, 0xFF]), (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]),
    (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
  ]

  /// Texts with 511 to 515 levels, in each encoding with and without a mark, complete and cut.
  ///
  /// Arrays, objects, and both in turn. None is a string, a number or an object with other members than `a`.
  public static var nested: [Data] {
    let kinds = [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")]
    return kinds.flatMap { open, close in
      (511...515).flatMap { levels in
        // A pair has two levels, and an odd number begins with an array.
        let (count, first) = open.count > 5 ? (levels / 2, levels % 2) : (levels, 0)
        let start = String(repeating: "[", count: first) + String(repeating: open, count: count)
        let end = String(repeating: close, count: count) + String(repeating: "]", count: first)
        let cut = [start + "1", start + "[]" + end.dropLast(first + 1)].map { Data($0.utf8) }
        return cut
          + encodings.flatMap { encoding, mark -> [Data] in
            let data = start.data(using: encoding) ?? Data()
            let all = (start + end).data(using: encoding) ?? Data()
            return [data, Data(mark) + data, data.dropLast(), Data(mark) + all]
          }
      }
    }
  }

  /// Texts with 100,000 levels; with 1,000,000 when long runs are requested.
  public static let deepest =
    [.utf8, .utf16BigEndian].compactMap {
      String(repeating: "[", count: deepestLevels).data(using: $0)
    } + [Data(String(repeating: "{\"a\":", count: deepestLevels).utf8)]
  private static let deepestLevels = Fuzz.size(100_000, full: 1_000_000)

  /// Numbers, strings and comments that end the process in Foundation's decoder of JSON5.
  public static let json5 = [
    Data([0x7B, 0xFB]), Data([0x7B, 0x80]), Data("{\"a\":1e+}".utf8), Data("[1E-]".utf8),
    Data("1e+".utf8), Data((String(repeating: "1", count: 310) + "e0").utf8),
    Data(("[1" + String(repeating: "0", count: 200) + "e-184]").utf8),
    Data(("/*'*/" + String(repeating: "['\"[',/*\"*/", count: 512) + "[").utf8),
    Data(("//'\r" + String(repeating: "[", count: 513)).utf8),
  ]

  /// Returns a short text of brackets, quotes, digits, marks and zeros.
  public static func noise(_ random: inout SeededGenerator) -> Data {
    let parts = [
      "[", "{", "]", "}", "\"", "'", ":", ",", "0", "1", "-", "+", ".", "e", "\\", "\\u", "d83d",
      "\0",
      "\n", "\r", "/", "*", "//", "t", "true", "null", "nul", "NaN", "0x", "1e999", "\u{FEFF}",
      "\u{2028}",
      " ", "\u{E9}", "\u{1F600}", "\"a\":",
    ]
    var text = (0..<random.pick(0...12)).map { _ in random.pick(parts) }.joined()
    if random.chance(oneIn: 4) {
      let open = random.pick(["[", "{\"a\":", "[\r", "[1,"])
      text = String(repeating: open, count: random.pick(505...520)) + text
    }
    let (encoding, mark) = random.pick(encodings)
    var data =
      (random.chance(oneIn: 2) ? Data(mark) : Data()) + (text.data(using: encoding) ?? Data())
    if random.chance(oneIn: 3), !data.isEmpty {
      data[random.pick(0...data.count - 1)] = UInt8(random.pick(0...255))
    }
    return data.dropLast(random.pick(0...3))
  }
}
