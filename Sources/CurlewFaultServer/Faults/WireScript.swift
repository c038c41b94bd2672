import Foundation
import HTTPTypes

/// The steps of a server's response: bytes, pauses and, optionally, the end of the connection.
struct WireScript: Sendable {
  enum Step: Sendable {
    /// Sends bytes, at a limited rate if given.
    case send(Data, bytesPerSecond: Int?)
    case pause(Duration)
    case end(Fault.End)
  }

  private(set) var steps: [Step] = []

  /// Creates the script of a message, with the faults that have a position in it.
  init(_ message: WireMessage, _ faults: [Fault]) {
    let size = message.bytes.count
    var marks: [(offset: Int, kind: Fault.Kind)] = []
    for fault in faults {
      switch fault.kind {
      case .slow(_, let position), .pause(_, let position), .end(_, let position):
        marks.append((message.offset(of: position), fault.kind))
      default: break
      }
    }
    let end = marks.filter(\.kind.isEnd).min { $0.offset < $1.offset }
    marks = marks.filter { !$0.kind.isEnd && $0.offset <= end?.offset ?? size }
    var sent = 0
    var rate: Int?
    func send(_ steps: inout [Step], upTo offset: Int) {
      guard offset > sent else { return }
      steps.append(.send(Data(message.bytes[sent..<offset]), bytesPerSecond: rate))
      sent = offset
    }
    // Sorted by position; faults with the same position keep their order.
    for mark in marks.enumerated().sorted(by: {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }).map(\.element) {
      send(&steps, upTo: mark.offset)
      switch mark.kind {
      case .slow(let bytesPerSecond, _): rate = bytesPerSecond
      case .pause(let duration, _): steps.append(.pause(duration))
      default: break
      }
    }
    send(&steps, upTo: end?.offset ?? size)
    if case .end(let end, _)? = end?.kind {
      steps.append(.end(end))
    } else if message.closes {
      steps.append(.end(.cut))
    }
  }

  /// Returns this script followed by another script, or this script alone if it ends with a cut, a reset or silence.
  func followed(by other: WireScript) -> WireScript {
    if case .end = steps.last { return self }
    var copy = self
    var rest = other.steps[...]
    // In a single write if no pause separates them, so that the client receives both together.
    if case .send(let bytes, nil) = steps.last, case .send(let more, nil) = rest.first {
      copy.steps[steps.count - 1] = .send(bytes + more, bytesPerSecond: nil)
      rest.removeFirst()
    }
    copy.steps += rest
    return copy
  }
}

extension Fault.Kind {
  fileprivate var isEnd: Bool {
    if case .end = self { true } else { false }
  }
}
