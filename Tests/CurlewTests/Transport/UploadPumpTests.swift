import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Curlew

/// The conversion of a body to the stream that a session reads.
@Suite(.timeLimit(.minutes(1)))
struct UploadPumpTests {
  private struct Broke: Error {}

  /// A stream with capacity for a number of chunks.
  private final class Stream: UploadPump.Sink {
    let state = Mutex((data: Data(), isClosed: false))
    let closed = Gate()
    let room: Int

    init(room: Int = .max) { self.room = room }

    var text: String { state.withLock { String(decoding: $0.data, as: UTF8.self) } }

    func write(_ data: Data) async throws {
      try state.withLock { state in
        guard state.data.count < room else { throw Broke() }
        state.data += data
      }
    }

    func close() {
      state.withLock { $0.isClosed = true }
      closed.open()
    }
  }

  private func body(
    _ chunks: [String], isRepeatable: Bool = true, failure: (any Error)? = nil
  ) -> OutgoingBody {
    OutgoingBody(isRepeatable: isRepeatable) {
      var rest = chunks[...]
      return {
        if let chunk = rest.popFirst() { return Data(chunk.utf8) }
        if let failure { throw failure }
        return nil
      }
    }
  }

  @Test func `a stream has the whole body and then its end`() async {
    let stream = Stream()
    let (lengths, continuation) = AsyncStream.makeStream(of: Int64?.self)
    let pump = UploadPump(body(["a", "bc", "d"])) { continuation.yield(try? $0.get()) }
    #expect(pump.start(into: stream))
    await stream.closed.wait()
    #expect(stream.text == "abcd")
    #expect(await lengths.first { _ in true } == 4)
  }

  @Test func `a body that can be read again is sent again`() async {
    let (first, second) = (Stream(), Stream())
    let pump = UploadPump(body(["a", "b"])) { result in
      if case .failure = result { Testing.Issue.record("failed") }
    }
    #expect(pump.start(into: first))
    await first.closed.wait()
    #expect(pump.start(into: second))
    await second.closed.wait()
    #expect(second.text == "ab")
  }

  @Test func `a body that can be read once is not`() async {
    let (first, second) = (Stream(), Stream())
    let pump = UploadPump(body(["a"], isRepeatable: false)) { result in
      if case .failure = result { Testing.Issue.record("failed") }
    }
    #expect(pump.start(into: first))
    await first.closed.wait()
    #expect(!pump.start(into: second))
    #expect(second.text == "")
  }

  @Test func `the error of a source is told`() async {
    let (stream, told) = (Stream(), Gate())
    let pump = UploadPump(body(["a"], failure: Broke())) { result in
      #expect("\(result)".contains("Broke"))
      told.open()
    }
    #expect(pump.start(into: stream))
    await told.wait()
    await stream.closed.wait()
    #expect(stream.text == "a")
  }

  @Test func `a session that reads no more is no error`() async {
    let stream = Stream(room: 1)
    let pump = UploadPump(body(["a", "b", "c"])) { result in
      if case .failure = result { Testing.Issue.record("failed") }
    }
    #expect(pump.start(into: stream))
    await stream.closed.wait()
    #expect(stream.text == "a")
    pump.stop()
    #expect(!pump.start(into: stream))
  }
}
