import TestSupport

/// Writes documents that fit a schema, with occasional mismatches.
struct DocumentWriter {
  var random: SeededGenerator
  /// The average number of values per mismatch.
  var oddOneIn = 12

  mutating func write(_ schema: Schema, depth: Int = 8) -> String {
    guard depth > 0 else { return "null" }
    if random.chance(oneIn: oddOneIn) { return anything(depth: 2) }
    switch schema {
    case .scalar(let scalar): return write(scalar)
    case .optional(let inner):
      return random.chance(oneIn: 3) ? "null" : write(inner, depth: depth - 1)
    case .list(let inner), .elements(_, let inner):
      return list { $0.write(inner, depth: depth - 1) }
    case .optionals(let inner):
      return list { $0.random.chance(oneIn: 3) ? "null" : $0.write(inner, depth: depth - 1) }
    case .map(let inner), .allKeys(let inner):
      let fields = (0..<random.pick(0...4)).map { _ in (random.pick(Schema.names), inner) }
      return object(fields, depth)
    case .numbered(let inner):
      return object((0..<random.pick(0...4)).map { ("\($0 * 7)", inner) }, depth)
    case .object(let fields), .declared(let fields):
      var members = fields.map { ($0.name, $0.schema) }
      if random.chance(oneIn: 3) { members.shuffle(using: &random) }
      if random.chance(oneIn: 5), !members.isEmpty { members.removeLast() }
      if random.chance(oneIn: 3) {
        members.insert(
          (random.pick(Schema.names), .scalar(.json)), at: random.pick(0...members.count))
      }
      return object(members, depth)
    case .path(let inner): return write(inner, depth: depth - 1)
    }
  }

  private mutating func list(_ element: (inout Self) -> String) -> String {
    let elements = (0..<random.pick(0...(random.chance(oneIn: 20) ? 40 : 4))).map { _ in
      space() + element(&self) + space()
    }
    return "[\(elements.joined(separator: ","))\(elements.isEmpty ? space() : "")]"
  }

  private mutating func object(_ members: [(String, Schema)], _ depth: Int) -> String {
    let texts = members.map { name, schema in
      "\(space())\(quoted(name))\(space()):\(space())\(write(schema, depth: depth - 1))\(space())"
    }
    return "{\(texts.joined(separator: ","))}"
  }

  private mutating func space() -> String {
    random.chance(oneIn: 8) ? random.pick([" ", "\n", "\t", "\r\n  "]) : ""
  }

  mutating func quoted(_ text: String) -> String {
    let isEscaped = random.chance(oneIn: 6)
    let scalars = text.unicodeScalars.map { scalar -> String in
      let code = String(scalar.value, radix: 16)
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard scalar.value < 0x1_0000, mustEscape || isEscaped && random.chance(oneIn: 2) else {
        return String(scalar)
      }
      return "\\u" + String(repeating: "0", count: 4 - code.count) + code
    }
    return "\"\(scalars.joined())\""
  }

  private mutating func write(_ scalar: Schema.Scalar) -> String {
    switch scalar {
    case .bool: return random.pick(["true", "false"])
    case .string: return quoted(random.pick(Schema.names) + random.pick(Schema.names))
    case .int8, .uint8:
      return random.pick(["0", "1", "-1", "127", "128", "255", "-128", "7.0", "1e1", "100"])
    case .int, .int16, .int32, .int64, .int128, .uint, .uint16, .uint32, .uint64, .uint128:
      return random.chance(oneIn: 6) ? random.pick(Numbers.all) : "\(random.pick(0...70_000))"
    case .double, .float, .decimal:
      return random.chance(oneIn: 6)
        ? random.pick(Numbers.all) : "\(random.pick(-9...9)).\(random.pick(0...999))"
    case .date:
      return random.pick([
        "1", "2.5", "\"2026-02-28T10:00:00Z\"", "\"2024-02-29T23:59:59+01:00\"", "-1e9",
        "\"2026-02-30T00:00:00Z\"",
      ])
    case .data: return random.pick(["\"\"", "\"aGk=\"", "\"aGk\"", "\"AAAA\"", "[1,2]"])
    case .url: return random.pick(["\"https://a.b/c?d=1#e\"", "\"\"", "\"a b\"", "\"/x\""])
    case .color: return random.pick(["\"red\"", "\"green\"", "\"blau\"", "\"blue\""])
    case .level: return random.pick(["1", "2", "300", "3", "1.0"])
    case .null: return "null"
    case .json, .anything: return anything(depth: 3)
    }
  }

  /// Returns arbitrary JSON, occasionally with a malformed scalar.
  mutating func anything(depth: Int) -> String {
    switch random.pick(0...(depth > 0 ? 10 : 7)) {
    case 0: "null"
    case 1: random.pick(["true", "false"])
    case 2, 3: random.pick(Numbers.integers)
    case 4: random.pick(Numbers.all)
    case 5, 6: quoted(random.pick(Schema.names))
    case 7:
      random.pick([
        "\"\\x\"", "-", "1.", "\"\\ud800\"", "01", "\"\u{1}\"", "\"a\\nb\"", "\"\\u0041\"", "[]",
        "{}",
      ])
    case 8, 9: list { $0.anything(depth: depth - 1) }
    default:
      object(
        (0..<random.pick(0...3)).map { _ in (random.pick(Schema.names), .scalar(.json)) }, depth)
    }
  }
}
