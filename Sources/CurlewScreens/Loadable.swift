// Re-exported so that users of CurlewScreens need not import a third module.
@_exported public import CurlewSupport
public import Foundation

/// Content that a screen loads, in exactly one of its loading states.
///
/// Because the states exclude each other, a view can't show a spinner and an error together. While
/// the content is reloading, and after a failure, the last content is still available.
///
/// Each content may say when it was current (`asOf`), so that a view can say "from 3 minutes ago".
public enum Loadable<Content: Sendable>: Sendable {
  /// Loading has not started.
  case idle
  /// The content is loading; `last` is the content shown before, current at `asOf`.
  case loading(last: Content?, asOf: Date? = nil)
  /// The content was loaded; its source last knew it to be current at `asOf`.
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

  /// When ``latest`` was current; `nil` when its source does not tell, and without content.
  public var asOf: Date? {
    switch self {
    case .content(_, let asOf), .loading(_, let asOf), .failed(_, _, let asOf): asOf
    case .idle, .empty: nil
    }
  }

  /// Whether the content is loading.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// The reason why loading failed; `nil` in any other state.
  public var failure: LoadFailure? {
    if case .failed(let failure, _, _) = self { failure } else { nil }
  }

  /// Starts loading, keeping the last content.
  public mutating func begin() {
    self = .loading(last: latest, asOf: asOf)
  }

  /// Finishes loading with a result; an empty collection becomes ``empty``, and a failure keeps the
  /// last content.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - asOf: When the loaded content was current, if its source tells.
  public mutating func finish(_ result: Result<Content, any Error>, asOf: Date? = nil) {
    switch result {
    case .success(let content):
      // A cast rather than an overload for collections, which generic code would not select.
      let isEmpty = (content as? any Collection)?.isEmpty == true
      self = isEmpty ? .empty : .content(content, asOf: asOf)
    case .failure(let error):
      self = .failed(LoadFailure(error), last: latest, asOf: self.asOf)
    }
  }

  /// Shows a value while loading goes on: the stored value, until the current one has arrived.
  ///
  /// ``Work/latest(_:after:if:values:started:each:finished:)`` delivers such values.
  public mutating func show(_ value: Dated<Content>) {
    finish(.success(value.value), asOf: value.asOf)
    begin()
  }

  /// Finishes loading with the last value of several; without a value, the content is still what it
  /// was, and it is current.
  public mutating func finish(last result: Result<Dated<Content>?, any Error>) {
    switch result {
    case .success(let value?): finish(.success(value.value), asOf: value.asOf)
    case .success(nil): self = latest.map { .content($0, asOf: asOf) } ?? .empty
    case .failure(let error): finish(.failure(error))
    }
  }
}

/// The reason why loading failed, as shown to the user.
public struct LoadFailure: Equatable, Sendable {
  /// A sentence for the user; it names no waiting time when ``retryAfter`` has a value.
  public let message: String
  /// The time to wait before retrying, more than zero and at most a day; `nil` when it is unknown.
  public let retryAfter: Duration?

  /// Creates a failure with a sentence for the user.
  ///
  /// - Parameters:
  ///   - message: The sentence.
  ///   - retryAfter: The time to wait before retrying. Zero, negative times and times of more than
  ///     a day are treated as `nil`.
  public init(message: String, retryAfter: Duration? = nil) {
    self.message = message
    self.retryAfter = Self.reasonable(retryAfter)
  }

  /// Creates a failure from an error's localized text (`LocalizedError`) and its retry time
  /// (``RetryAfterError``).
  ///
  /// With a retry time, the message is the error's `failureReason`, because its `errorDescription`
  /// may state the time, which a countdown would soon contradict.
  public init(_ error: any Error) {
    let localized = error as? any LocalizedError
    retryAfter = Self.reasonable((error as? any RetryAfterError)?.retryAfter)
    let reason = retryAfter == nil ? nil : localized?.failureReason
    message = reason ?? localized?.errorDescription ?? "Something went wrong. Try again."
  }

  private static func reasonable(_ wait: Duration?) -> Duration? {
    wait.flatMap { $0 > .zero && $0 <= .seconds(86_400) ? $0 : nil }
  }
}
