/// The placeholder of a list without items.
public enum ListPlaceholder: Equatable, Sendable {
  /// Nothing has been loaded or searched yet.
  case initial
  /// The text can't be searched; the hint describes what to type.
  case hint(String)
  /// The first items are loading.
  case loading
  /// The list is empty; the term is the text searched for, or empty if the list is not a search.
  case empty(term: String)
  /// Loading failed, and there are no earlier items.
  case failed(LoadFailure)
}

/// The last row of a list, below its items.
public enum ListFooter: Hashable, Sendable {
  /// There is another page: send ``Feed/Event/more`` when the footer becomes visible, and when its number changes while
  /// it is visible. Show it like ``loading``.
  case more(UInt64)
  /// The next page is loading.
  case loading
  /// The next page could not be loaded; ``Feed/Event/retry`` loads it again.
  case failed(LoadFailure)
}

extension Feed.State {
  /// The placeholder to show instead of the items; `nil` when there are items, or the next page may have some.
  public var placeholder: ListPlaceholder? {
    guard content.items.isEmpty, footer == nil else { return nil }
    return switch status {
    case .idle: .initial
    case .loading: .loading
    case .failed(let failure, _): .failed(failure)
    case .content, .ended, .empty: .empty(term: "")
    }
  }

  /// The footer below the items; `nil` at the end of the list, and while a load that replaces the items is running.
  ///
  /// A list that is shorter than its view sends no event of a row after a refresh with the same items. So each footer has
  /// a number, which differs after each load.
  public var footer: ListFooter? {
    switch status {
    case .loading(.next): .loading
    case .failed(let failure, .next): .failed(failure)
    case .content, .failed(_, .refresh): content.next == nil ? nil : .more(loadNumber)
    case .idle, .loading, .failed, .ended, .empty: nil
    }
  }

  /// Whether the placeholder or the footer shows the failure.
  var isFailureInline: Bool {
    failure != nil && (content.items.isEmpty || failed(.next))
  }
}

extension ListPlaceholder {
  /// A text for the user, with the countdown until a failed load is retried; `nil` if there is nothing to say.
  public func message(in activity: ScreenActivity) -> String? {
    let texts = UserTexts.current
    switch self {
    case .initial, .loading: return nil
    case .hint(let hint): return hint
    case .empty(let term): return term.isEmpty ? texts.noItems : texts.noResults(for: term)
    case .failed(let failure):
      return activity.alerts.first { $0.failure == failure }?.message ?? failure.message
    }
  }
}

extension ListFooter {
  /// The placeholder that the last row shows: ``ListPlaceholder/failed(_:)`` or ``ListPlaceholder/loading``.
  public var placeholder: ListPlaceholder {
    if case .failed(let failure) = self { .failed(failure) } else { .loading }
  }
}
