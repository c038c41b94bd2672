import CurlewJSON
import Foundation
import Testing

/// Tests containers and decoders that outlive `decode`.
@Suite(.timeLimit(.minutes(1)))
struct KeptContainerTests {
  struct Keyed: Decodable {
    let container: KeyedDecodingContainer<AnyKey>
    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: AnyKey.self)
    }
  }

  struct Unkeyed: Decodable {
    var container: any UnkeyedDecodingContainer
    init(from decoder: any Decoder) throws { container = try decoder.unkeyedContainer() }
  }

  struct Top: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }

  struct Super: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws {
      self.decoder = try decoder.container(keyedBy: AnyKey.self).superDecoder(forKey: "inner")
    }
  }

  private let json =
    #"{"a":1,"b":"text that is longer than 15 bytes","c":[1.5,"e\n"],"inner":{"a":[7]}}"#

  /// Decodes with both decoders, then decodes many other documents, and compares the results of a closure for both.
  private func compare<Kept: Decodable>(
    _ type: Kept.Type, _ json: String, _ read: (inout Kept, inout Log) throws -> Void
  ) throws {
    func keep(_ decoder: JSONDecoder) throws -> Kept {
      // A separate buffer, which is freed afterwards.
      try decoder.decode(type, from: Data(Array(json.utf8)))
    }
    let ours = FastJSONDecoder()
    var (expected, kept) = (try keep(JSONDecoder()), try keep(ours))
    for count in 0..<60 {
      let size = count % 9
      let other = (0...size).map { "{\"a\":\($0),\"b\":\"\($0)\",\"zz\":[]}" }.array
      #expect(try ours.decode([JSONValue].self, from: Data(other.utf8)).count == size + 1)
      _ = try? ours.decode([Int].self, from: Data("[1,\"\(count)\"".utf8))
    }
    var (first, second) = (Log(), Log())
    try read(&expected, &first)
    try read(&kept, &second)
    #expect(first.lines == second.lines)
    #expect(!second.lines.isEmpty)
  }

  private static func read(_ container: KeyedDecodingContainer<AnyKey>, _ log: inout Log) {
    log.add(container.allKeys.map(\.stringValue).sorted())
    log.add(path: container.codingPath)
    for key in ["a", "b", "c", "inner", "none"] as [AnyKey] {
      log.attempt { try container.decode(JSONValue.self, forKey: key) }
      log.attempt { try container.decode(Int.self, forKey: key) }
      log.attempt { try container.decodeIfPresent([JSONValue].self, forKey: key) as Any }
      log.attempt { try container.nestedContainer(keyedBy: AnyKey.self, forKey: key).allKeys }
      log.attempt { try JSONValue(from: container.superDecoder(forKey: key)) }
    }
  }

  @Test func `a keyed container stays valid`() throws {
    try compare(Keyed.self, json) { Self.read($0.container, &$1) }
    try compare([String: Keyed].self, "{\"k\":\(json)}") { kept, log in
      Self.read(try #require(kept["k"]).container, &log)
    }
  }

  @Test func `an unkeyed container stays valid`() throws {
    try compare(Unkeyed.self, "[1,\"two that is longer than 15 bytes\",[3],{\"a\":\(json)}]") {
      kept, log in
      for _ in 0..<6 {
        log.attempt { try kept.container.decode(Int.self) }
        log.attempt { try kept.container.decode(JSONValue.self) }
        log.add((kept.container.currentIndex, kept.container.isAtEnd))
      }
    }
  }

  @Test func `the top decoder stays valid`() throws {
    for document in [json, "[\(json)]", "17", "null"] {
      try compare(Top.self, document) { $1.ask($0.decoder) }
    }
  }

  @Test func `a super decoder stays valid`() throws {
    for document in [json, "{\"a\":1}", "{\"inner\":\(json)}"] {
      try compare(Super.self, document) { $1.ask($0.decoder) }
    }
  }

  /// Foundation's decoder of an inner value becomes the decoder of the whole document after decoding.
  @Test func `an inner decoder that is kept is the same`() throws {
    for document in ["[\(json)]", "[[1],2]", "[{\"a\":[]}]"] {
      try compare([Top].self, document) { kept, log in
        for top in kept { log.ask(top.decoder) }
      }
    }
  }

  struct Fields: Decodable {
    enum CodingKeys: CodingKey { case a, b, c, inner, none }
    let container: KeyedDecodingContainer<CodingKeys>
    let nested: KeyedDecodingContainer<CodingKeys>?
    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: CodingKeys.self)
      _ = try container.decodeIfPresent(Int.self, forKey: .a)
      nested = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
    }
  }

  @Test func `containers of declared keys stay valid`() throws {
    try compare([Fields].self, "[\(json),{},\(json),{\"inner\":{\"none\":1}}]") { kept, log in
      for fields in kept + kept.reversed() {
        for container in [fields.container, fields.nested].compactMap({ $0 }) {
          log.add(path: container.codingPath)
          log.add(container.allKeys.map(\.stringValue).sorted())
          for key in [.none, .inner, .c, .b, .a] as [Fields.CodingKeys] {
            log.attempt { try container.decode(JSONValue.self, forKey: key) }
            log.attempt {
              try container.decodeIfPresent(Fields.self, forKey: key)?.container.allKeys.count
                as Any
            }
            log.attempt { try container.superDecoder(forKey: key).unkeyedContainer().count as Any }
          }
        }
      }
    }
  }

  /// Containers whose super decoders are not retained, and containers of nested decoders.
  struct OfSuper: Decodable {
    var keyed: [KeyedDecodingContainer<Fields.CodingKeys>] = []
    var unkeyed: [any UnkeyedDecodingContainer] = []
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      for key in ["inner", "c", "a", "none"] as [AnyKey] {
        let inner = try container.superDecoder(forKey: key)
        if let container = try? inner.container(keyedBy: Fields.CodingKeys.self) {
          keyed.append(container)
        }
        if let container = try? inner.unkeyedContainer() { unkeyed.append(container) }
        if let fields = try? inner.singleValueContainer().decode(Fields.self) {
          keyed.append(fields.container)
        }
        if let container = try? Unkeyed(from: inner).container { unkeyed.append(container) }
      }
    }
  }

  @Test func `containers of super decoders stay valid`() throws {
    try compare([OfSuper].self, "[\(json),\(json),{\"inner\":[[1,2],{}]}]") { kept, log in
      for index in kept.indices {
        for container in kept[index].keyed {
          log.add(path: container.codingPath)
          for key in [.a, .none, .b] as [Fields.CodingKeys] {
            log.attempt { try container.decode(JSONValue.self, forKey: key) }
          }
        }
        for list in kept[index].unkeyed.indices {
          log.add(path: kept[index].unkeyed[list].codingPath)
          log.attempt { try kept[index].unkeyed[list].decode(Double.self) }
          log.attempt { try kept[index].unkeyed[list].decode(JSONValue.self) }
        }
      }
    }
  }

  @Test func `many containers can be kept`() throws {
    let document = (0..<300).map { "{\"a\":\($0)}" }.array
    let kept = try FastJSONDecoder().decode([Keyed].self, from: Data(document.utf8))
    for (index, keyed) in kept.enumerated().reversed() {
      #expect(try keyed.container.decode(Int.self, forKey: "a") == index)
    }
  }
}
