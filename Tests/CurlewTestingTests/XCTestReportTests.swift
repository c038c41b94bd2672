#if os(Linux)
  import Curlew
  import CurlewScreens
  import CurlewTesting
  import Foundation
  import TestSupport
  import Testing
  import XCTest

  /// Tests of XCTest with mistakes, which `XCTestReportTests` runs in a process of their own.
  final class MistakenCases: XCTestCase {
    static let variable = "CURLEW_MISTAKEN_CASES"

    override func setUp() async throws {
      try XCTSkipIf(ProcessInfo.processInfo.environment[Self.variable] == nil)
    }

    func testUnstubbedRequest() async {
      let client = Client.stubbed(by: StubTransport())
      _ = await client.result(of: Request<Int>.get("/unstubbed"))
    }

    func testReplyToNobody() {
      PendingResponses<Int, Int>().reply(.success(1), to: 3)
      PendingResponses<String, Int>().reply(.success(1), for: "nobody")
    }

    func testStuckLoad() {
      let probe = ScreenProbe(Stuck())
      probe.send(())
    }

    struct Stuck: Screen {
      struct State: Equatable { var place: Loadable<Int> = .idle }
      let initial = State()
      func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
        state.place.startLoading()
      }
      func loads(in state: State) -> [LoadStatus<Void>] {
        [LoadStatus(name: "place", isLoading: state.place.isLoading, failure: nil)]
      }
    }
  }

  @Suite(.timeLimit(.minutes(1)))
  struct XCTestReportTests {
    @Test func `mistakes fail a test of XCTest and are named`() async throws {
      let (end, output) = try await Process.run(
        [CommandLine.arguments[0], "CurlewTestingTests.MistakenCases"],
        environment: ProcessInfo.processInfo.environment.merging([MistakenCases.variable: "1"]) {
          $1
        })
      let text = String(decoding: output, as: UTF8.self)
      #expect(end.isExit && end.status != 0)
      for report in [
        "testUnstubbedRequest : failed - CurlewTestingTests/XCTestReportTests.swift:19: No stub matches GET https://api.example.com/unstubbed. Stubbed: nothing.",
        "No request is pending at index 3. Pending: [].", #""nobody" is not pending. Pending: []."#,
        "Stuck shows place as loading, but no work is running that could end it.",
      ] {
        #expect(text.contains(report), "\(text)")
      }
      #expect(text.contains("Executed 3 tests, with 4 failures"), "\(text)")
    }
  }
#endif
