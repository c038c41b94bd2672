/// The address of a state, which restores the state when it is opened.
public struct LiveAddress: Sendable, Equatable {
  /// The path; `nil` for the page's own path.
  public let path: String?
  /// The query.
  public let query: LiveQuery
  /// The rest of the query: the user's position, such as the number of loaded pages of a list.
  ///
  /// A reload restores it; a change of the position alone never creates a history entry.
  public let position: LiveQuery
  /// Whether the back button should return to the address; false for an intermediate state, such as
  /// a half-typed word.
  public let isHistoryEntry: Bool

  /// Creates an address; `path` is required for a page whose path has parameters.
  public init(
    path: String? = nil, _ query: LiveQuery = [:], position: LiveQuery = [:],
    isHistoryEntry: Bool = true
  ) {
    self.path = path
    self.query = query
    self.position = position
    self.isHistoryEntry = isHistoryEntry
  }
}
