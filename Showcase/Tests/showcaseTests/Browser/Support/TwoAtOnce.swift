import Testing

/// Limits a suite to two concurrent tests.
///
/// Each test uses a browser, and more browsers would compete for the cores. A test waits for its
/// turn before its time limit starts.
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

/// A semaphore: admits a number of concurrent callers, in order of arrival.
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
