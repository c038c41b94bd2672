import CurlewJSON
import Foundation
import Synchronization
import Testing

/// Tests custom key types: with values of one byte or zero, with equal or changing names.
@Suite(.timeLimit(.minutes(1)))
struct OddKeyTests {
  /// A key for each byte, unlike in enumerations.
  struct ByteKey: CodingKey {
    let byte: UInt8
    init(_ byte: UInt8) { self.byte = byte }
    init?(intValue: Int) { self.init(UInt8(truncatingIfNeeded: intValue)) }
    init?(stringValue: String) {
      guard let byte = UInt8(stringValue) else { return nil }
      self.init(byte)
    }
    var stringValue: String { "\(byte)" }
    var intValue: Int? { Int(byte) }
  }

  /// Many cases with the same name, `aB`, except for the first cases.
  enum SameCase: Int, ByteNamed {
    case n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15, n16, n17, n18, n19
    case n20, n21, n22, n23, n24, n25, n26, n27, n28, n29, n30, n31, n32, n33, n34, n35, n36, n37
    init(_ byte: UInt8) { self = Self(rawValue: Int(byte) % 38) ?? .n0 }
    init?(intValue: Int) { nil }
    init?(stringValue: String) { self = .n7 }
    var stringValue: String { rawValue < 20 ? "name\(rawValue)" : "aB" }
    var intValue: Int? { nil }
  }

  /// Many keys with the same name, `aB`, except for the first 20 bytes.
  struct SameName: ByteNamed {
    let byte: UInt8
    init(_ byte: UInt8) { self.byte = byte }
    init?(intValue: Int) { nil }
    init?(stringValue: String) { self.init(7) }
    var stringValue: String { byte < 20 ? "name\(byte)" : "aB" }
    var intValue: Int? { nil }
  }

  enum Payload: CodingKey, Equatable {
    case known, flag(Bool)
    init?(intValue: Int) { nil }
    init?(stringValue: String) {
      switch stringValue {
      case "known": self = .known
      case "yes": self = .flag(true)
      case "no": self = .flag(false)
      default: return nil
      }
    }
    var stringValue: String {
      switch self {
      case .known: "known"
      case .flag(let flag): flag ? "yes" : "no"
      }
    }
    var intValue: Int? { nil }
  }

  /// A key type with a single value, whose name is set elsewhere.
  struct Changing: CodingKey {
    static let name = Mutex("a")
    init() {}
    init?(intValue: Int) { nil }
    init?(stringValue: String) {}
    var stringValue: String { Self.name.withLock { $0 } }
    var intValue: Int? { nil }
  }

