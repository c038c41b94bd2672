import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

extension HARRecorder {
  /// Returns the recording, with its file checked.
  func checkedHAR(_ location: SourceLocation = #_sourceLocation) -> HAR {
    let checker = HARChecker(har.data())
    #expect(checker.problems == [] && checker.contradictions == [], sourceLocation: location)
    return har
  }
}

extension StubResponse {
  /// Returns a response with a body in chunks, which ends with an error if given.
  static func chunks(_ texts: String..., error: (any Error)? = nil) -> StubResponse {
    .responding { _ in
      IncomingResponse(
        head: HTTPResponse(status: .ok),
        body: ResponseBody {
          var rest = texts[...]
          return {
            if let text = rest.popFirst() { return Data(text.utf8) }
            if let error { throw error }
            return nil
          }
        })
    }
  }
}

extension Client {
  /// Returns a client of a stub with recorders and without a limit for the whole call.
  static func recorded(
    by recorders: HARRecorder..., stub: StubTransport,
    configure: (inout Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      $0.networkMiddleware = recorders.map { .recording($0) }
      $0.limits.total = nil
      configure(&$0)
    }
  }
}
