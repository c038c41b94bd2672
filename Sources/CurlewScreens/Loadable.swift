import Foundation

/// Something that is loaded for a screen, in exactly one of its states.
///
/// So a spinner and an error can't be on screen together. While it loads again, and after a
/// failure, the last content stays at hand.
public enum Loadable<Content: Sendable>: Sendable {
  /// Nothing was asked for.
  case idle
  /// The answer is awaited; `last` is what was shown before.
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

  /// Whether an answer is awaited.
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

  /// Takes the result of a load; a failure keeps the last content at hand.
  public mutating func finish(_ result: Result<Content, any Error>) {
    switch result {
    case .success(let content): self = .content(content)
    case .failure(let error): self = .failed(LoadFailure(error), last: latest)
    }
  }
}

extension Loadable where Content: Collection {
  /// Takes the result of a load; an empty collection becomes ``empty``.
  public mutating func finish(_ result: Result<Content, any Error>) {
    switch result {
    case .success(let content): self = content.isEmpty ? .empty : .content(content)
    case .failure(let error): self = .failed(LoadFailure(error), last: latest)
    }
  }
}

/// Why something could not be loaded, as a screen shows it.
public struct LoadFailure: Equatable, Sendable {
  /// A sentence for a person.
  public let message: String

  /// Creates a failure with a sentence for a person.
  public init(message: String) {
    self.message = message
  }

  /// Takes an error's own words when it has some for a person (`LocalizedError`).
  public init(_ error: any Error) {
    let words = (error as? any LocalizedError)?.errorDescription
    message = words ?? "Something went wrong. Try again."
  }
}
