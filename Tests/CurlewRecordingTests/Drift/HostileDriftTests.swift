import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Hostile responses take time proportional to their size, and don't crash the process.
@Suite(.timeLimit(.minutes(10)))
struct HostileDriftTests {
  private func report(_ old: String, _ new: String) -> DriftReport {
    let recordings = [old, new].map {
      HAR(entries: [.init(.get, "https://a.b/x", response: .json($0))])
    }
    return DriftReport(from: recordings[0], to: recordings[1])
  }

  @Test func `deep text is no JSON`() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      func nested(_ depth: Int) -> String {
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      }
      #expect(
        report("{}", nested(100_000)).changes.map(\.kind)
          == [.bodyChanged(from: [.json], to: [.other])])
      #expect(report("{}", String(repeating: open, count: 100_000)).changes.count == 1)
      let path = report(nested(512), nested(512).replacing("1", with: "null")).changes.first
      #expect(path?.kind == .nullabilityChanged(from: .never, to: .always))
    }
  }

  @Test func `many and long keys are reported`() {
    let keys = (0..<Fuzz.size(10_000, full: 100_000)).map { "\"key\($0)\": 1" }
    let many = "{" + keys.joined(separator: ",") + "}"
    let gone = report(many, "{}")
    #expect(gone.changes.count == keys.count)
    #expect(gone.changes.allSatisfy { $0.kind == .disappeared(types: [.integer]) })

    // Otherwise each path would be as long as the key above.
    let long = String(repeating: "é\u{301}", count: 50_000)
    let below = report("{\"\(long)\": {}}", "{\"\(long)\": \(many)}")
    #expect(below.changes.count == keys.count)
    #expect(below.changes.allSatisfy { $0.codingPath.utf8.count < 1_200 })
    let deep = String(repeating: "{\"\(long.prefix(60))\":", count: 100)
    let end = String(repeating: "}", count: 100)
    let paths = report(deep + "{}" + end, deep + "{\"a\": 1, \"b\": 2}" + end).changes
    #expect(paths.count == 2)
    #expect(paths.allSatisfy { $0.codingPath.hasSuffix("…") && $0.codingPath.utf8.count < 1_300 })
  }

  @Test func `key can not write a line of its own`() {
    let text = report("{}", #"{"a\n  b: gone (string)": 1}"#).description
    #expect(text.split(separator: "\n").count == 2)
  }

  @Test func `many elements take linear time`() {
    let count = Fuzz.size(100_000, full: 10_000_000)
    let list = "[" + String(repeating: "1,", count: count) + "1.5]"
    #expect(
      report("[1]", list).changes.map(\.kind) == [.typeChanged(from: [.integer], to: [.number])])
  }

  /// Any damaged bytes result in a report, in which an invalid body is a single change.
  @Test func `damaged texts are compared`() {
    var random = SeededGenerator(seed: Fuzz.seed())
    let whole = Data(#"{"a": [1, -2.5e3, {"b\u0041\\": null}, "é\"", true, false], "12": {}}"#.utf8)
    for _ in 0..<Fuzz.runs(3_000, of: 20) {
      var body = whole
      for _ in 0..<random.pick(1...3) where !body.isEmpty {
        let index = random.pick(0...body.count - 1)
        switch random.pick(0...2) {
        case 0: body[index] = random.pick(Array(#"{}[]",:\e.0tfn-"#.utf8))
        case 1: body.remove(at: index)
        default: body.removeSubrange(index...)
        }
      }
      let entries = [whole, body].map {
        HAR.Entry(.get, "https://a.b/x", response: Sample(body: $0))
      }
      let report = DriftReport(from: HAR(entries: [entries[0]]), to: HAR(entries: [entries[1]]))
      let isJSON =
        (try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)) != nil
      if !isJSON { #expect(report.changes.count == 1) }
    }
  }
}
