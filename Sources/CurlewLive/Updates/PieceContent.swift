/// The content of a piece, without the type of its value.
protocol PieceContent: Sendable {
  /// Writes the complete markup.
  func write(to text: inout String)
  /// Returns the change from the piece's old content; `nil` if it has not changed.
  func change(from old: any PieceContent) -> PieceChange?
  /// Returns the segments that represent the unchanged piece.
  func kept() -> [MarkupSegment]
  #if DEBUG
    /// Returns whether the piece has the same markup as its old content, whose values are equal.
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

/// The change of a piece between two states.
struct PieceChange {
  /// The new segments of the piece; `nil` if its elements and their order have not changed.
  var segments: [MarkupSegment]?
  /// The changes inside elements that are kept; each path begins with the key of the element.
  var parts: [FragmentChange] = []
}

/// The markup of a piece that shows one value.
struct ValueContent<Value: Equatable & Sendable>: PieceContent {
  let value: Value
  let render: @Sendable (Value) -> HTML

  func write(to text: inout String) { render(value).write(to: &text) }

  func change(from old: any PieceContent) -> PieceChange? {
    guard let old = old as? Self else { return PieceChange(segments: [.html(text)]) }
    guard old.value != value else { return nil }
    // Each value is rendered by its own closure, because the closures may have captured different pieces.
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
