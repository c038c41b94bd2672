import Testing

/// Runs two of a suite's tests at once, however many the test run would: each uses a browser, and
/// more of them would wait for a core for as long as they wait for a page.
///
/// A test waits for its turn before its time limit starts.
struct TwoAtOnce: SuiteTrait, TestTrait, TestScoping {
  private static let turns = Turns(2)

  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite || testCase != nil ? nil : self
  }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    await Self.turns.take()
    do {
      try await run()
    } catch {
      await Self.turns.giveBack()
      throw error
    }
    await Self.turns.giveBack()
  }
}

extension Trait where Self == TwoAtOnce {
  static var twoAtOnce: Self { Self() }
}

/// Lets so many callers go on at once, in the order in which they came.
private actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func giveBack() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
