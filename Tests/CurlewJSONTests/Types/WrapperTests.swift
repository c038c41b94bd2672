import Testing

@Suite(.timeLimit(.minutes(1)))
struct WrapperTests {
  /// Keeps only the elements of a list that can be decoded.
  @propertyWrapper
  struct Lossy<Element: Decodable & Equatable>: Decodable, Equatable {
    var wrappedValue: [Element]
    init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws {
      var (container, elements) = (try decoder.unkeyedContainer(), [Element]())
      while !container.isAtEnd {
        if let element = try? container.decode(Element.self) {
          elements.append(element)
        } else {
          _ = try container.decode(Unread.self)
        }
      }
      wrappedValue = elements
    }
  }

  /// Replaces a missing or null value by a default.
  @propertyWrapper
  struct OrZero: Decodable, Equatable {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      wrappedValue = container.decodeNil() ? 0 : try container.decode(Int.self)
    }
  }

  struct Wrapped: Decodable, Equatable {
    @Lossy var list: [Int]
    @OrZero var count: Int
  }

  /// An object with fields that are decoded even if others fail.
  struct Forgiving: Decodable, Equatable {
    enum CodingKeys: String, CodingKey { case a, b, c, d }
    let a: Int?, b: String?, c: [Int]?, d: Holder<UInt8>?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      a = try? container.decode(Int.self, forKey: .a)
      b = try? container.decode(String.self, forKey: .b)
      c = try? container.decode([Int].self, forKey: .c)
      d = try? container.decode(Holder<UInt8>.self, forKey: .d)
    }
  }

  private let documents = [
    #"{"list":[1,"x",2],"count":3}"#, #"{"list":[],"count":null}"#, #"{"list":[1]}"#,
    #"{"count":1}"#, #"{"list":[-,1.5,300,"\x",[1],{"a":1},null,1e400,7],"count":1}"#,
    #"{"list":{},"count":1}"#, #"{"list":[1],"count":"x"}"#,
  ]

  @Test func `property wrappers are the same`() {
    for document in documents {
      expectSame(Wrapped.self, document)
      expectSame([Wrapped].self, "[\(document),\(document)]")
    }
  }

  @Test func `what fails is left out`() {
    let texts = [
      "1", "\"x\"", "[1,2]", "{\"v\":3}", "null", "-", "\"\\x\"", "[1,-]", "{\"v\":300}", "1e400",
    ]
    for first in texts {
      for second in texts {
        let document = #"{"a":\#(first),"b":\#(second),"c":\#(first),"d":\#(second)}"#
        expectSame(Forgiving.self, document)
        expectSame([Forgiving].self, "[{},\(document)]")
      }
    }
    let outcome = expectSame(Forgiving.self, #"{"a":1e400,"b":"\x","c":[-],"d":{"v":1}}"#)
    #expect(outcome.value?.d == Holder(v: 1))
  }

  struct UserError: Error, Equatable { let text: String }

  struct Failing: Decodable, Equatable {
    let number: Int
    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
      guard number >= 0 else { throw UserError(text: "negative") }
      if number > 9 {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "More than 9"))
      }
    }
  }

  @Test func `errors of users come through`() {
    for text in ["1", "-1", "10", "\"x\"", "1.5", "-"] {
      expectSame(Failing.self, text)
      expectSame([[String: Failing]].self, "[{\"k\":\(text)}]")
      expectSame(Maybe<Failing>.self, "{\"v\":\(text)}")
      expectSame(Wrapped2.self, "{\"list\":[1,\(text),3]}")
    }
    #expect(expectSame([Failing].self, "[1,-1]").failure?.kind == .other)
    #expect(expectSame([Failing].self, "[1,10]").failure?.text == "More than 9")
  }

  struct Wrapped2: Decodable, Equatable { @Lossy var list: [Failing] }

  /// Throws a different error after a scalar that can't be decoded, or rethrows the same error later.
  struct Translating: Decodable, Equatable {
    let number: Int
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      do {
        number = try container.decode(Int.self, forKey: "a")
      } catch {
        switch try container.decode(String.self, forKey: "then") {
        case "user": throw UserError(text: "translated")
        case "mine":
          throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "mine"))
        case "wrapped":
          throw DecodingError.dataCorrupted(
            .init(
              codingPath: container.codingPath, debugDescription: "wrapped", underlyingError: error)
          )
        case "late":
          _ = try container.decode([Int].self, forKey: "list")
          throw error
        default: throw error
        }
      }
    }
  }

  @Test func `what is thrown after a malformed scalar is kept`() {
    for scalar in ["1", "-", "1e400", "\"x\"", "null", "1.5"] {
      for then in ["user", "mine", "wrapped", "late", "same"] {
        let document = #"{"a":\#(scalar),"then":"\#(then)","list":[1]}"#
        expectSame(Translating.self, document)
        expectSame(Holder<[Translating]>.self, "{\"v\":[\(document)]}")
      }
    }
  }
}
