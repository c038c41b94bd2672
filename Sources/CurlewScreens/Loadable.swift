// Re-exported, so that nobody imports a third module.
@_exported public import CurlewSupport
import Foundation

/// Something that is loaded for a screen, in exactly one of its states.
///
/// So a spinner and an error can't be on screen together. While it loads again, and after a
/// failure, the last content stays at hand.
public enum Loadable<Content: Sendable>: Sendable {
  /// Nothing was asked for.
  case idle
  /// The response is awaited; `last` is what was shown before.
  case loading(last: Content?)
  /// It is there.
  case content(Content)
  /// It was asked for, and there is nothing.
  case empty
  /// It could not be loaded; `last` is what was shown before.
  case failed(LoadFailure, last: Content?)
}

extension Loadable: Equatable where Content: Equatable {}

extension Loadable {
  /// The content, or the last one while it loads again or after a failure.
  public var latest: Content? {
    switch self {
    case .content(let content): content
    case .loading(let last), .failed(_, let last): last
    case .idle, .empty: nil
    }
  }

  /// Whether a response is awaited.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// Why it could not be loaded.
  public var failure: LoadFailure? {
    if case .failed(let failure, _) = self { failure } else { nil }
  }

  /// Begins to load, keeping the last content at hand.
  public mutating func begin() {
    self = .loading(last: latest)
  }

  /// Takes the result of a load; an empty collection becomes ``empty``, a failure keeps the last
  /// content at hand.
  public mutating func finish(_ result: Result<Content, any Error>) {
    switch result {
    case .success(let content):
      // A cast, not an overload for collections: in generic code the overload would get lost.
      let isEmpty = (content as? any Collection)?.isEmpty == true
      self = isEmpty ? .empty : .content(content)
    case .failure(let error): self = .failed(LoadFailure(error), last: latest)
    }
  }
}

/// Why something could not be loaded, as a screen shows it.
public struct LoadFailure: Equatable, Sendable {
  /// A sentence for a user; without a time where ``retryAfter`` says it.
  public let message: String
  /// How long it is of no use to try again, where that is known: more than nothing, at most a day.
  public let retryAfter: Duration?

  /// Creates a failure with a sentence for a user.
  ///
  /// - Parameters:
  ///   - message: The sentence.
  ///   - retryAfter: How long it is of no use to try again. No time and more than a day, which nobody
  ///     waits for, count as none.
  public init(message: String, retryAfter: Duration? = nil) {
    self.message = message
    self.retryAfter = Self.reasonable(retryAfter)
  }

  /// Takes an error's own words when it has some for a user (`LocalizedError`), and the time
  /// after which to try again when it says one (``RetryAfterError``).
  ///
  /// With a time, the words are the error's reason: its description may say the time, too, which
  /// goes by.
  public init(_ error: any Error) {
    let words = error as? any LocalizedError
    retryAfter = Self.reasonable((error as? any RetryAfterError)?.retryAfter)
    let reason = retryAfter == nil ? nil : words?.failureReason
    message = reason ?? words?.errorDescription ?? "Something went wrong. Try again."
  }

  private static func reasonable(_ wait: Duration?) -> Duration? {
    wait.flatMap { $0 > .zero && $0 <= .seconds(86_400) ? $0 : nil }
  }
}
