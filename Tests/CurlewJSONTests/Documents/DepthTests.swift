import Testing

@Suite(.timeLimit(.minutes(1)))
struct DepthTests {
  private func arrays(_ depth: Int, _ inner: String = "") -> String {
    "[".repeated(depth) + inner + "]".repeated(depth)
  }

  private func objects(_ depth: Int, _ inner: String = "1") -> String {
    "{\"v\":".repeated(depth) + inner + "}".repeated(depth)
  }

  @Test func `the512 th level is the last`() {
    for depth in [1, 2, 100, 510, 511, 512, 513, 514, 600, 1_024] {
      for document in [
        arrays(depth), arrays(depth, "1"), objects(depth), objects(depth, "{}"),
        arrays(depth, "{}"), arrays(depth - 1, "{}"),
        objects(depth - 1, "[]"), arrays(depth / 2, objects(depth - depth / 2)),
        "[\(arrays(depth - 1)),\(arrays(depth - 1))]",
        "{\"a\":\(objects(depth - 1)),\"v\":1}",
      ] {
        expectSame(asEachOf: [Unread.self, [Unread].self, Maybe<Unread>.self], document)
      }
    }
    #expect(expectSame(Unread.self, arrays(512)).value != nil)
    #expect(expectSame(Unread.self, arrays(513)).failure == .notJSON)
    #expect(expectSame(Unread.self, objects(513)).failure == .notJSON)
  }

  @Test func `reading all levels is the same`() {
    for depth in [50, 200] {
      expectSame(JSONValue.self, arrays(depth, "1"))
      expectSame(JSONValue.self, objects(depth))
      expectSame(CodingPathTests.Nest.self, objects(depth / 2, arrays(depth / 2, "\"x\"")))
    }
  }

  @Test func `depths that would overflow a stack fail`() {
    for depth in [10_000, 100_000, 1_000_000] {
      for document in [
        "[".repeated(depth), "{\"v\":".repeated(depth), "[{\"v\":".repeated(depth), arrays(depth),
        objects(depth),
      ] {
        #expect(FastDecoding.outcome(Unread.self, document).failure == .notJSON)
      }
    }
    for document in [
      "[".repeated(100_000), "[1,".repeated(100_000), arrays(100_000), objects(100_000),
    ] {
      expectSame(Unread.self, document)
    }
  }

  @Test func `closing brackets without opening ones fail`() {
    for text in [
      "]", "}", "]".repeated(1_000), "[]".repeated(600), "[[]]]".repeated(3), "}{".repeated(600),
    ] {
      expectSame(Unread.self, text)
    }
    expectSame(
      Unread.self, Array(repeating: arrays(511), count: 20).array)
  }
}