  final class ObjectKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// A key that lowercases its name in `init`, so that `allKeys` has names that are not in the document.
  struct Lowercase: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue.lowercased() }
    init?(intValue: Int) { nil }
  }

  enum AllBytes: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let container = try decoder.container(keyedBy: ByteKey.self)
      log.add(container.allKeys.map(\.byte).sorted())
      for byte in [200, 3, 255, 0, 16, 17, 3, 128] as [UInt8] {
        log.attempt { try container.decode(Int.self, forKey: ByteKey(byte)) }
      }
      for byte in 0...255 as ClosedRange<UInt8> {
        log.attempt { try container.decodeIfPresent(Int.self, forKey: ByteKey(byte)) as Any }
      }
    }
  }

  @Test func `keys of one byte are the same`() {
    for document in [
      "{}", #"{"3":1}"#, #"{"200":1,"255":2,"0":3,"16":4}"#, #"{"17":"x","3":null}"#,
      (0...300).map { "\"\($0)\":\($0)" }.object,
      (0...300).reversed().map { "\"\($0)\":\($0),\"0\($0)\":1" }.object,
    ] {
      expectSame(Probe<AllBytes>.self, document)
      expectSame([Probe<AllBytes>].self, "[{\"5\":1},\(document),{}]")
      expectSame(Probe<AllBytes>.self, document, configure: snakeCase)
    }
  }

  enum EqualNames<Key: ByteNamed>: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for byte in [30, 200, 0, 255, 19, 30, 201, 1] as [UInt8] {
        log.attempt { try container.decodeIfPresent(Int.self, forKey: Key(byte)) as Any }
        log.add(container.contains(Key(byte)))
      }
      log.add(container.allKeys.count)
    }
  }

  @Test func `keys of equal names are the same`() {
    let documents =
      [
        #"{"aB":1,"name0":2}"#, #"{"a_b":1}"#, #"{"A_b":1}"#, #"{"a__b":1,"name_0":2}"#,
        #"{"a_B":1,"aB":2}"#,
        #"{"a___b":1,"x":2}"#, #"{"A_B":1}"#, #"{"name19":3,"a____b":4}"#, "{}",
      ] + (5..<40).map { "{\"name_7\":2,\"a\("_".repeated($0))\($0 % 2 == 0 ? "b" : "B")\":3}" }
    func check<Key: ByteNamed>(_ type: Key.Type) {
      for document in documents + [documents.array] {
        for configure in [{ _ in }, snakeCase] as [(JSONDecoder) -> Void] {
          expectSame(
            asEachOf: [Probe<EqualNames<Key>>.self, [Probe<EqualNames<Key>>].self], document,
            configure: configure)
        }
      }
    }
    for _ in 0..<3 {
      check(SameName.self)
      check(SameCase.self)
    }
  }

  enum Others: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let payload = try decoder.container(keyedBy: Payload.self)
      log.add(payload.allKeys.map(\.stringValue).sorted())
      for key in [.flag(false), .known, .flag(true)] as [Payload] {
        log.attempt { try payload.decode(Int.self, forKey: key) }
      }
      let object = try decoder.container(keyedBy: ObjectKey.self)
      for name in ["known", "yes", "none"] {
        log.add(object.contains(ObjectKey(stringValue: name)))
        log.attempt {
          try object.decodeIfPresent(Int.self, forKey: ObjectKey(stringValue: name)) as Any
        }
      }
      let lowercase = try decoder.container(keyedBy: Lowercase.self)
      for key in lowercase.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
        log.add("\(key.stringValue) \(lowercase.contains(key))")
        log.attempt { try lowercase.decode(Int.self, forKey: key) }
      }
    }
  }

  @Test func `payloads objects and odd initialisers are the same`() {
    for document in [
      #"{"known":1,"yes":2,"no":3}"#, #"{"KNOWN":1,"Known":2,"yes":"x"}"#, "{}", #"{"no":null}"#,
    ] {
      expectSame(Probe<Others>.self, document)
      expectSame([Probe<Others>].self, "[\(document),\(document)]")
    }
  }

  struct Renamed: Decodable, Equatable {
    let values: [Int?]
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Changing.self)
      values = try ["a", "b", "a", "c"].map { name in
        Changing.name.withLock { $0 = name }
        return try container.decodeIfPresent(Int.self, forKey: Changing())
      }
    }
  }

  @Test func `a key whose name changes is the same`() {
    expectSame(Renamed.self, #"{"a":1,"b":2}"#)
    expectSame([Renamed].self, #"[{"b":2,"c":3},{"a":1}]"#)
  }

  @Test func `an enumerations key whose name changes is the same`() {
    enum Keys: CodingKey {
      case only
      static let name = Mutex("a")
      init?(intValue: Int) { nil }
      init?(stringValue: String) { self = .only }
      var stringValue: String { Self.name.withLock { $0 } }
      var intValue: Int? { nil }
    }
    struct Value: Decodable, Equatable {
      let number: Int
      init(from decoder: any Decoder) throws {
        number = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .only)
      }
    }
    for name in ["a", "b", "c", "a"] {
      Keys.name.withLock { $0 = name }
      for configure in [{ _ in }, snakeCase] as [(JSONDecoder) -> Void] {
        expectSame(Value.self, #"{"a":1,"b":2}"#, configure: configure)
      }
    }
  }

  @Test func `many snake case keys before they are asked for`() throws {
    // More keys than a decoder caches, and only later types request some of them.
    struct First: Decodable, Equatable { let keyA: Int? }
    let names = (0..<3_000).map { "some_key_\($0)" } + ["key_a", "key__a"]
    let document = names.enumerated().map { "\"\($1)\":\($0)" }.object
    for _ in 0..<2 {
      expectSame(asEachOf: [First.self, Late.self], document, configure: snakeCase)
      expectSame(
        [Late].self, "[\(document),{\"some_key_1\":7},{\"someKey1\":8,\"some_key_2999\":1}]",
        configure: snakeCase)
    }
  }

  /// Requests several of the many keys.
  struct Late: Decodable, Equatable {
    enum CodingKeys: String, CodingKey { case keyA, someKey1, someKey2500, someKey2999 }
    let values: [Int?]
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var values = [try container.decodeIfPresent(Int.self, forKey: .keyA)]
      for key in [.someKey1, .someKey2999, .someKey2500] as [CodingKeys] {
        values.append(try container.decodeIfPresent(Int.self, forKey: key))
      }
      self.values = values
    }
  }
}

/// A key that is created from a byte.
protocol ByteNamed: CodingKey {
  init(_ byte: UInt8)
}
