import CurlewJSON
import Foundation
import Testing

/// A decoder's caches must neither affect later texts nor retain objects.
@Suite(.timeLimit(.minutes(1)))
struct ReusedDecoderTests {
  struct Spelled: Decodable, Equatable {
    let longNameOfKey: Int?
    let other: Int?
  }

  @Test func `a key has more spellings than are remembered`() throws {
    let name = Array("long_name_of_key")
    let letters = name.indices.filter { name[$0] != "_" }
    let (foundation, ours) = (JSONDecoder(), FastJSONDecoder())
    [foundation, ours].forEach(snakeCase)
    for spelling in 0..<4_000 {
      var key = name
      for (bit, index) in letters.enumerated() where spelling >> bit & 1 == 1 {
        key[index] = Character(key[index].uppercased())
      }
      let data = Data("{\"other\":1,\"\(String(key))\":\(spelling)}".utf8)
      let value = try ours.decode(Spelled.self, from: data)
      #expect(value == Spelled(longNameOfKey: spelling, other: 1))
      if spelling % 100 == 0 { #expect(try foundation.decode(Spelled.self, from: data) == value) }
    }
  }

  final class Token: Sendable {}

  @Test func `settings are released with their decoder`() throws {
    weak var inUserInfo: Token?
    weak var inStrategy: Token?
    do {
      let (first, second) = (Token(), Token())
      (inUserInfo, inStrategy) = (first, second)
      let decoder = FastJSONDecoder()
      decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "token"))] = first
      decoder.dateDecodingStrategy = .custom { _ in
        withExtendedLifetime(second) { Date(timeIntervalSince1970: 0) }
      }
      #expect(try decoder.decode([Date].self, from: Data("[1,2]".utf8)).count == 2)
    }
    #expect(inUserInfo == nil)
    #expect(inStrategy == nil)
  }

  struct Keeping: Decodable {
    enum CodingKeys: CodingKey { case a }
    let container: KeyedDecodingContainer<CodingKeys>
    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: CodingKeys.self)
    }
  }

  @Test func `settings are released with the last kept container`() throws {
    weak var token: Token?
    do {
      let values: [Keeping]
      do {
        let (object, decoder) = (Token(), FastJSONDecoder())
        token = object
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "token"))] = object
        values = try decoder.decode([Keeping].self, from: Data(#"[{"a":1},{},{"a":2}]"#.utf8))
      }
      #expect(token != nil)
      #expect(
        try values.map { try $0.container.decodeIfPresent(Int.self, forKey: .a) } == [1, nil, 2])
    }
    #expect(token == nil)
  }

  /// Requests many containers of an object, and retains every second container.
  struct Asking: Decodable {
    enum CodingKeys: String, CodingKey { case a, b }
    var kept: [KeyedDecodingContainer<CodingKeys>] = []
    var sum = 0

    init(from decoder: any Decoder) throws {
      for count in 0..<5_000 {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sum += try container.decode(Int.self, forKey: .a)
        if count % 2 == 0 { kept.append(container) }
      }
    }
  }

  @Test func `a value may ask for many containers`() throws {
    let data = Data(#"[{"a":1,"b":"x"},{"a":2,"b":7}]"#.utf8)
    let values = try FastJSONDecoder().decode([Asking].self, from: data)
    #expect(values.map(\.sum) == [5_000, 10_000])
    for container in values[0].kept {
      #expect(try container.decode(String.self, forKey: .b) == "x")
      #expect(container.codingPath.map(\.intValue) == [0])
      let error = #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: .b) }
      guard case .typeMismatch(_, let context)? = error else { Issue.record("\(error)"); continue }
      #expect(context.codingPath.map(\.stringValue) == ["Index 0", "b"])
    }
    for container in values[1].kept {
      #expect(try container.decode(Int.self, forKey: .b) == 7)
    }
  }
}
