/// A part of a page's markup that is a function of one value, and is rendered only when the value has changed.
///
/// Its markup is one element with an `id` or a `data-key`, or several, or none. A list's rows are one piece: a row is
/// one element whose `data-key` is the row's key, and is rendered when its item, or what else it depends on, has changed.
///
/// ```swift
/// func render(_ state: State) -> HTML {
///   let rows = LivePiece("rows", rows: state.items, key: { "\($0.number)" }, also: { $0.number == state.selection }) {
///     issue, isPicked in row(Row(issue, isPicked))
///   }
///   return template(Page(text: state.text, rows: rows))    // <ol id="issues">{{{rows}}}</ol>
/// }
/// ```
///
/// The closure that renders shows nothing but the value: what it captures may differ only in what elements with
/// `data-live-ignore` contain, such as ages. Debug builds render every 20th unchanged piece all the same, and stop with
/// the name of one that differs.
public struct LivePiece: Sendable {
  /// What tells it apart from the page's other pieces, and the same from state to state.
  public let name: String
  let content: any PieceContent

  /// The markup that stands for the piece in the markup around it: in the content of an element, outside of `svg`,
  /// `template`, `noscript`, and of what has `data-live-ignore`; in those it is rendered with what is around it.
  public var marker: String { "\(Self.markerStart)\(name)-->" }

  /// No markup from elsewhere has it: who could write a piece's marker could have it shown in an attribute.
  static let markerStart = "<!--live-\(UInt64.random(in: 0 ... .max)):"

  /// Creates a piece that shows a value.
  ///
  /// - Parameter name: Letters, digits, `-` and `_`.
  public init<Value: Equatable & Sendable>(
    _ name: String, _ value: Value, render: @escaping @Sendable (Value) -> HTML
  ) {
    self.init(name, ValueContent(value: value, render: render))
  }

  /// Creates a piece of rows.
  ///
  /// - Parameters:
  ///   - name: Letters, digits, `-` and `_`.
  ///   - key: Returns an item's key, which no other row and no element beside them has.
  @inlinable
  public init<Item: Equatable & Sendable>(
    _ name: String, rows items: [Item], key: @escaping @Sendable (Item) -> String,
    render: @escaping @Sendable (Item) -> HTML
  ) {
    self.init(name, rows: items, key: key, also: { _ in NoExtra() }) { item, _ in render(item) }
  }

  /// Creates a piece of rows that show more than their items, such as whether they are selected.
  ///
  /// - Parameters:
  ///   - name: Letters, digits, `-` and `_`.
  ///   - key: Returns an item's key, which no other row and no element beside them has.
  ///   - also: Returns what else a row shows.
  @inlinable
  public init<Item: Equatable & Sendable, Extra: Equatable & Sendable>(
    _ name: String, rows items: [Item], key: @escaping @Sendable (Item) -> String,
    also: (Item) -> Extra, render: @escaping @Sendable (Item, Extra) -> HTML
  ) {
    let rows = RowValues(items, items.map(also))
    self.init(name, rows, { $1.match(from: $0) }, key: key, render: render)
  }

  @usableFromInline
  init<Item, Extra>(
    _ name: String, _ rows: RowValues<Item, Extra>,
    _ match: @escaping RowValues<Item, Extra>.Match, key: @escaping @Sendable (Item) -> String,
    render: @escaping @Sendable (Item, Extra) -> HTML
  ) {
    self.init(name, RowsContent(rows: rows, match: match, key: key, render: render))
  }

  private init(_ name: String, _ content: any PieceContent) {
    precondition(
      !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x5F },
      "A piece's name must consist of letters, digits, - and _, unlike \"\(name)\".")
    (self.name, self.content) = (name, content)
  }
}

/// What rows show that show nothing but their items.
@usableFromInline
struct NoExtra: Equatable, Sendable {
  @inlinable
  init() {}
}
