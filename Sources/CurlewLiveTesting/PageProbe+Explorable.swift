import CurlewLive
import CurlewScreens
public import CurlewTesting
import Foundation

extension PageProbe: Explorable {
  /// The code that opens the page.
  public static var code: (creating: String, settling: String) {
    (
      "let page = try await PageProbe(<#router, address, clock#>)",
      "try await page.settle()"
    )
  }

  /// What the user sees: the address, the title, the contents of the fields, and the texts.
  public var state: (address: String, title: String, fields: [String: String], texts: [String]) {
    (address, title, fields, texts(in: document.matching("body").first ?? document))
  }

  private func texts(in element: PageElement) -> [String] {
    element.children.flatMap { child in
      if child.name != "#text" { return child.attributes["hidden"] == nil ? texts(in: child) : [] }
      return child.content.contains { !$0.isWhitespace } ? [child.text] : []
    }
  }

  /// The end of a waiting time of the screens' work, a lost connection and its return, a session that has ended meanwhile,
  /// and another tab with the address; the server's heartbeats are no step.
  public var nextSteps: [ExplorationStep] {
    guard let run = ExplorationRun.current else { return [] }
    var steps: [ExplorationStep] = []
    func add(
      _ code: String, _ kind: ExplorationStep.Kind = .other,
      _ body: @escaping () async throws -> Void
    ) { steps.append(ExplorationStep(code, kind, awaiting: body)) }
    if !isOnline {
      add("try await page.reconnect()", .progress) { [self] in try await reconnect() }
    }
    if let pause = clock.sleeps.first, run.runners.contains(where: \.isBusy) {
      add("try await page.advance(by: \(ValueText.code(pause)))", .progress) { [self] in
        try await advance(by: pause)
      }
    }
    guard let live, !live.isPlain else { return steps }
    if let offlineSince {
      // Longer than sessions without a connection are kept.
      let time = LiveLimits().idleTime + .seconds(2)
      if offlineSince.duration(to: clock.now) < time {
        add("try await page.advance(by: \(ValueText.code(time)))") { [self] in
          try await advance(by: time)
        }
      }
      return steps
    }
    add("page.disconnect()") { [self] in disconnect() }
    if !losesNextResponse {
      add("page.loseNextResponse()") { [self] in loseNextResponse() }
    }
    add("_ = try await PageProbe(router, page.address, clock: page.clock)") { [self] in
      _ = try await run.respondingAtOnce { try await PageProbe(beside: self) }
    }
    return steps
  }

  /// A text that differs each time: a session has more state than its page shows, so no two orders are the same.
  public var pendingWork: String { UUID().uuidString }

  /// Shows what has changed.
  public func endStep() async throws { try await settle() }

  /// Returns the description of a load that is shown without running work, or of an action or work that has not ended,
  /// although all responses have arrived.
  public func problem(isAtRest: Bool) -> String? {
    let runners = ExplorationRun.current?.runners ?? []
    if let load = runners.lazy.flatMap(\.stuckLoads).first {
      return "The page shows \(load) as loading, but no work is running that could end it."
    }
    guard isAtRest else { return nil }
    if runners.contains(where: \.isBusy) {
      return "The page does not end its work, although no response is pending."
    }
    return live?.queue.first.map { "The page does not send the action \($0.name)." }
  }

  /// Lets an exploration perform other steps first; returns whether the test's step comes next.
  func comesNext(_ code: String) async -> Bool {
    await ExplorationStep("try await page.\(code)", .event(code)).comesNext()
  }
}

extension ExplorationProperty where System == PageProbe {
  /// The page at rest shows what a new visit of its address shows, unless a request has failed.
  public static var equalsNewVisit: Self {
    .finally { page in
      guard let run = ExplorationRun.current, !run.hasFailures else { return }
      let other = try await run.respondingAtOnce { try await PageProbe(beside: page) }
      let differences = ValueText.differences(page.state, other.state)
      if differences.isEmpty { return }
      run.fail(
        "A new visit of \(page.address) shows something else: \(differences.joined(separator: ", "))"
      )
    }
  }
}
