/// A JSON value that keeps the order of its keys and its nulls, as the imitated servers do.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// A number in thousandths, which unlike a `Double` reads the same on every platform.
  case thousandths(Int)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  /// A string, or null where there is none.
  static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

  /// The value as UTF-8.
  var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .int(let value): output += String(value).utf8
    case .thousandths(let value): output += Self.decimal(value).utf8
    case .string(let text): Self.write(text, to: &output)
    case .array(let values):
      output.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.0, to: &output)
        output.append(UInt8(ascii: ":"))
        member.1.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Writes 6900 as 6.9, and 7000 as 7.
  private static func decimal(_ thousandths: Int) -> String {
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
    let sign = thousandths < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(whole)" }
    let digits = String(1_000 + rest).dropFirst()
    let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return "\(sign)\(whole).\(digits[...end])"
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): output += #"\""#.utf8
      case UInt8(ascii: "\\"): output += #"\\"#.utf8
      case UInt8(ascii: "\n"): output += #"\n"#.utf8
      case UInt8(ascii: "\r"): output += #"\r"#.utf8
      case UInt8(ascii: "\t"): output += #"\t"#.utf8
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        output += (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
