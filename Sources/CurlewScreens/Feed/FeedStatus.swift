/// The loading status of a ``Feed``.
public enum FeedStatus: Equatable, Sendable {
  /// Loading has not started.
  case idle
  /// A page is loading.
  case loading(LoadKind)
  /// Items are loaded, and there are more pages.
  case content
  /// All items are loaded.
  case ended
  /// The list has no items.
  case empty
  /// A page could not be loaded.
  case failed(LoadFailure, LoadKind)

  /// The kind of the load that is running or has failed; `nil` when there is none.
  public var kind: LoadKind? {
    switch self {
    case .loading(let kind), .failed(_, let kind): kind
    case .idle, .content, .ended, .empty: nil
    }
  }
}

extension Feed.State {
  /// Whether a page is loading.
  public var isLoading: Bool {
    if case .loading = status { true } else { false }
  }

  /// The kind of the load that is running or has failed, as the user sees it.
  var loadKind: LoadKind { isPulled ? .refresh : status.kind ?? .first }

  func isLoading(_ kind: LoadKind) -> Bool { status == .loading(kind) }

  func failed(_ kind: LoadKind) -> Bool { failure != nil && status.kind == kind }

  /// The reason why a page could not be loaded; `nil` when no load has failed.
  public var failure: LoadFailure? {
    if case .failed(let failure, _) = status { failure } else { nil }
  }

  /// Whether the next page can be requested: it exists, and the current items directly precede it.
  var canLoadMore: Bool {
    content.next != nil && (status == .content || failed(.next) || failed(.refresh))
  }
}
