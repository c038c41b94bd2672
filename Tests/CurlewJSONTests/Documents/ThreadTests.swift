import CurlewJSON
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ThreadTests {
  struct Item: Decodable, Equatable {
    let id: Int
    let userName: String
    let scores: [Double?]
    let tags: [String: [Int]]?
  }

  /// Runs a closure on the given number of system threads concurrently.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body(index)
        group.leave()
      }
    }
    group.wait()
  }

  private static func document(_ thread: Int, _ round: Int) -> Data {
    let items = (0..<20).map { index in
      let extra = index % 3 == thread % 3 ? ",\"tags\":{\"t\(round)\":[\(thread)]}" : ""
      return
        "{\"scores\":[\(thread).5,null],\"user_name\":\"u\(thread)-\(round)-\(index)\",\"id\":\(index)\(extra)}"
    }
    return Data(items.array.utf8)
  }

  @Test func `several threads decode at once with one decoder`() {
    let (decoder, foundation) = (FastJSONDecoder(), JSONDecoder())
    [decoder, foundation].forEach(snakeCase)
    let wrong = Mutex<[String]>([])
    onThreads(8) { thread in
      for round in 0..<60 {
        let data = Self.document(thread, round)
        let expected = try? foundation.decode([Item].self, from: data)
        let outcome = Outcome { try decoder.decode([Item].self, from: data) }
        if expected == nil || outcome.value != expected {
          wrong.withLock { $0.append("\(outcome)") }
        }
      }
    }
    #expect(wrong.withLock { $0 } == [])
  }

  @Test func `errors of several threads do not mix`() {
    let decoder = FastJSONDecoder()
    let wrong = Mutex<[String]>([])
    onThreads(8) { thread in
      for round in 0..<100 {
        let good = "{\"v\":\(thread)},".repeated(thread)
        let data = Data("[\(good){\"v\":\"x\(round)\"}]".utf8)
        let failure = Outcome { try decoder.decode([Holder<Int>].self, from: data) }.failure
        if failure?.path != ["Index \(thread)#\(thread)", "v"] {
          wrong.withLock { $0.append("\(thread): \(failure as Any)") }
        }
        let broken = Outcome { try decoder.decode([Int].self, from: Data("[\(thread),".utf8)) }
          .failure
        if broken != .notJSON { wrong.withLock { $0.append("\(broken as Any)") } }
      }
    }
    #expect(wrong.withLock { $0 } == [])
  }
}
