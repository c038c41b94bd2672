import Foundation
import Testing

/// Parses the sources of the conformance tests, so that the list can't be out of date.
@Suite("What runs on which transport")
struct GapTests {
  private struct Case {
    let name: String
    /// Why `URLSession` on Linux is excluded; `nil` when both transports run.
    let gap: Gap?
  }

  private let cases: [Case]

  init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    cases =
      ResponseCase.all.map { Case(name: $0.testDescription, gap: $0.gap) }
      + CodedCase.all.map { Case(name: $0.testDescription, gap: $0.gap) }
      + (try files.filter { $0.hasSuffix("Tests.swift") }.flatMap { file in
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        return Self.cases(in: text, of: file.replacing(".swift", with: ""))
      })
  }

  /// Returns the tests whose first arguments are transports.
  private static func cases(in text: String, of suite: String) -> [Case] {
    let pattern =
      /@Test\(\s*arguments: TransportUnderTest\.(allCases|all\(but: \.(\w+)\))(?:.|\n)*?func `([^`]+)`/
    return text.matches(of: pattern).map { match in
      Case(
        name: "\(suite).\(match.3)",
        gap: match.2.flatMap { name in Gap.allCases.first { "\($0)" == name } })
    }
  }

  @Test func `at least 150 cases run on both transports`() {
    let (gaps, both) = (cases.count { $0.gap != nil }, cases.count { $0.gap == nil })
    print("Conformance: \(both) cases on both transports on every platform, \(gaps) with a gap.")
    #expect(both >= 150)
  }

  @Test func `each gap is that of a test`() {
    #expect(Set(cases.compactMap(\.gap)) == Set(Gap.allCases))
  }

  @Test func `what is left out is said`() {
    guard !Gap.areRun else { return }
    for gap in Gap.allCases {
      print("Not run on URLSession here, because \(gap.rawValue):")
      for one in cases where one.gap == gap { print("  \(one.name)") }
    }
  }
}
