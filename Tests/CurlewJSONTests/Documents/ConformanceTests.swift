import Foundation
import Testing

/// What a JSON text is by RFC 8259: what must be accepted, and what must be rejected.
@Suite(.timeLimit(.minutes(1)))
struct ConformanceTests {
  /// Texts that are JSON, with what they mean.
  private static let accepted: [(String, JSONValue)] = [
    // Structure and white space.
    ("[]", .array([])), ("{}", .object([:])), ("[[]]", .array([.array([])])),
    (" \t\r\n[ ] \n", .array([])),
    ("[\n1\r,\t2 ]", .array([.number(1), .number(2)])),
    ("{ \"a\" : { } }", .object(["a": .object([:])])),
    ("[null, true, false]", .array([.null, .bool(true), .bool(false)])),
    ("[1,\"a\",[],{}]", .array([.number(1), .string("a"), .array([]), .object([:])])),
    ("[1]\n", .array([.number(1)])),
    ("{\"a\":[{\"b\":[]}]}", .object(["a": .array([.object(["b": .array([])])])])),
    // Scalars alone.
    ("0", .number(0)), ("-0.1", .number(-0.1)), ("\"a\"", .string("a")), ("\"\"", .string("")),
    ("true", .bool(true)),
    ("false", .bool(false)), ("null", .null), (" 7 ", .number(7)),
    // Numbers.
    ("[0]", .array([.number(0)])), ("[-0]", .array([.number(0)])), ("[10]", .array([.number(10)])),
    ("[-123]", .array([.number(-123)])), ("[0.5]", .array([.number(0.5)])),
    ("[-0.0]", .array([.number(0)])),
    ("[1e5]", .array([.number(1e5)])), ("[1E5]", .array([.number(1e5)])),
    ("[1e+05]", .array([.number(1e5)])),
    ("[1E-2]", .array([.number(0.01)])), ("[0e1]", .array([.number(0)])),
    ("[0E+10]", .array([.number(0)])),
    ("[12.34e2]", .array([.number(1234)])),
    ("[0.00000000000000000000000000001]", .array([.number(1e-29)])),
    ("[100000000000000000000]", .array([.number(1e20)])),
    ("[1.7976931348623157e308]", .array([.number(.greatestFiniteMagnitude)])),
    // Strings.
    (#"["\"\\\/\b\f\n\r\t"]"#, .array([.string("\"\\/\u{8}\u{C}\n\r\t")])),
    (#"["\u0000"]"#, .array([.string("\u{0}")])),
    (#"["\u00e4\u00E4"]"#, .array([.string("\u{E4}\u{E4}")])),
    (#"["\ud834\udd1e"]"#, .array([.string("\u{1D11E}")])),
    (#"["\uDBFF\uDFFF"]"#, .array([.string("\u{10FFFF}")])),
    (#"["\uffff"]"#, .array([.string("\u{FFFF}")])),
    (#"["\\u0041"]"#, .array([.string("\\u0041")])), (#"["\\\""]"#, .array([.string("\\\"")])),
    (
      "[\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}\"]",
      .array([.string("\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}")])
    ),
    (
      "[\"\u{2028}\u{2029}\u{FEFF}\u{200B}\"]",
      .array([.string("\u{2028}\u{2029}\u{FEFF}\u{200B}")])
    ),
    ("[\"/* no comment */ // [,]\"]", .array([.string("/* no comment */ // [,]")])),
    ("[\"'\"]", .array([.string("'")])),
    // Objects.
    ("{\"\":0}", .object(["": .number(0)])), (#"{"\u0000":1}"#, .object(["\u{0}": .number(1)])),
    ("{\"a\":1,\"a\":1}", .object(["a": .number(1)])),
    ("{\"a\":1,\"b\":2}", .object(["a": .number(1), "b": .number(2)])),
    (#"{"\u0061":"\u0062"}"#, .object(["a": .string("b")])),
    ("{\"\u{E4}\u{1F600}\":null}", .object(["\u{E4}\u{1F600}": .null])),
    (
      "{\"min\": -1.0e+28, \"max\": 1.0e+28}",
      .object(["min": .number(-1e28), "max": .number(1e28)])
    ),
    (
      "{\"\(String(repeating: "k", count: 500))\":\"\(String(repeating: "v", count: 5_000))\"}",
      .object([String(repeating: "k", count: 500): .string(String(repeating: "v", count: 5_000))])
    ),
  ]

  /// Texts that are no JSON.
  private static let rejected =
    structure + numbers + strings.map { "[\($0)]" } + objects

  private static let structure = [
    "", " ", "\u{FEFF}", "[", "]", "{", "}", "[1", "[1,", "[\"a\"", "[\"a", "[1}", "{\"a\":1]",
    "[]]", "[[]", "[][]", "{}{}", "1 2",
    "[1]x", "[1]]", "[,]", "[,1]", "[1,]", "[1,,2]", "[1,,]", "[1 2]", "[1:2]", "[1;2]",
    "[1,\u{B}]", "[\u{C}]", "[\u{A0}1]", "[\u{2060}]",
    "[\u{0}]", "\u{0}", "*", "[*]", "<null>", "<.>", "[a]", "a", "\u{E4}", "[\u{E4}]", "[nul]",
    "[tru]", "[fals]", "[True]", "[NULL]", "nulll",
    "undefined", "[1]#", "#", "//", "[1]//c", "[/**/]", "/**/[]", "{}/**/", "[1,\n1\n,1", "[{}",
    "[\n4\n,", "{\"a\":{}", "[\\n]", "\\u000A\"\"",
    "[\"\":1]", "[1\u{0}]", "[][", "[{", "{[", "{,", "[\"a\"\"b\"]", "'a'", "['a']", "[`a`]", "(1)",
    "[1]]]", "[true false]", "[[1][2]]",
  ]

  private static let numbers = [
    "-", "+1", "+", "-a", "--1", "-01", "00", "01", "012", "-012.5", ".5", "-.5", "1.", "-1.",
    "1.e5", "0.e1", "1..5", "1.5.5", "1e", "1E",
    "1e+", "1E-", "0e", "0e+", "0.3e", "0.3e+", "1.0e", "1.0e-", "1eE2", "1e2e3", "1e5.5", "1e+-5",
    "1+2", "1-", "1-1", "0x1", "0x", "0xFF",
    "1_000", "1,000", "1 000.0", "Infinity", "-Infinity", "inf", "NaN", "-NaN", "nan", "++1", "- 1",
    "1a", "1.2a-3", "1.8011670033376514H-308",
    "\u{FF11}", "1\u{E4}", "1e\u{E4}", "0b1", "1f", "1d", "2.e-3", "9.e+", "-foo", "- ", ".-1",
    ".2e-3", "-e1", "e1", "123\u{0}",
  ].flatMap { $0 == "1,000" ? ["1,000"] : [$0, "[\($0)]", "{\"a\":\($0)}"] }

  private static let strings = [
    "\"", "\"\\\"", "\"\\", "\"\\a\"", "\"\\x41\"", "\"\\'\"", "\"\\0\"", "\"\\U0041\"", "\"\\u\"",
    "\"\\u1\"", "\"\\u12\"", "\"\\u123\"",
    "\"\\u123g\"", "\"\\u 123\"", "\"\\u+123\"", "\"\\\u{E4}\"", "\"\\\u{1F600}\"", "\"\\\t\"",
    "\"\\\u{0}\"", "\"\t\"", "\"\n\"", "\"\r\"", "\"\u{0}\"",
    "\"\u{1F}\"", "\"a\u{1}b\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\\"", "\"\\ud800\\u\"",
    "\"\\ud800\\u1\"", "\"\\ud800\\u1x\"",
    "\"\\ud800\\n\"", "\"\\ud800a\"", "\"\\udd1e\\ud834\"", "\"\\ud834\\ud834\"", "abc", "'abc'",
    "\"a\"b", "\\u0020\"a\"", "\"\\u00\\u0041\"",
  ]

  private static let objects = [
    "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\",1}", "{\"a\"::1}", "{:1}", "{a:1}", "{'a':1}",
    "{1:1}", "{null:1}", "{[]:1}", "{{}:1}", "{\"a\":1,}",
    "{\"a\":1,,}", "{\"a\":1,,\"b\":2}", "{,\"a\":1}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}",
    "{\"a\":1}#", "{\"a\":1}//", "{\"a\":1}/**/", "{\"a\":/**/1}",
    "{\"a\":1", "{\"a\":", "{\"a\"", "{\"a", "{\"", "{9999E9999:1}", "{\u{1F1E8}}", "{\"a\":\"b}",
    "{\"a\":1}}", "{\"a\":1}x", "{\"\\ud800\":1}", "{\"\\x\":1}",
    "{\"a\":\"b\",\"c\"}", "{\"a\": truu}", "{null:null,null:null}", "{\"a\":'b'}", "{\"a\n\":1}",
    "{\"a\"=1}", "{\"a\"=>1}", "{\"a\":1}\u{0}",
  ]

  @Test func whatIsJSONIsAccepted() {
    for (text, value) in Self.accepted {
      #expect(
        FastDecoding.outcome(JSONValue.self, text).value == value, "\(shortened(Data(text.utf8)))")
      expectSame(JSONValue.self, text)
    }
  }

  @Test func whatIsNotJSONIsRejected() {
    for text in Self.rejected {
      let outcome = FastDecoding.outcome(JSONValue.self, text)
      #expect(outcome.failure != nil, "\(text.debugDescription) was read as \(outcome)")
    }
  }

  @Test func whatIsNotJSONFailsAsInFoundation() {
    for text in Self.rejected { expectSame(JSONValue.self, text) }
  }

  @Test func bytesThatAreNotUTF8AreRejected() {
    let bytes: [[UInt8]] = [
      [0xFF], [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80],
      [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xE4],
    ]
    for invalid in bytes {
      for (before, after) in [
        ("[\"", "\"]"), ("{\"", "\":1}"), ("[", "]"), ("", ""), ("[1", "]"), ("[1e", "]"),
        ("[\"\\", "\"]"), ("[\"\\u12", "\"]"),
      ] {
        let data = Data(before.utf8) + invalid + Data(after.utf8)
        #expect(FastDecoding.outcome(JSONValue.self, data).failure != nil, "\(shortened(data))")
        expectSame(JSONValue.self, data)
      }
    }
  }

  @Test func whatIsOpenToChoiceDoesNotCrash() {
    let digits = String(repeating: "9", count: 2_000)
    for text in [
      "[1e400]", "[-1e400]", "[1e-400]", "[0.4e\(digits)]", "[123e\(digits)]", "[-1e+\(digits)]",
      "[\(digits)]", "[-\(digits)]", "[0.\(digits)]",
      "[1e-\(digits)]", "\u{FEFF}{}", "\u{FEFF}[1]",
    ] {
      expectSame(JSONValue.self, text)
      expectSame([Double].self, text)
      expectSame([Float].self, text)
    }
  }
}
