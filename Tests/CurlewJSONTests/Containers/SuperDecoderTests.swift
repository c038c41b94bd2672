import Testing

@Suite(.timeLimit(.minutes(1)))
struct SuperDecoderTests {
  private let documents = [
    #"{"super":{"a":1},"base":{"a":2},"a":3}"#, #"{"a":3}"#, #"{"super":null,"base":null}"#,
    #"{"super":[1,2],"base":"x"}"#, #"{"super":{},"base":7}"#, #"{"super":"\x","base":-}"#, "[]",
    "1",
  ]

  enum Keyed: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      let supers = [
        try container.superDecoder(), try container.superDecoder(forKey: "base"),
        try container.superDecoder(forKey: "none"),
        try container.superDecoder(forKey: AnyKey(intValue: 3)),
      ]
      for decoder in supers + supers.reversed() {
        log.ask(decoder)
      }
    }
  }

  @Test func `of keyed containers is the same`() {
    for document in documents {
      expectSame(Probe<Keyed>.self, document)
      expectSame([[String: Probe<Keyed>]].self, "[{\"k\":\(document)}]")
    }
  }

  enum Unkeyed: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      var elements = try decoder.unkeyedContainer()
      for _ in 0..<4 {
        log.attempt {
          let decoder = try elements.superDecoder()
          return (decoder.codingPath.map(Failure.describe), try JSONValue(from: decoder))
        }
        log.add(elements.currentIndex)
        log.attempt { try elements.decode(Int.self) }
      }
    }
  }

  @Test func `of unkeyed containers is the same`() {
    for document in [
      "[]", "[1]", "[{\"a\":[null]},2,[3],4,null]", "[null,-1,\"x\",\"\\q\"]", "[[[[]]]]",
    ] {
      expectSame(Probe<Unkeyed>.self, document)
      expectSame(Holder<Probe<Unkeyed>>.self, "{\"v\":\(document)}")
    }
  }

  class Animal: Decodable {
    let name: String
    let legs: Int?
  }

  /// A subclass that decodes its superclass from `super`.
  final class Dog: Animal, Equatable {
    enum CodingKeys: CodingKey { case tricks }
    let tricks: [String]

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tricks = try container.decode([String].self, forKey: .tricks)
      try super.init(from: container.superDecoder())
    }

    static func == (first: Dog, second: Dog) -> Bool {
      (first.name, first.legs, first.tricks) == (second.name, second.legs, second.tricks)
    }
  }

  /// A subclass that shares its superclass's object.
  final class Cat: Animal, Equatable {
    enum CodingKeys: CodingKey { case lives, name }
    let lives: Int

    required init(from decoder: any Decoder) throws {
      lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
      try super.init(from: decoder)
    }

    static func == (first: Cat, second: Cat) -> Bool {
      (first.name, first.legs, first.lives) == (second.name, second.legs, second.lives)
    }
  }

  @Test func `classes with inheritance are the same`() {
    for document in [
      #"{"tricks":["sit"],"super":{"name":"Shiba","legs":4}}"#,
      #"{"tricks":[],"super":{"name":"a"}}"#, #"{"super":{"name":1},"tricks":[]}"#,
      #"{"tricks":["sit"]}"#, #"{"tricks":[],"super":null}"#, #"{"tricks":[1],"super":{}}"#,
      #"{"tricks":[],"super":{"legs":4}}"#, #"{"tricks":[],"super":[]}"#,
    ] {
      expectSame(Dog.self, document)
      expectSame([Dog?].self, "[null,\(document),\(document)]")
    }
    for document in [
      #"{"name":"Tom","legs":4,"lives":9}"#, #"{"lives":9,"legs":null,"name":"Tom"}"#,
      #"{"name":"Tom"}"#, #"{"lives":9}"#, #"{"name":"Tom","lives":"9"}"#,
      #"{"name":"Tom","lives":9.5}"#,
    ] {
      expectSame(Cat.self, document)
      expectSame([String: Cat].self, "{\"cat\":\(document)}")
    }
  }
}
