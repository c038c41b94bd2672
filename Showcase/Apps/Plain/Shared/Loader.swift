import SwiftUI

// MARK: Views

/// Runs one load at a time; the latest replaces it, and the value stays until it is replaced.
@MainActor @Observable final class Loader<Input: Equatable & Sendable, Value: Sendable> {
  enum Status {
    /// `waiting` means that loading begins when the view appears.
    case idle, waiting, loading, loaded, failed
  }

  private(set) var value: Value?
  /// The input for which `value` was loaded; `input` may be newer.
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

  /// `step` receives the value to continue from: `nil`, or the pages loaded so far.
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

  /// Does nothing if the input hasn't changed, unless the last load failed or was cancelled.
  func loadIfNew(_ input: Input) {
    if input != self.input || status == .idle || status == .failed { load(input) }
  }

  /// Repeats the last load; in a list, the load of the failed page.
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

  /// Returns when loading ends, for `refreshable`, whose spinner replaces the delayed spinner.
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

  /// Call this when the view disappears.
  func suspend() {
    guard isLoading else { return }
    task?.cancel()
    status = .waiting
  }

  /// Call this whenever the view appears.
  func resume() { if status == .waiting { retry() } }
}

extension View {
  /// Loads while the view is visible, with the delayed spinner and the alert.
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

/// Shows the spinner after 200 ms, for at least half a second.
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

  /// Waits at least a second, so that a retry date in the past doesn't cause immediate requests.
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
