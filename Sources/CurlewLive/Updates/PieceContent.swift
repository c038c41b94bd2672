/// What a piece shows, without the type of its value.
protocol PieceContent: Sendable {
  /// Writes the whole markup.
  func write(to text: inout String)
  /// Returns how it differs from another state of it; `nil` when it does not.
  func change(from old: any PieceContent) -> PieceChange?
  /// Returns what stands for all of it where it has not changed.
  func kept() -> [MarkupSegment]
  #if DEBUG
    /// Returns whether it renders the same as another state of it, whose values are equal.
    func isSameMarkup(as old: any PieceContent) -> Bool
  #endif
}

extension PieceContent {
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }
}

/// How a piece differs from another state of it.
struct PieceChange {
  /// What stands for it where its elements are other ones, or in another order; `nil` when they are not.
  var segments: [MarkupSegment]?
  /// The changes in elements that are kept; their paths begin with the element.
  var parts: [LivePart] = []
}

/// The markup of a piece that shows one value.
struct ValueContent<Value: Equatable & Sendable>: PieceContent {
  let value: Value
  let render: @Sendable (Value) -> HTML

  func write(to text: inout String) { render(value).write(to: &text) }

  func change(from old: any PieceContent) -> PieceChange? {
    guard let old = old as? Self else { return PieceChange(segments: [.html(text)]) }
    guard old.value != value else { return nil }
    // Each by its own function, which may have captured another piece.
    var difference = MarkupDifference(
      from: Markup(old.render(old.value)), to: Markup(render(value)))
    return PieceChange(segments: difference.segments(), parts: difference.parts)
  }

  func kept() -> [MarkupSegment] { Markup(render(value)).kept() }

  #if DEBUG
    func isSameMarkup(as old: any PieceContent) -> Bool {
      guard let old = old as? Self else { return false }
      return CurlewLive.isSameMarkup(render(value), old.render(old.value))
    }
  #endif
}
