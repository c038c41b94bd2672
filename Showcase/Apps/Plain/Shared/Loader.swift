import SwiftUI

// MARK: Views

/// Loads one thing at a time, of which the latest wins; what is there stays until it is replaced.
@MainActor @Observable final class Loader<Input: Equatable & Sendable, Value: Sendable> {
  enum Status {
    /// `waiting` is what is to be loaded as soon as the view appears.
    case idle, waiting, loading, loaded, failed
  }

  private(set) var value: Value?
  /// What `value` is the answer to; `input` may be ahead of it.
  private(set) var loadedInput: Input?
  private(set) var input: Input?
  private(set) var failure: APIError?
  private(set) var isRefreshing = false
  var showsAlert = false
  var status: Status
  @ObservationIgnored private var previous: Value?
  @ObservationIgnored private var task: Task<Void, Never>?
  private let step: @Sendable (Input, Value?) async throws -> Value

  var isLoading: Bool { status == .loading }

  /// `step` gets what it continues: nothing, or the pages so far.
  init(initially input: Input?, step: @escaping @Sendable (Input, Value?) async throws -> Value) {
    self.input = input
    self.step = step
    status = input == nil ? .idle : .waiting
  }

  convenience init(
    initially input: Input? = nil, fetch: @escaping @Sendable (Input) async throws -> Value
  ) { self.init(initially: input, step: { input, _ in try await fetch(input) }) }

  func load(_ input: Input, continuing previous: Value? = nil) {
    self.input = input
    self.previous = previous
    retry()
  }

  /// Does nothing if the input is the last one, unless that has failed or was cancelled.
  func loadIfNew(_ input: Input) {
    if input != self.input || status == .idle || status == .failed { load(input) }
  }

  /// The same again; in a list the page that failed.
  func retry() {
    guard let input else { return }
    task?.cancel()
    status = .loading
    showsAlert = false
    task = Task { [step, previous] in
      do {
        let value = try await step(input, previous)
        guard !Task.isCancelled else { return }
        self.value = value
        loadedInput = input
        failure = nil
        status = .loaded
      } catch {
        guard !Task.isCancelled else { return }
        failure = APIError(error)
        showsAlert = true
        status = .failed
      }
    }
  }

  /// Returns when it is done, for `refreshable`, whose spinner stands in for the delayed one.
  func refresh() async {
    guard let input else { return }
    isRefreshing = true
    defer { isRefreshing = false }
    let shownAt = ContinuousClock.now
    load(input)
    await task?.value
    try? await Task.sleep(until: shownAt + .milliseconds(500), clock: .continuous)
  }

  func cancel() {
    guard status == .loading || status == .waiting else { return }
    task?.cancel()
    status = .idle
  }

  func reset() {
    cancel()
    status = .idle
    input = nil
    value = nil
    failure = nil
  }

  /// The view has disappeared.
  func suspend() {
    guard isLoading else { return }
    task?.cancel()
    status = .waiting
  }

  /// The view has appeared, for the first time or again.
  func resume() { if status == .waiting { retry() } }
}

extension View {
  /// Loads while the view is there, with the delayed spinner and the alert.
  func loads<Input, Value>(
    with loader: Loader<Input, Value>, spinner: AnyView = AnyView(ProgressView())
  ) -> some View {
    self.modifier(
      DelayedSpinner(isLoading: loader.isLoading && !loader.isRefreshing, spinner: spinner)
    ).modifier(FailureAlert(loader: loader)).onAppear { loader.resume() }.onDisappear {
      loader.suspend()
    }
  }

  /// Makes VoiceOver read a row as one sentence.
  func spoken(_ sentence: String) -> some View {
    accessibilityElement(children: .ignore).accessibilityLabel(sentence)
  }
}

/// Shows the spinner after 200 ms, and then for half a second at least.
private struct DelayedSpinner: ViewModifier {
  let isLoading: Bool
  let spinner: AnyView
  @State private var shownAt: ContinuousClock.Instant?

  func body(content: Content) -> some View {
    content.overlay {
      if shownAt != nil {
        spinner.padding().background(.regularMaterial, in: .rect(cornerRadius: 12))
          .allowsHitTesting(false)
      }
    }.task(id: isLoading) { try? await update() }
  }

  private func update() async throws {
    if isLoading, shownAt == nil {
      try await Task.sleep(for: .milliseconds(200))
      shownAt = ContinuousClock.now
    } else if !isLoading, let shownAt {
      try await Task.sleep(until: shownAt + .milliseconds(500), clock: .continuous)
      self.shownAt = nil
    }
  }
}

private struct FailureAlert<Input: Equatable & Sendable, Value: Sendable>: ViewModifier {
  @Bindable var loader: Loader<Input, Value>
  @State private var now = Date.now

  func body(content: Content) -> some View {
    content.alert("Something Went Wrong", isPresented: $loader.showsAlert) {
      Button("Try Again") { loader.retry() }
      Button("Cancel", role: .cancel) {}
    } message: {
      Text(message)
    }.task(id: loader.showsAlert) { try? await countDown() }
  }

  private var message: String {
    guard let failure = loader.failure else { return "" }
    guard let retryAt = failure.retryAt else { return failure.message }
    let seconds = max(0, retryAt.timeIntervalSince(now).rounded())
    let wait = Duration.seconds(seconds).formatted(
      .units(allowed: [.hours, .minutes, .seconds], width: .wide))
    return "\(failure.message)\nTrying again in \(wait)."
  }

  /// Takes a second at least, so that a server that says zero is not asked without a pause.
  private func countDown() async throws {
    guard loader.showsAlert, let retryAt = loader.failure?.retryAt else { return }
    now = .now
    repeat {
      try await Task.sleep(for: .seconds(1))
      now = .now
    } while now < retryAt
    loader.retry()
  }
}
