// Re-exported so that users of CurlewScreens need not import a third module.
@_exported public import CurlewSupport
public import Foundation
import Synchronization

/// Content that a screen loads, in exactly one phase.
///
/// A view can't show a spinner and an error together. While the content is reloading, and after a failure, the last
/// content is still available.
///
/// ```swift
/// switch state.results {
/// case .idle: Text("Type to search.")
/// case .loading(let last, _): …
/// case .content(let dogs, _): …
/// case .empty: Text("No dogs.")
/// case .failed(let failure, let last, _): …
/// }
/// ```
public enum Loadable<Content: Sendable>: Sendable {
  /// Loading has not started.
  case idle
  /// The content is loading; `last` is the content shown before, current at `asOf`.
  case loading(last: Content?, asOf: Date? = nil)
  /// The content was loaded; it was last known to be current at `asOf`.
  case content(Content, asOf: Date? = nil)
  /// Loading succeeded, but there is no content.
  case empty
  /// Loading failed; `last` is the content shown before, current at `asOf`.
  case failed(LoadFailure, last: Content?, asOf: Date? = nil)
}

extension Loadable: Equatable where Content: Equatable {}

extension Loadable {
  /// The content, or the last content while it is reloading or after a failure.
  public var latest: Content? {
    switch self {
    case .content(let content, _): content
    case .loading(let last, _), .failed(_, let last, _): last
    case .idle, .empty: nil
    }
  }

  /// The time at which ``latest`` was current; `nil` when the source does not report it.
  public var asOf: Date? {
    switch self {
    case .content(_, let asOf), .loading(_, let asOf), .failed(_, _, let asOf): asOf
    case .idle, .empty: nil
    }
  }

  var isIdle: Bool {
    if case .idle = self { true } else { false }
  }

  /// Whether a result changes nothing, because loading has not started or the content was reset.
  private var ignoresResults: Bool {
    #if DEBUG
      if isIdle { ScreenErrors.ignoredResult?.set() }
    #endif
    return isIdle
  }

  var isEmpty: Bool {
    if case .empty = self { true } else { false }
  }

  /// Whether the content is loading.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// The reason why loading failed; `nil` in any other phase.
  public var failure: LoadFailure? {
    if case .failed(let failure, _, _) = self { failure } else { nil }
  }

  func map(_ transform: (Content) -> Content) -> Self {
    switch self {
    case .idle, .empty: self
    case .loading(let last, let asOf): .loading(last: last.map(transform), asOf: asOf)
    case .content(let content, let asOf): .content(transform(content), asOf: asOf)
    case .failed(let failure, let last, let asOf):
      .failed(failure, last: last.map(transform), asOf: asOf)
    }
  }

  /// Starts loading, keeping the last content.
  public mutating func startLoading() {
    self = .loading(last: latest, asOf: asOf)
  }

  /// Adopts the current value of a live source; ``isLoading`` stays as it was.
  mutating func follow(_ current: Self) {
    let isLoading = isLoading
    if current.isLoading, current.latest == nil { return }
    self = current
    if isLoading { startLoading() } else { cancelLoading() }
  }

  /// Ends loading without a result, as after a cancellation; without content, becomes ``idle``.
  ///
  /// ```swift
  /// work.latest("prices") { try await prices() } started: { $0.prices.startLoading() }
  /// cancelled: { $0.prices.cancelLoading() } finished: { state, result, _ in state.prices.finishLoading(with: result) }
  /// ```
  public mutating func cancelLoading() {
    if isLoading { self = latest.map { .content($0, asOf: asOf) } ?? .idle }
  }

  /// Finishes loading with a result; an empty collection becomes ``empty``, and a failure keeps the last content; does
  /// nothing in ``idle``, so that a result requested before a reset is ignored.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - asOf: The time at which the loaded content was current; `nil` when it is unknown.
  public mutating func finishLoading(with result: Result<Content, any Error>, asOf: Date? = nil) {
    if ignoresResults { return }
    switch result {
    case .success(let content):
      // A cast rather than an overload for collections, which generic code would not select.
      let isEmpty = (content as? any Collection)?.isEmpty == true
      self = isEmpty ? .empty : .content(content, asOf: asOf)
    case .failure(let error):
      self = .failed(LoadFailure(error), last: latest, asOf: self.asOf)
    }
  }

  /// Shows a value while loading continues, such as the stored value until the current value arrives.
  mutating func update(with value: Dated<Content>) {
    if ignoresResults { return }
    finishLoading(with: .success(value.value), asOf: value.asOf)
    startLoading()
  }

  /// Finishes loading with the last of several values; without a value, the content is unchanged and current.
  mutating func finishLoading(withLast result: Result<Dated<Content>?, any Error>) {
    if ignoresResults { return }
    switch result {
    case .success(let value?): finishLoading(with: .success(value.value), asOf: value.asOf)
    case .success(nil): self = latest.map { .content($0, asOf: asOf) } ?? .empty
    case .failure(is MissingValue): self = .empty
    case .failure(let error): finishLoading(with: .failure(error))
    }
  }
}

/// The reason why loading failed: an error, and its text for the user.
///
/// ```swift
/// if case Client.Error.status(let refusal)? = state.results.failure?.error,
///   refusal.response.status == .unauthorized
/// {
///   SignInButton()
/// }
/// ```
///
/// Failures created from errors are compared by identity, not by text.
public struct LoadFailure: Hashable, Sendable {
  private static let lastNumber = Atomic<UInt64>(0)

  private let cause: Uncompared<any Error>
  /// The time to wait before retrying, more than zero and at most a day; `nil` when it is unknown.
  public let retryAfter: Duration?
  /// The sentence of a failure that was created with a sentence.
  private let text: String?
  /// Distinguishes failures created from errors; zero for a failure created with a sentence.
  private let number: UInt64

  /// The error.
  public var error: any Error { cause.value }

  /// Creates a failure with a sentence for the user; two failures with the same sentence and retry time are equal.
  ///
  /// - Parameters:
  ///   - message: The sentence.
  ///   - retryAfter: The time to wait before retrying; ignored unless it is more than zero and at most a day.
  public init(message: String, retryAfter: Duration? = nil) {
    cause = Uncompared(value: Message(text: message))
    self.retryAfter = Self.reasonable(retryAfter)
    (text, number) = (message, 0)
  }

  /// Creates a failure from an error, with its retry time (`RetryAfterError`).
  public init(_ error: any Error) {
    cause = Uncompared(value: error)
    retryAfter = Self.reasonable((error as? any RetryAfterError)?.retryAfter)
    text = nil
    number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// A sentence for the user, from the error's localized text (`LocalizedError`): with a retry time, its `failureReason`,
  /// because its `errorDescription` may state the time, which a countdown would soon contradict.
  public var message: String {
    if let text { return text }
    let localized = error as? any LocalizedError
    let reason = retryAfter == nil ? nil : localized?.failureReason
    return reason ?? localized?.errorDescription ?? UserTexts.current.somethingWrong
  }

  private struct Message: Error {
    let text: String
  }

  private static func reasonable(_ wait: Duration?) -> Duration? {
    wait.flatMap { $0 > .zero && $0 <= .seconds(86_400) ? $0 : nil }
  }
}

extension LoadFailure: CustomStringConvertible {
  /// The ``message``.
  public var description: String { message }
}
