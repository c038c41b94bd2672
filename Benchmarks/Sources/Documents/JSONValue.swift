/// A JSON value whose members keep their order.
indirect enum JSONValue {
  case null
  case bool(Bool)
  case int(Int)
  case text(String)
  case list([JSONValue])
  case object([(String, JSONValue)])

  /// The output format of a value.
  struct Style {
    /// Whether each member is on a separate line.
    var isPretty = false
    /// Whether non-ASCII characters are escaped: `\u00e9`.
    var isASCII = false
  }

  /// Returns the value as JSON.
  func json(_ style: Style = Style()) -> String {
    var output = ""
    write(to: &output, style, depth: 0)
    return output
  }

  private func write(to output: inout String, _ style: Style, depth: Int) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += "\(value)"
    case .int(let value): output += "\(value)"
    case .text(let text): Self.write(text, to: &output, style)
    case .list(let values):
      Self.write(values, in: ("[", "]"), to: &output, style, depth: depth) { value, output in
        value.write(to: &output, style, depth: depth + 1)
      }
    case .object(let members):
      Self.write(members, in: ("{", "}"), to: &output, style, depth: depth) { member, output in
        Self.write(member.0, to: &output, style)
        output += style.isPretty ? ": " : ":"
        member.1.write(to: &output, style, depth: depth + 1)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], in brackets: (String, String), to output: inout String, _ style: Style,
    depth: Int, _ write: (Element, inout String) -> Void
  ) {
    func newLine(_ depth: Int) -> String {
      style.isPretty && !elements.isEmpty ? "\n" + String(repeating: "  ", count: depth) : ""
    }
    output += brackets.0
    for (index, element) in elements.enumerated() {
      output += index == 0 ? newLine(depth + 1) : "," + newLine(depth + 1)
      write(element, &output)
    }
    output += newLine(depth) + brackets.1
  }

  private static func write(_ text: String, to output: inout String, _ style: Style) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where scalar.value < 0x20 || style.isASCII && !scalar.isASCII:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}

extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(nilLiteral: ()) { self = .null }
  init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}
