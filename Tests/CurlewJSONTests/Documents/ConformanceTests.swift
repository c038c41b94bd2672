import Foundation
import Testing

/// Tests which texts RFC 8259 requires parsers to accept and to reject.
@Suite(.timeLimit(.minutes(1)))
struct ConformanceTests {
  /// Valid JSON texts and their values.
  private static let accepted: [(String, JSONValue)] = [
    // Structure and whitespace.
    ("[]", []), ("{}", [:]), ("[[]]", [[]]), (" \t\r\n[ ] \n", []), ("[\n1\r,\t2 ]", [1, 2]),
    ("{ \"a\" : { } }", ["a": [:]]), ("[null, true, false]", [nil, true, false]),
    ("[1,\"a\",[],{}]", [1, "a", [], [:]]), ("[1]\n", [1]),
    ("{\"a\":[{\"b\":[]}]}", ["a": [["b": []]]]),
    // Top-level scalars.
    ("0", 0), ("-0.1", -0.1), ("\"a\"", "a"), ("\"\"", ""), ("true", true), ("false", false),
    ("null", nil), (" 7 ", 7),
    // Numbers.
    ("[0]", [0]), ("[-0]", [0]), ("[10]", [10]), ("[-123]", [-123]), ("[0.5]", [0.5]),
    ("[-0.0]", [0]), ("[1e5]", [1e5]), ("[1E5]", [1e5]), ("[1e+05]", [1e5]), ("[1E-2]", [0.01]),
    ("[0e1]", [0]), ("[0E+10]", [0]), ("[12.34e2]", [1234]),
    ("[0.00000000000000000000000000001]", [1e-29]), ("[100000000000000000000]", [1e20]),
    ("[1.7976931348623157e308]", [1.7976931348623157e308]),
    // Strings.
    (#"["\"\\\/\b\f\n\r\t"]"#, ["\"\\/\u{8}\u{C}\n\r\t"]), (#"["\u0000"]"#, ["\u{0}"]),
    (#"["\u00e4\u00E4"]"#, ["\u{E4}\u{E4}"]), (#"["\ud834\udd1e"]"#, ["\u{1D11E}"]),
    (#"["\uDBFF\uDFFF"]"#, ["\u{10FFFF}"]), (#"["\uffff"]"#, ["\u{FFFF}"]),
    (#"["\\u0041"]"#, ["\\u0041"]), (#"["\\\""]"#, ["\\\""]),
    (
      "[\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}\"]",
      ["\u{7F}\u{80}\u{7FF}\u{800}\u{FFFD}\u{10000}\u{10FFFF}"]
    ),
    ("[\"\u{2028}\u{2029}\u{FEFF}\u{200B}\"]", ["\u{2028}\u{2029}\u{FEFF}\u{200B}"]),
    ("[\"/* no comment */ // [,]\"]", ["/* no comment */ // [,]"]), ("[\"'\"]", ["'"]),
    // Objects.
    ("{\"\":0}", ["": 0]), (#"{"\u0000":1}"#, ["\u{0}": 1]), ("{\"a\":1,\"a\":1}", ["a": 1]),
    ("{\"a\":1,\"b\":2}", ["a": 1, "b": 2]), (#"{"\u0061":"\u0062"}"#, ["a": "b"]),
    ("{\"\u{E4}\u{1F600}\":null}", ["\u{E4}\u{1F600}": nil]),
    ("{\"min\": -1.0e+28, \"max\": 1.0e+28}", ["min": -1e28, "max": 1e28]),
    (
      "{\"\("k".repeated(500))\":\"\("v".repeated(5_000))\"}",
      ["k".repeated(500): .string("v".repeated(5_000))]
    ),
  ]

  /// Invalid JSON texts.
  private static let rejected =
    structure + numbers + strings.map { "[\($0)]" } + objects

  static let structure = [
    "", " ", "\u{FEFF}", "[", "]", "{", "}", "[1", "[1,", "[\"a\"", "[\"a", "[1}", "{\"a\":1]",
    "[]]", "[[]", "[][]", "{}{}", "1 2", "[1]x", "[1]]", "[,]", "[,1]", "[1,]", "[1,,2]", "[1,,]",
    "[1 2]", "[1:2]", "[1;2]", "[1,\u{B}]", "[\u{C}]", "[\u{A0}1]", "[\u{2060}]", "[\u{0}]",
    "\u{0}", "*", "[*]", "<null>", "<.>", "[a]", "a", "\u{E4}", "[\u{E4}]", "[nul]", "[tru]",
    "[fals]", "[True]", "[NULL]", "nulll", "undefined", "[1]#", "#", "//", "[1]//c", "[/**/]",
    "/**/[]", "{}/**/", "[1,\n1\n,1", "[{}", "[\n4\n,", "{\"a\":{}", "[\\n]", "\\u000A\"\"",
    "[\"\":1]", "[1\u{0}]", "[][", "[{", "{[", "{,", "[\"a\"\"b\"]", "'a'", "['a']", "[`a`]", "(1)",
    "[1]]]", "[true false]", "[[1][2]]", "{,}", "[] []", "{} {}", "[\"a\" \"b\"]",
  ]

  private static let numbers = [
    "-", "+1", "+", "-a", "--1", "-01", "00", "01", "012", "-012.5", ".5", "-.5", "1.", "-1.",
    "1.e5", "0.e1", "1..5", "1.5.5", "1e", "1E", "1e+", "1E-", "0e", "0e+", "0.3e", "0.3e+", "1.0e",
    "1.0e-", "1eE2", "1e2e3", "1e5.5", "1e+-5", "1+2", "1-", "1-1", "0x1", "0x", "0xFF", "1_000",
    "1,000", "1 000.0", "Infinity", "-Infinity", "inf", "NaN", "-NaN", "nan", "++1", "- 1", "1a",
    "1.2a-3", "1.8011670033376514H-308", "\u{FF11}", "1\u{E4}", "1e\u{E4}", "0b1", "1f", "1d",
    "2.e-3", "9.e+", "-foo", "- ", ".-1", ".2e-3", "-e1", "e1", "123\u{0}",
  ].flatMap { $0 == "1,000" ? ["1,000"] : [$0, "[\($0)]", "{\"a\":\($0)}"] }

  private static let strings = [
    "\"", "\"\\\"", "\"\\", "\"\\a\"", "\"\\x41\"", "\"\\'\"", "\"\\0\"", "\"\\U0041\"", "\"\\u\"",
    "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"", "\"\\u 123\"", "\"\\u+123\"",
    "\"\\\u{E4}\"", "\"\\\u{1F600}\"", "\"\\\t\"", "\"\\\u{0}\"", "\"\t\"", "\"\n\"", "\"\r\"",
    "\"\u{0}\"", "\"\u{1F}\"", "\"a\u{1}b\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\\"",
    "\"\\ud800\\u\"", "\"\\ud800\\u1\"", "\"\\ud800\\u1x\"", "\"\\ud800\\n\"", "\"\\ud800a\"",
    "\"\\udd1e\\ud834\"", "\"\\ud834\\ud834\"", "abc", "'abc'", "\"a\"b", "\\u0020\"a\"",
    "\"\\u00\\u0041\"",
  ]

  static let objects = [
    "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\",1}", "{\"a\"::1}", "{:1}", "{a:1}", "{'a':1}",
    "{1:1}", "{null:1}", "{[]:1}", "{{}:1}", "{\"a\":1,}", "{\"a\":1,,}", "{\"a\":1,,\"b\":2}",
    "{,\"a\":1}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\":1}#", "{\"a\":1}//",
    "{\"a\":1}/**/", "{\"a\":/**/1}", "{\"a\":1", "{\"a\":", "{\"a\"", "{\"a", "{\"",
    "{9999E9999:1}", "{\u{1F1E8}}", "{\"a\":\"b}", "{\"a\":1}}", "{\"a\":1}x", "{\"\\ud800\":1}",
    "{\"\\x\":1}", "{\"a\":\"b\",\"c\"}", "{\"a\": truu}", "{null:null,null:null}", "{\"a\":'b'}",
    "{\"a\n\":1}", "{\"a\"=1}", "{\"a\"=>1}", "{\"a\":1}\u{0}",
  ]

  @Test func `what is JSON is accepted`() {
    for (text, value) in Self.accepted {
      #expect(
        FastDecoding.outcome(JSONValue.self, text).value == value, "\(shortened(Data(text.utf8)))")
      expectSame(JSONValue.self, text)
    }
  }

  @Test func `what is not JSON is rejected as by foundation`() {
    for text in Self.rejected {
      let outcome = FastDecoding.outcome(JSONValue.self, text)
      #expect(outcome.failure != nil, "\(text.debugDescription) was read as \(outcome)")
      expectSame(JSONValue.self, text)
    }
  }

  @Test func `bytes that are not UTF8 are rejected`() {
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

  @Test func `what is open to choice does not crash`() {
    let digits = String(repeating: "9", count: 2_000)
    for text in [
      "[1e400]", "[-1e400]", "[1e-400]", "[0.4e\(digits)]", "[123e\(digits)]", "[-1e+\(digits)]",
      "[\(digits)]", "[-\(digits)]", "[0.\(digits)]",
      "[1e-\(digits)]", "\u{FEFF}{}", "\u{FEFF}[1]",
    ] {
      expectSame(asEachOf: [JSONValue.self, [Double].self, [Float].self], text)
    }
  }
}
