import CurlewJSON
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// Real documents, damaged, in types as apps have them.
///
/// `CURLEW_FUZZ=1000000` decodes as often, `CURLEW_SEED` something else.
@Suite(.timeLimit(.minutes(10)))
struct DocumentFuzzTests {
  /// Compares the two decoders with one type and one setting.
  struct Comparison: Sendable {
    let name: String
    let check: @Sendable (Data) -> String?
    let succeeds: @Sendable (Data) -> Bool

    init<T: Decodable & Equatable & SendableMetatype>(
      _ type: T.Type, configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) {
      name = "\(type)"
      check = { data in
        let (foundation, ours) = (JSONDecoder(), FastJSONDecoder())
        configure(foundation)
        configure(ours)
        let expected = Outcome { try foundation.decode(type, from: data) }
        let outcome = Outcome { try ours.decode(type, from: data) }
        if agree(expected, outcome, data)
          || isAnyOf(outcome, data, decode: { Outcome { try foundation.decode(type, from: data) } })
        {
          return nil
        }
        return "\(type): Foundation \(expected), ours \(outcome)"
      }
      succeeds = { data in
        let decoder = FastJSONDecoder()
        configure(decoder)
        return (try? decoder.decode(type, from: data)) != nil
      }
    }
  }

  private static let app: @Sendable (JSONDecoder) -> Void = {
    $0.keyDecodingStrategy = .convertFromSnakeCase
    $0.dateDecodingStrategy = .iso8601
  }

  static let comparisons: [Comparison] = [
    Comparison([RealTypes.Issue].self, configure: app),
    Comparison(RealTypes.Lossy<RealTypes.Issue>.self, configure: app),
    Comparison([RealTypes.PlainIssue].self), Comparison(RealTypes.PlainIssue.self),
    Comparison(RealTypes.Page<RealTypes.Movie>.self, configure: app),
    Comparison(RealTypes.Feed.self),
    Comparison([RealTypes.Repository?].self, configure: app),
    Comparison(RealTypes.Repository.self, configure: app),
    Comparison(RealTypes.Lossy<RealTypes.PlainIssue>.self), Comparison([String: JSONValue].self),
    Comparison(JSONValue.self), Comparison([[String: RealTypes.LooseNumber?]].self),
    Comparison([RealTypes.User].self) {
      $0.keyDecodingStrategy = .custom { AnyKey(stringValue: ($0.last?.stringValue ?? "") + "") }
    },
    Comparison(RealTypes.Lossy<RealTypes.Movie>.self, configure: app),
  ]

  private func fuzz(_ documents: [Data], runs: Int, seed: UInt64) {
    var mutation = Mutation(random: SeededGenerator(seed: Fuzz.seed(seed)))
    var decoded = 0
    for run in 0..<runs {
      let document = mutation.random.pick(documents)
      let data = mutation.damaged(document, times: mutation.random.pick(0...3))
      let comparison = mutation.random.pick(Self.comparisons)
      if let difference = comparison.check(data) {
        Issue.record(
          "run \(run): \(difference)\n\(String(decoding: data, as: UTF8.self).debugDescription)")
      }
      if comparison.succeeds(data) { decoded += 1 }
    }
    // Most that is damaged fails; what is compared must not be errors alone.
    #expect(decoded > runs / 50, "\(decoded) of \(runs) decoded")
  }

  /// The objects and short lists of a document, which decode faster than all of it.
  private static let parts: [Data] = {
    func parts(_ data: Data) -> [Data] {
      guard let json = try? JSONSerialization.jsonObject(with: data) else { return [] }
      let elements = (json as? [Any]) ?? (json as? [String: Any])?["results"] as? [Any] ?? []
      return elements.prefix(3).flatMap { element -> [Data] in
        guard let data = try? JSONSerialization.data(withJSONObject: element) else { return [] }
        return [data, Data("[".utf8) + data + Data("]".utf8)]
      }
    }
    return ([Corpus.own] + Corpus.recorded).flatMap { [$0] + parts($0) }.filter { $0.count < 6_000 }
  }()

  @Test func ownDocumentsAreTheSameInRealTypes() {
    fuzz([Corpus.own, Corpus.own[...]], runs: Fuzz.runs(1_000, of: 5), seed: 14)
  }

  @Test(.enabled(if: !Corpus.recorded.isEmpty, "../shared/recordings is not beside this checkout"))
  func recordedDocumentsAreTheSameInRealTypes() {
    #expect(Corpus.recorded.count > 50)
    fuzz(Self.parts, runs: Fuzz.runs(2_000, of: 4), seed: 15)
  }

  @Test(.enabled(if: !Corpus.recorded.isEmpty, "../shared/recordings is not beside this checkout"))
  func wholeRecordingsAreTheSame() {
    for document in Corpus.recorded.sorted(by: { $0.count < $1.count }).suffix(
      Fuzz.size(8, full: 300))
    {
      for comparison in Self.comparisons {
        if let difference = comparison.check(document) { Issue.record("\(difference)") }
      }
    }
  }
}
