extension Work {
  /// Lets a part of the screen that is always there change itself and add its work.
  ///
  /// ```swift
  /// case .from(let event):
  ///   work.scope(\.from) { search.handle(event, &state.from, &$0) }
  /// ```
  ///
  /// The part's names of work are its own. A part that may be missing needs one of the other two
  /// forms: never force it (`\.sheet!`, `\.rows[3]`), for its work would crash, or reach another
  /// row, once it is gone.
  ///
  /// - Parameters:
  ///   - part: Where the part's state is.
  ///   - label: What the part is called in traces; the property's name by default.
  ///   - body: Lets the part handle an event.
  public mutating func scope<Part>(
    _ part: any WritableKeyPath<State, Part> & Sendable, named label: String? = nil,
    _ body: (inout Work<Part>) -> Void
  ) {
    var inner = Work<Part>(now: now)
    body(&inner)
    add(inner, of: Lens(part, named: label))
  }

  /// Lets a part of the screen that is presented, as a sheet is, change itself and add its work;
  /// does nothing when it is not presented.
  ///
  /// ```swift
  /// case .sheet(let event):
  ///   work.scope(presented: \.sheet, &state) { sheet.handle(event, &$0, &$1) }
  /// ```
  ///
  /// When it is gone after an event, its loads, streams and timers are cancelled. A part that is
  /// `Identifiable` is gone when one with another id is presented, any other when it is `nil`.
  public mutating func scope<Part>(
    presented part: any WritableKeyPath<State, Part?> & Sendable, named label: String? = nil,
    _ state: inout State, _ body: (inout Part, inout Work<Part>) -> Void
  ) {
    Lens(presented: part, in: state, named: label)?.update(&state, &self, body)
  }

  /// Lets one of many equal parts, as the rows of a list are, change itself and add its work; does
  /// nothing when none has this id.
  ///
  /// ```swift
  /// case .row(let id, let event):
  ///   work.scope(each: \.rows, id: id, &state) { row.handle(event, &$0, &$1) }
  /// ```
  ///
  /// The part is told apart by its id wherever in the list it is. When no element has the id after
  /// an event, its loads, streams and timers are cancelled.
  public mutating func scope<List>(
    each part: any WritableKeyPath<State, List> & Sendable, id: List.Element.ID,
    named label: String? = nil, _ state: inout State,
    _ body: (inout List.Element, inout Work<List.Element>) -> Void
  )
  where
    List: MutableCollection & RandomAccessCollection & Equatable & Sendable,
    List.Element: Identifiable & Sendable,
    List.Element.ID: Sendable
  {
    Lens(each: part, id: id, in: state, named: label)?.update(&state, &self, body)
  }
}
