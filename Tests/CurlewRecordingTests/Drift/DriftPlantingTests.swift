import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Plants changes in copies of recordings: the report must list exactly these changes.
@Suite(.timeLimit(.minutes(10)))
struct DriftPlantingTests {
  /// Realistic responses: several per endpoint, nested lists, missing keys, nulls, errors.
  private static let own = HAR(entries: [
    .init(
      .get, "https://a.example/movies/11",
      response: .json(
        #"""
        {"id": 11, "title": "Star \"Wars\"", "score": 8.5, "tags": ["a", "b", null], "cut": null,
         "cast": [{"name": "Mark", "roles": [{"id": 1, "as": "Luke"}]}, {"name": null, "roles": []}]}
        """#)),
    .init(
      .get, "https://a.example/movies/12/",
      response: .json(
        #"""
        {"id": 12, "title": "Nemo", "score": 7, "tags": [], "cut": {"minutes": 100, "by": "Andrew"},
         "cast": [{"name": "Ellen", "roles": [{"id": 2}, {"id": 3, "as": null}]}], "sequel": true}
        """#)),
    .init(
      .get, "https://a.example/movies", response: .json("[{\"id\": 1}, {\"id\": \"2\"}, 3, []]")),
    .init(.post, "https://a.example/movies", response: .json("{\"id\": 1}", status: .created)),
    .init(.delete, "https://a.example/movies/1", response: .status(.noContent)),
    .init(
      .post, "https://a.example/movies",
      response: .json("{\"errors\": [{\"field\": \"id\"}]}", status: .unprocessableContent)),
    .init(.get, "https://b.example/", response: Sample(body: Data("<html>".utf8))),
    .init(.get, "https://b.example/cached", response: .status(.notModified)),
  ])

  private func check(
    _ har: HAR, plantings count: Int, upTo largest: Int = .max, atOnce: Int = 6, seed: UInt64
  ) throws {
    let original = PlantedRecording(har, upTo: largest)
    var random = SeededGenerator(seed: Fuzz.seed(seed))
    var done = 0
    while done < count {
      let (copy, expected, plantings) = original.planting(
        min(random.pick(1...atOnce), count - done), &random)
      try #require(!plantings.isEmpty)
      done += plantings.count
      let lines = DriftReport(from: har, to: copy).lines
      let (missing, wrong) = (
        Set(expected).subtracting(lines), Set(lines).subtracting(expected)
      )
      guard missing.isEmpty, wrong.isEmpty, lines.count == expected.count else {
        Testing.Issue.record("planted: \(plantings)\nmissing: \(missing)\nwrong: \(wrong)")
        return
      }
    }
  }

  @Test(
    .enabled(if: Recordings.exist, "../shared/recordings is not beside this checkout"),
    arguments: [("github.har", 145, 6), ("itunes.har", 60, 20), ("tmdb.har", 75, 10)])
  func `planted changes of real recordings are named exactly`(name: String, count: Int, atOnce: Int)
    throws
  {
    // Five of GitHub's responses take as long as the other 91 together.
    let largest = Fuzz.size(120_000, full: .max)
    try check(
      try HAR(contentsOf: Recordings.folder.appending(path: name)),
      plantings: Fuzz.runs(count, of: 1_000),
      upTo: largest, atOnce: atOnce, seed: 13)
  }

  @Test(arguments: 0..<4) func `planted changes of small responses are named exactly`(seed: Int)
    throws
  {
    try check(Self.own, plantings: Fuzz.runs(1_000, of: 100), seed: 100 + UInt64(seed))
  }

  @Test(
    .enabled(if: Recordings.exist, "../shared/recordings is not beside this checkout"),
    arguments: ["github.har", "itunes.har", "tmdb.har"])
  func `recording in another order has not changed`(name: String) throws {
    let har = try HAR(contentsOf: Recordings.folder.appending(path: name))
    try expectNothing(of: har)
  }

  @Test func `small responses in another order have not changed`() throws {
    try expectNothing(of: Self.own)
  }

  /// Rewrites each text with its keys in a different order, and expects no changes.
  private func expectNothing(of har: HAR) throws {
    var other = har
    var count = 0
    for index in har.entries.indices {
      guard let tree = try? JSONTree(har.entries[index].response.body) else { continue }
      other.entries[index].response.body = Data(tree.text.utf8)
      count += other.entries[index] == har.entries[index] ? 0 : 1
    }
    #expect(count > 0)
    other.entries.reverse()
    for (old, new) in [(har, har), (har, other), (other, har)] {
      let report = DriftReport(from: old, to: new)
      #expect(report.description == "No changes.")
      #expect(!report.endpoints.isEmpty && report.changes.isEmpty)
    }
  }
}
