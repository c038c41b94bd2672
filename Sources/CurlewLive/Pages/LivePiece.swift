/// A part of a page's markup that is a function of one value, and is rendered only when the value has changed.
///
/// Its markup is one element with an `id` or a `data-key`, several such elements, or empty. A list's rows form a single
/// piece: each row is one element whose `data-key` is the row's key, and is rendered when its item or its extra value
/// has changed.
///
/// ```swift
/// func render(_ state: State, _ activity: ScreenActivity) -> HTML {
///   let rows = LivePiece("rows", rows: state.items, key: { "\($0.number)" }, also: { $0.number == state.selection }) {
///     issue, isPicked in row(Row(issue, isPicked))
///   }
///   return template(Page(text: state.text, rows: rows))    // <ol id="issues">{{{rows}}}</ol>
/// }
/// ```
///
/// The rendered markup must depend only on the value: captured state may affect only the content of elements with
/// `data-live-ignore`, such as ages. Debug builds render every 20th unchanged piece again, and stop with the piece's
/// name if its markup differs.
public struct LivePiece: Sendable {
  /// The piece's name, which is unique within the page and the same in all states.
  public let name: String
  let content: any PieceContent

  /// The placeholder for the piece in the surrounding markup, which must be in the content of an element.
  ///
  /// Inside `svg`, `template`, `noscript` and elements with `data-live-ignore`, the piece is rendered together with the
  /// markup around it.
  public var marker: String { "\(Self.markerStart)\(name)-->" }

  /// The start of all markers, which is random: untrusted markup with a marker could insert the piece into an
  /// attribute.
  static let markerStart = "<!--live-\(UInt64.random(in: 0 ... .max)):"

  /// Creates a piece that renders a value.
  ///
  /// - Parameters:
  ///   - name: The piece's name, of letters, digits, `-` and `_`.
  ///   - value: The value that the markup depends on.
  ///   - render: A closure that returns the markup of a value.
  public init<Value: Equatable & Sendable>(
    _ name: String, _ value: Value, render: @escaping @Sendable (Value) -> HTML
  ) {
    self.init(name, ValueContent(value: value, render: render))
  }

  /// Creates a piece of rows.
  ///
  /// - Parameters:
  ///   - name: The piece's name, of letters, digits, `-` and `_`.
  ///   - items: The items, one for each row.
  ///   - key: A closure that returns an item's key, which is unique among the rows and their sibling elements.
  ///   - render: A closure that returns the markup of a row.
  @inlinable
  public init<Item: Equatable & Sendable>(
    _ name: String, rows items: [Item], key: @escaping @Sendable (Item) -> String,
    render: @escaping @Sendable (Item) -> HTML
  ) {
    self.init(name, rows: items, key: key, also: { _ in NoExtra() }) { item, _ in render(item) }
  }

  /// Creates a piece of rows that show an extra value besides their items, such as whether they are selected.
  ///
  /// - Parameters:
  ///   - name: The piece's name, of letters, digits, `-` and `_`.
  ///   - items: The items, one for each row.
  ///   - key: A closure that returns an item's key, which is unique among the rows and their sibling elements.
  ///   - also: A closure that returns a row's extra value, which the row shows besides its item.
  ///   - render: A closure that returns the markup of a row.
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

/// The extra value of rows that show only their items.
@usableFromInline
struct NoExtra: Equatable, Sendable {
  @inlinable
  init() {}
}
