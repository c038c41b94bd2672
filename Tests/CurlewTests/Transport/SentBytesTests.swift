import Synchronization
import Testing

@testable import Curlew

/// When a body counts as sent: with a length known in advance, after the last bytes, or before them.
@Suite struct SentBytesTests {
  private final class Reports: Sendable {
    let all = Mutex<[String]>([])

    var list: [String] { all.withLock { $0 } }

    func bytes(of length: Int64?) -> SentBytes {
      SentBytes(of: length) { count, isLast in
        self.all.withLock { $0.append(isLast ? "end" : "\(count)") }
      }
    }
  }

  @Test func `body of a known length is sent with its last byte`() {
    let reports = Reports()
    let bytes = reports.bytes(of: 5)
    #expect(!bytes.add(3))
    #expect(bytes.add(2))
    #expect(reports.list == ["3", "2", "end"])
  }

  @Test func `stream is sent when its length and its last byte are there`() {
    for lengthIsFirst in [true, false] {
      let reports = Reports()
      let bytes = reports.bytes(of: nil)
      #expect(!bytes.add(3))
      if lengthIsFirst {
        #expect(!bytes.end(at: 5))
        #expect(bytes.add(2))
      } else {
        #expect(!bytes.add(2))
        #expect(bytes.end(at: 5))
      }
      #expect(reports.list == ["3", "2", "end"])
    }
  }

  @Test func `empty stream is sent when it has been read`() {
    let reports = Reports()
    #expect(reports.bytes(of: nil).end(at: 0))
    #expect(reports.list == ["end"])
  }

  @Test func `body that is sent again is counted anew`() {
    let reports = Reports()
    let bytes = reports.bytes(of: 2)
    #expect(bytes.add(2))
    bytes.restart()
    #expect(!bytes.add(1))
    #expect(bytes.add(1))
    #expect(reports.list == ["2", "end", "1", "1", "end"])
  }
}
