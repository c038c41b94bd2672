import CurlewJSON
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ManyKeysTests {
  private func object(_ names: [String], _ value: (Int) -> String = { "\($0)" }) -> String {
    "{" + names.enumerated().map { "\"\($1)\":\(value($0))" }.joined(separator: ",") + "}"
  }

  @Test func aTypeWith300KeysIsTheSame() {
    let names = (0..<300).map { "key\($0)" }
    let large = object(names)
    expectSame(Large.self, large)
    expectSame([Large].self, "[\(large),\(object(names.reversed())),{},\(object(names + names))]")
    expectSame(Large.self, object(names.filter { $0.hasSuffix("7") }))
    expectSame(Large.self, object(names.map { $0 + "x" }))
    expectSame([Large].self, "[{\"key299\":\"x\"}]")
    expectSame([Large].self, "[{\"key299\":null,\"key0\":1}]")
    #expect(expectSame(Large.self, large).value?.numbers == Array(0..<300))
  }

  /// Decodes all keys that there are, and some that there aren't.
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

  @Test func thousandsOfKeysAreTheSame() {
    for count in [1, 10, 100, 1_000, 5_000] {
      let names = (0..<count).map { "name \($0 * 31 % 4_999)" }
      expectSame(AllKeys.self, object(names))
      expectSame([String: Int].self, object(names))
      expectSame([AllKeys].self, "[\(object(names)),\(object(names.reversed()))]")
    }
    expectSame(AllKeys.self, object((0..<2_000).map { "\u{E4}\($0 % 1_500)" }))
    expectSame([Int: Int].self, object((0..<3_000).map { "\($0)" }))
  }

  @Test func allKeysAreInTheOrderOfTheDocument() throws {
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
      case key0, key1, key2, key3, key4, key5, key6, key7, key8, key9
      case key10, key11, key12, key13, key14, key15, key16, key17, key18, key19
      case key20, key21, key22, key23, key24, key25, key26, key27, key28, key29
      case key30, key31, key32, key33, key34, key35, key36, key37, key38, key39
      case key40, key41, key42, key43, key44, key45, key46, key47, key48, key49
      case key50, key51, key52, key53, key54, key55, key56, key57, key58, key59
      case key60, key61, key62, key63, key64, key65, key66, key67, key68, key69
      case key70, key71, key72, key73, key74, key75, key76, key77, key78, key79
      case key80, key81, key82, key83, key84, key85, key86, key87, key88, key89
      case key90, key91, key92, key93, key94, key95, key96, key97, key98, key99
      case key100, key101, key102, key103, key104, key105, key106, key107, key108, key109
      case key110, key111, key112, key113, key114, key115, key116, key117, key118, key119
      case key120, key121, key122, key123, key124, key125, key126, key127, key128, key129
      case key130, key131, key132, key133, key134, key135, key136, key137, key138, key139
      case key140, key141, key142, key143, key144, key145, key146, key147, key148, key149
      case key150, key151, key152, key153, key154, key155, key156, key157, key158, key159
      case key160, key161, key162, key163, key164, key165, key166, key167, key168, key169
      case key170, key171, key172, key173, key174, key175, key176, key177, key178, key179
      case key180, key181, key182, key183, key184, key185, key186, key187, key188, key189
      case key190, key191, key192, key193, key194, key195, key196, key197, key198, key199
      case key200, key201, key202, key203, key204, key205, key206, key207, key208, key209
      case key210, key211, key212, key213, key214, key215, key216, key217, key218, key219
      case key220, key221, key222, key223, key224, key225, key226, key227, key228, key229
      case key230, key231, key232, key233, key234, key235, key236, key237, key238, key239
      case key240, key241, key242, key243, key244, key245, key246, key247, key248, key249
      case key250, key251, key252, key253, key254, key255, key256, key257, key258, key259
      case key260, key261, key262, key263, key264, key265, key266, key267, key268, key269
      case key270, key271, key272, key273, key274, key275, key276, key277, key278, key279
      case key280, key281, key282, key283, key284, key285, key286, key287, key288, key289
      case key290, key291, key292, key293, key294, key295, key296, key297, key298, key299
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
