import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CodingPathTests {
  /// Reads coding paths on every level, before, between and after the values.
  enum Asking: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      log.add(path: decoder.codingPath)
      let container = try decoder.container(keyedBy: AnyKey.self)
      log.add(path: container.codingPath)
      let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "n")
      log.add(path: nested.codingPath)
      log.add(path: decoder.codingPath)
      var elements = try nested.nestedUnkeyedContainer(forKey: "list")
      log.add(path: elements.codingPath)
      for _ in 0..<5 where !elements.isAtEnd {
        if let inner = try? elements.decode(Probe<Asking>.self) { log.lines += inner.lines }
        log.attempt { try elements.decode(Int.self) }
        log.add(path: elements.codingPath)
        log.add(path: decoder.codingPath)
        if let value = try? elements.nestedContainer(keyedBy: AnyKey.self) {
          log.add(path: value.codingPath)
          log.add(path: try value.superDecoder().codingPath)
          log.add(path: try value.superDecoder(forKey: AnyKey(intValue: 5)).codingPath)
        }
      }
      let single = try decoder.singleValueContainer()
      log.add(path: single.codingPath)
      log.attempt { try nested.decode(Date.self, forKey: "none") }
      log.attempt { try container.decode([String: [Int]].self, forKey: "n") }
      log.add(path: decoder.codingPath)
    }
  }

  @Test func `they are right in the middle`() {
    let leaf = #"{"n":{"list":[1,2]}}"#
    for document in [
      leaf, #"{"n":{"list":[\#(leaf),3,{}, [], {"a":1}]}}"#, #"{"n":{"list":[\#(leaf),\#(leaf)]}}"#,
      #"{"n":{}}"#, #"{"n":[]}"#, "{}", #"{"n":{"list":{}}}"#,
    ] {
      expectSame(Probe<Asking>.self, document)
      expectSame([[String: [Probe<Asking>]]].self, "[{},{\"k\":[\(document),\(document)]}]")
    }
  }

  @Test func `they are right in errors of every depth`() {
    for (open, close) in [("[", "]"), ("{\"v\":", "}")] {
      for depth in [0, 1, 2, 7, 30] {
        let document = open.repeated(depth) + "\"x\"" + close.repeated(depth)
        expectSame(Nest.self, document)
      }
    }
    expectSame([[Holder<[String: [Int]]>]].self, #"[[],[{"v":{}},{"v":{"k":[1,2,true]}}]]"#)
    let failure = expectSameFailure(
      [[Holder<[Int]>]].self, #"[[{"v":[]}],[{"v":[1]},{"v":[2,null]}]]"#)
    #expect(failure?.path == ["Index 1#1", "Index 1#1", "v", "Index 1#1"])
  }

  /// A number nested in arrays and objects of any depth.
  indirect enum Nest: Decodable, Equatable {
    case leaf(Int), list([Nest]), holder(Nest)

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: AnyKey.self) {
        self = .holder(try container.decode(Nest.self, forKey: "v"))
      } else if var elements = try? decoder.unkeyedContainer() {
        self = .list([try elements.decode(Nest.self)])
      } else {
        self = .leaf(try decoder.singleValueContainer().decode(Int.self))
      }
    }
  }

  @Test func `an index of a dictionary has an int value`() {
    expectSameFailure([Int: Int].self, #"{"7":"x"}"#)
    expectSameFailure([Int: Int].self, #"{"x":7}"#)
    expectSameFailure([String: Int].self, #"{"7":"x"}"#)
    expectSameFailure([[Int: [Int]]].self, #"[{"-5":[1,"x"]}]"#)
  }
}
