extension Work {
  /// Calls a part of the screen that can't be removed, and adds the part's work.
  ///
  /// ```swift
  /// case .from(let event):
  ///   work.scope(\.from) { search.handle(event, &state.from, &$0) }
  /// ```
  ///
  /// Work names are local to the part, whose name in traces is `label`, by default the property's name. For a part that may
  /// be missing, use one of the other methods. Don't use a key path such as `\.sheet!` or `\.rows[3]`: once that part has
  /// been removed, its work would crash or change another row.
  public mutating func scope<Part>(
    _ part: any WritableKeyPath<State, Part> & Sendable, named label: String? = nil,
    _ body: (inout Work<Part>) -> Void
  ) {
    let lens = Lens<State, Part>(part, named: label)
    var inner = inside(lens.id, as: Part.self)
    body(&inner)
    add(inner, of: lens)
  }

  /// Calls a presented part of the screen, such as a sheet, and adds the part's work; does nothing
  /// when the part is not presented.
  ///
  /// ```swift
  /// case .sheet(let event):
  ///   work.scope(presented: \.sheet, &state) { sheet.handle(event, &$0, &$1) }
  /// ```
  ///
  /// When an event dismisses the part, its loads, streams and timers are cancelled. An
  /// `Identifiable` part also counts as dismissed when a part with another id is presented.
  public mutating func scope<Part>(
    presented part: any WritableKeyPath<State, Part?> & Sendable, named label: String? = nil,
    _ state: inout State, _ body: (inout Part, inout Work<Part>) -> Void
  ) {
    Lens(presented: part, in: state, named: label)?.update(&state, &self, body)
  }

  /// Calls a part that is an element of a list, such as a row, and adds the part's work; does
  /// nothing when no element has this id.
  ///
  /// ```swift
  /// case .row(let id, let event):
  ///   work.scope(each: \.rows, id: id, &state) { row.handle(event, &$0, &$1) }
  /// ```
  ///
  /// The part is identified by its id, so it may move within the list. When an event removes the
  /// element, its loads, streams and timers are cancelled.
  @inlinable
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
    Lens(each: part, id: id, in: state, ListIDs(), named: label)?.update(&state, &self, body)
  }

  /// Calls a part that is a value of a dictionary, and adds the part's work; does nothing when the
  /// dictionary has no value for this key.
  ///
  /// When an event removes the value, its loads, streams and timers are cancelled.
  public mutating func scope<ID: Hashable & Sendable, Part>(
    each part: any WritableKeyPath<State, [ID: Part]> & Sendable, id: ID,
    named label: String? = nil, _ state: inout State,
    _ body: (inout Part, inout Work<Part>) -> Void
  ) {
    Lens(each: part, key: id, in: state, named: label)?.update(&state, &self, body)
  }
}
