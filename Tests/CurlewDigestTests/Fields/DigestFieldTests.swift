import CurlewDigest
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DigestFieldTests {
  /// The digests of `{"hello": "world"}`, as in RFC 9530 section 2, but without the final newline.
  static let sha256 = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
  static let sha512 =
    "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
  private let body = Data(#"{"hello": "world"}"#.utf8)

  @Test func `digests are those of the RFC`() {
    let field = DigestField(of: body, [.sha256, .sha512])
    #expect(field.description == "\(Self.sha256), \(Self.sha512)")
    #expect(DigestField(field.description) == field)
  }

  @Test(arguments: [
    ("sha-256=:AQI=:", 1), ("sha-256=:AQI:", 1), (" sha-256=:AQI=: ", 1), ("sha-256=::", 1),
    ("sha-256=:AQI=:;a=1;b;c=?0", 1), ("sha-256=:AQI=: ,\t sha-512=:AQI=:", 2),
    ("sha-256=:AA==:, sha-256=:AQI=:", 1), ("md5=:AQI=:, unixsum=:AQI=:, sha=:AQI=:", 0), ("", 0),
    (
      #"a, b;c, d=1, e=-1.5, f="x\"\\", g=tok/en:x, h=?1, i=@-5, j=%"f%c3%bc", k=(1 "a";b  :AA==:)"#,
      0
    ),
    ("SHA-256=:AQI=:, sha-256 =:AQI=:", 0), ("a=\"x, sha-256=:AAA=:", 0),
    ("id-sha-256=:AQI=:, sha-256=:AQI=:", 1), ("*x=(), y=( ), sha-256=:AQI=:", 1),
  ])
  func `dictionaries are parsed`(value: String, count: Int) throws {
    let field = try #require(DigestField(value))
    #expect(field.digests.count == count)
    #expect(field.digests.values.allSatisfy { $0 == Data([1, 2]) || $0.isEmpty })
  }

  @Test(arguments: [
    "sha-256=AQI=", "sha-256=:AQI=", "sha-256=:A QI=:", "sha-256=:AQI=:,", ",sha-256=:AQI=:",
    "sha-256=:AQI==:", "sha-256=:AQ-_:", "sha-256=:A:", "sha-256=:=:", "sha-256= :AQI=:",
    "sha-256=:AQI=: x", "sha-256", "sha-256=1", "sha-256=(:AQI=:)", "=1",
  ])
  func `what is no dictionary of digests is rejected`(value: String) {
    #expect(DigestField(value) == nil)
  }

  @Test func `mutated fields are parsed or not`() {
    var random = SeededGenerator(seed: Fuzz.seed())
    let samples = [
      Self.sha256, "\(Self.sha256), \(Self.sha512)", "sha-256=:AQI=:;a=\"b\\\"\", c=(1 2.5 ?0);d",
      "a=%\"%c3%a4\", b=@12, c=to/ke:n, sha-512=::",
    ]
    for _ in 0..<Fuzz.runs(20_000) {
      let text = mutated(samples, &random)
      guard let field = DigestField(text) else { continue }
      #expect(DigestField(field.description) == field, "\(text)")
    }
  }

  @Test func `files are checked in pieces`() async throws {
    let data = Data((0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let file = try TemporaryFile(data)
    let digests = DigestField(of: data, [.sha256, .sha512])
    #expect(try await DigestField(of: file.url, [.sha256, .sha512]) == digests)
    try await digests.check(file: file.url)
    await #expect(throws: DigestField.FileError.mismatch(.sha512)) {
      try await DigestField(of: Data([1]), [.sha512]).check(file: file.url)
    }
    await #expect(throws: DigestField.FileError.noDigest) {
      try await DigestField([:]).check(file: file.url)
    }
    let missing = file.url.deletingLastPathComponent().appending(path: "missing")
    await #expect {
      try await digests.check(file: missing)
    } throws: { error in
      guard case DigestField.FileError.unreadable(let reason) = error else { return false }
      return reason.contains("No such file")
    }
  }

  @Test func `a cancelled check of a file ends`() async throws {
    let file = try TemporaryFile(Data(count: 1_000))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await DigestField(of: Data()).check(file: file.url)
    }
    await #expect(throws: DigestField.FileError.cancelled) { try await task.value }
  }
}
