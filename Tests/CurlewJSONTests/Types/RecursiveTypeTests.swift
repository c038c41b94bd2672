import Testing

@Suite(.timeLimit(.minutes(1)))
struct RecursiveTypeTests {
  /// A recursive type with fields before and after, which requests its container twice.
  final class Tree: Decodable, Equatable {
    enum CodingKeys: String, CodingKey { case name, left, right, list, size }
    let name: String, left: Tree?, right: Tree?, list: [Tree], size: Int?,
      container: KeyedDecodingContainer<CodingKeys>

    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: CodingKeys.self)
      left = try container.decodeIfPresent(Tree.self, forKey: .left)
      name = try container.decode(String.self, forKey: .name)
      let again = try decoder.container(keyedBy: CodingKeys.self)
      right = try again.decodeIfPresent(Tree.self, forKey: .right)
      list = try container.decodeIfPresent([Tree].self, forKey: .list) ?? []
      size =
        try (try? again.decode(Int.self, forKey: .size))
        ?? container.decodeIfPresent(Int.self, forKey: .size)
      // The parts' containers still refer to the parts.
      for part in [left, right].compactMap({ $0 }) + list {
        guard try part.container.decode(String.self, forKey: .name) == part.name else {
          throw CancellationError()
        }
      }
    }

    static func == (first: Tree, second: Tree) -> Bool {
      (first.name, first.size, first.list) == (second.name, second.size, second.list)
        && first.left == second.left && first.right == second.right
        && first.container.codingPath.map(Failure.describe)
          == second.container.codingPath.map(Failure.describe)
        && (try? first.container.decode(String.self, forKey: .name)) == second.name
    }
  }

  @Test func `a type that holds itself is the same`() {
    var document = #"{"name":"a"}"#
    for depth in 0..<12 {
      let small = "{\"size\":\(depth),\"name\":\"n\(depth)\"}"
      document =
        depth % 3 == 0
        ? "{\"right\":\(document),\"name\":\"r\(depth)\",\"left\":\(small)}"
        : "{\"list\":[\(small),\(document),\(small)],\"size\":\(depth),\"name\":\"l\(depth)\",\"left\":null}"
      expectSame(Tree.self, document)
      expectSame([Tree].self, "[\(small),\(document),\(document)]")
      expectSame(Tree.self, document, configure: snakeCase)
      expectSame(Tree.self, document.replacing("\"n\(depth)\"", with: "1"))
    }
  }
}
