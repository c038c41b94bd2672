/// Rows under headings, in columns as wide as they must be.
struct Table {
  enum Alignment { case left, right }

  struct Column {
    let title: String
    let alignment: Alignment
    /// The columns below which it is of no use; `nil` when nothing may be cut off.
    let minimum: Int?
    /// The columns that it takes at most where there is no limit; longer text pushes its own row on.
    let maximum: Int
    /// How soon it goes when there is no space, 1 first; `nil` when it stays.
    let rank: Int?

    init(
      _ title: String, alignment: Alignment = .left, minimum: Int? = nil, maximum: Int = .max,
      rank: Int? = nil
    ) {
      self.title = title
      self.alignment = alignment
      self.minimum = minimum
      self.maximum = maximum
      self.rank = rank
    }
  }

  private static let gap = 2

  let columns: [Column]
  let rows: [[Cell]]

  /// The lines, each within a number of columns; `nil` for any number.
  func lines(within limit: Int?) -> [[Span]] {
    let layout = layout(within: limit)
    let head = columns.map { Cell($0.title, .faint) }
    return ([head] + rows).map { cells in
      let parts = layout.map { index, width in
        let isCut = limit != nil
        return cells[index].padded(to: width, columns[index].alignment, isCut: isCut)
      }
      return Array(parts.joined(separator: [Span(String(repeating: " ", count: Self.gap))]))
    }
  }

  /// The columns that are shown, and how wide each is.
  private func layout(within limit: Int?) -> [(index: Int, width: Int)] {
    let natural = columns.indices.map { index in
      rows.reduce(columns[index].title.terminalWidth) { max($0, $1[index].width) }
    }
    guard let limit else {
      return columns.indices.map { ($0, min(natural[$0], columns[$0].maximum)) }
    }
    let least = columns.indices.map { min(columns[$0].minimum ?? natural[$0], natural[$0]) }
    var shown = Array(columns.indices)
    func space(_ widths: [Int]) -> Int {
      limit - shown.reduce(0) { $0 + widths[$1] } - Self.gap * (shown.count - 1)
    }
    while space(least) < 0, let next = shown.filter({ columns[$0].rank != nil }).min(by: rank) {
      shown.removeAll { $0 == next }
    }
    var widths = least
    // The narrowest wish is granted first, so that one long title does not starve the others.
    for index in shown.sorted(by: { natural[$0] < natural[$1] })
    where columns[index].minimum != nil {
      let more = min(natural[index] - widths[index], space(widths))
      widths[index] = max(1, widths[index] + more)
    }
    return shown.map { ($0, widths[$0]) }
  }

  private func rank(_ a: Int, _ b: Int) -> Bool {
    (columns[a].rank ?? 0) < (columns[b].rank ?? 0)
  }
}
