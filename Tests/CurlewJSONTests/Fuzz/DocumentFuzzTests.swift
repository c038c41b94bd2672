import Foundation
import TestSupport
import Testing

/// Decodes damaged real documents with realistic types.
///
/// `CURLEW_FUZZ=1000000` sets the number of decodings, `CURLEW_SEED` the seed.
@Suite(.timeLimit(.minutes(10)))
struct DocumentFuzzTests {
  /// Compares the two decoders for a type and setting: returns the difference, and whether `FastJSONDecoder` succeeds.
  private struct Pair: Sendable {
    let check: @Sendable (Data) -> (difference: String?, succeeds: Bool)

    init<T: Decodable & Equatable & SendableMetatype>(
      _ type: T.Type, configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) {
      check = { data in
        let comparison = Comparison(type, data, configure)
        return (comparison.difference, comparison.outcome.value != nil)
      }
    }
  }

  private static let app: @Sendable (JSONDecoder) -> Void = {
    $0.keyDecodingStrategy = .convertFromSnakeCase
    $0.dateDecodingStrategy = .iso8601
  }

  private static let pairs: [Pair] = [
    Pair([RealTypes.Issue].self, configure: app),
    Pair(RealTypes.Lossy<RealTypes.Issue>.self, configure: app),
    Pair([RealTypes.PlainIssue].self), Pair(RealTypes.PlainIssue.self),
    Pair(RealTypes.Page<RealTypes.Movie>.self, configure: app),
    Pair(RealTypes.Feed.self),
    Pair([RealTypes.Repository?].self, configure: app),
    Pair(RealTypes.Repository.self, configure: app),
    Pair(RealTypes.Lossy<RealTypes.PlainIssue>.self), Pair([String: JSONValue].self),
    Pair(JSONValue.self), Pair([[String: RealTypes.LooseNumber?]].self),
    Pair([RealTypes.User].self) {
      $0.keyDecodingStrategy = .custom { AnyKey(stringValue: ($0.last?.stringValue ?? "") + "") }
    },
    Pair(RealTypes.Lossy<RealTypes.Movie>.self, configure: app),
  ]

  private func fuzz(_ documents: [Data], runs: Int, seed: UInt64) {
    var mutation = Mutation(random: SeededGenerator(seed: Fuzz.seed(seed)))
    var decoded = 0
    for run in 0..<runs {
      let document = mutation.random.pick(documents)
      let data = mutation.damaged(document, times: mutation.random.pick(0...3))
      let (difference, succeeds) = mutation.random.pick(Self.pairs).check(data)
      #expect(difference == nil, "run \(run)")
      if succeeds { decoded += 1 }
    }
    // Most damaged documents fail; the comparison must also cover successes.
    #expect(decoded > runs / 50, "\(decoded) of \(runs) decoded")
  }

  /// The objects and short lists of the documents, which decode faster than whole documents.
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

  @Test func `own documents are the same in real types`() {
    fuzz([Corpus.own, Corpus.own[...]], runs: Fuzz.runs(1_000, of: 5), seed: 14)
  }

  @Test(.enabled(if: !Corpus.recorded.isEmpty, "../shared/recordings is not beside this checkout"))
  func `recorded documents are the same in real types`() {
    #expect(Corpus.recorded.count > 50)
    fuzz(Self.parts, runs: Fuzz.runs(2_000, of: 4), seed: 15)
  }

  @Test(.enabled(if: !Corpus.recorded.isEmpty, "../shared/recordings is not beside this checkout"))
  func `whole recordings are the same`() {
    let longest = Corpus.recorded.sorted { $0.count < $1.count }.suffix(Fuzz.size(8, full: 300))
    for document in longest {
      for pair in Self.pairs { #expect(pair.check(document).difference == nil) }
    }
  }
}
