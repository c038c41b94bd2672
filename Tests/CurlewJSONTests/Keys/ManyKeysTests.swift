import CurlewJSON
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ManyKeysTests {
  private func object(_ names: [String]) -> String {
    names.enumerated().map { "\"\($1)\":\($0)" }.object
  }

  @Test func `a type with300 keys is the same`() {
    let names = (0..<300).map { "k\($0)" }
    let large = object(names)
    expectSame(Large.self, large)
    expectSame([Large].self, "[\(large),\(object(names.reversed())),{},\(object(names + names))]")
    expectSame(Large.self, object(names.filter { $0.hasSuffix("7") }))
    expectSame(Large.self, object(names.map { $0 + "x" }))
    expectSame([Large].self, "[{\"k299\":\"x\"}]")
    expectSame([Large].self, "[{\"k299\":null,\"k0\":1}]")
    #expect(expectSame(Large.self, large).value?.numbers == Array(0..<300))
  }

  /// Decodes all keys of an object, and some missing keys.
  struct AllKeys: Decodable, Equatable {
    let values: [String: Int]
    let missing: Int
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      var (values, missing) = ([String: Int](), 0)
      for key in container.allKeys {
        values[key.stringValue] = try container.decode(Int.self, forKey: key)
        if !container.contains(AnyKey(stringValue: key.stringValue + "?")) { missing += 1 }
      }
      (self.values, self.missing) = (values, missing)
    }
  }

  @Test func `thousands of keys are the same`() {
    for count in [1, 8, 9, 16, 17, 100, 1_000, 5_000] {
      let names = (0..<count).map { "name \($0 * 31 % 4_999)" }
      expectSame(AllKeys.self, object(names))
      expectSame([String: Int].self, object(names))
      expectSame([AllKeys].self, "[\(object(names)),\(object(names.reversed()))]")
    }
    expectSame(AllKeys.self, object((0..<2_000).map { "\u{E4}\($0 % 1_500)" }))
    expectSame([Int: Int].self, object((0..<3_000).map { "\($0)" }))
  }

  @Test func `all keys are in the order of the document`() throws {
    let names = ["z", "a", "m", "z", "b\u{301}", "\u{E4}", "0", "a", "_"]
    let data = Data(object(names).utf8)
    for strategy in [.useDefaultKeys, .convertFromSnakeCase] as [JSONDecoder.KeyDecodingStrategy] {
      let decoder = FastJSONDecoder()
      decoder.keyDecodingStrategy = strategy
      let keys = try decoder.decode(Order.self, from: data).names
      #expect(keys == ["z", "a", "m", "b\u{301}", "\u{E4}", "0", "_"])
    }
  }

  struct Order: Decodable {
    let names: [String]
    init(from decoder: any Decoder) throws {
      names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    }
  }

  struct Large: Decodable, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16, k17, k18, k19
      case k20, k21, k22, k23, k24, k25, k26, k27, k28, k29, k30, k31, k32, k33, k34, k35, k36, k37
      case k38, k39, k40, k41, k42, k43, k44, k45, k46, k47, k48, k49, k50, k51, k52, k53, k54, k55
      case k56, k57, k58, k59, k60, k61, k62, k63, k64, k65, k66, k67, k68, k69, k70, k71, k72, k73
      case k74, k75, k76, k77, k78, k79, k80, k81, k82, k83, k84, k85, k86, k87, k88, k89, k90, k91
      case k92, k93, k94, k95, k96, k97, k98, k99, k100, k101, k102, k103, k104, k105, k106, k107
      case k108, k109, k110, k111, k112, k113, k114, k115, k116, k117, k118, k119, k120, k121, k122
      case k123, k124, k125, k126, k127, k128, k129, k130, k131, k132, k133, k134, k135, k136, k137
      case k138, k139, k140, k141, k142, k143, k144, k145, k146, k147, k148, k149, k150, k151, k152
      case k153, k154, k155, k156, k157, k158, k159, k160, k161, k162, k163, k164, k165, k166, k167
      case k168, k169, k170, k171, k172, k173, k174, k175, k176, k177, k178, k179, k180, k181, k182
      case k183, k184, k185, k186, k187, k188, k189, k190, k191, k192, k193, k194, k195, k196, k197
      case k198, k199, k200, k201, k202, k203, k204, k205, k206, k207, k208, k209, k210, k211, k212
      case k213, k214, k215, k216, k217, k218, k219, k220, k221, k222, k223, k224, k225, k226, k227
      case k228, k229, k230, k231, k232, k233, k234, k235, k236, k237, k238, k239, k240, k241, k242
      case k243, k244, k245, k246, k247, k248, k249, k250, k251, k252, k253, k254, k255, k256, k257
      case k258, k259, k260, k261, k262, k263, k264, k265, k266, k267, k268, k269, k270, k271, k272
      case k273, k274, k275, k276, k277, k278, k279, k280, k281, k282, k283, k284, k285, k286, k287
      case k288, k289, k290, k291, k292, k293, k294, k295, k296, k297, k298, k299
    }

    let numbers: [Int?]
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var numbers = try CodingKeys.allCases.map {
        try container.decodeIfPresent(Int.self, forKey: $0)
      }
      for key in CodingKeys.allCases.reversed() where !container.contains(key) {
        numbers.append(nil)
      }
      self.numbers = numbers
    }
  }
}
