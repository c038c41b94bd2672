import Foundation
import TestSupport
import Testing

/// Decodes random documents with random types, matching or not.
///
/// `CURLEW_FUZZ=1000000` sets the number of decodings, `CURLEW_SEED` the seed.
@Suite(.timeLimit(.minutes(30)))
struct SchemaFuzzTests {
  private func describe(_ schema: Schema) -> String {
    "\(schema)".replacing("CurlewJSONTests.", with: "").replacing("Schema.", with: "")
  }

  private func configure(_ decoder: JSONDecoder, _ variant: Int, _ schema: Schema) {
    let isOrdered = variant & 1 != 0 || variant & 12 == 12
    decoder.userInfo[SchemaSlot.key] = SchemaSlot(schema, isOrdered: isOrdered)
    if variant & 1 != 0 { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    if variant & 2 != 0 { decoder.dateDecodingStrategy = .iso8601 }
    if variant & 12 == 12 {
      decoder.keyDecodingStrategy = .custom {
        AnyKey(stringValue: ($0.last?.stringValue ?? "").lowercased())
      }
    }
    if variant & 48 == 48 {
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "a", negativeInfinity: "id", nan: "name")
      decoder.dataDecodingStrategy = .deferredToData
    }
  }

  @Test(arguments: 0..<4) func `random types of random documents are the same`(_ part: Int) {
    var random = SeededGenerator(seed: Fuzz.seed(100) &+ UInt64(part))
    let runs = Fuzz.runs(12_000) / 4
    var (values, failures, run) = (0, 0, 0)
    while run < runs {
      let schema = Schema.random(&random, depth: 4)
      var writer = DocumentWriter(random: random, oddOneIn: random.pick([4, 12, 60]))
      for _ in 0..<6 {
        run += 1
        var data = Data(writer.write(schema).utf8)
        if writer.random.chance(oneIn: 10) {
          var mutation = Mutation(random: writer.random)
          data = mutation.damaged(data, times: 1)
          writer.random = mutation.random
        }
        let variant = random.pick(0...63)
        let comparison = Comparison(Dynamic.self, data) { configure($0, variant, schema) }
        if comparison.outcome.value != nil { values += 1 } else { failures += 1 }
        #expect(comparison.difference == nil, "\(describe(schema)), variant \(variant)")
      }
      random = writer.random
    }
    #expect(min(values, failures) > runs / 10, "\(values) values, \(failures) failures")
  }
}
