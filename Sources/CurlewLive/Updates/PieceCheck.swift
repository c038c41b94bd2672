#if DEBUG
  import Synchronization

  /// Debug builds render every 20th piece whose value has not changed.
  enum PieceCheck {
    private static let count = Atomic<Int>(0)

    /// Whether the next piece is to be rendered.
    static var isDue: Bool {
      count.add(1, ordering: .relaxed).newValue.isMultiple(of: 20)
    }

    /// Stops where a row is not the element that updates know it by.
    ///
    /// Not where its key is one that no element can have: that may come from a server.
    static func checkRow(_ html: HTML, _ key: String) {
      guard !key.isEmpty, !key.utf8.contains(where: { $0 < 0x20 }) else { return }
      let markup = Markup(html)
      let row = markup.root.children.first
      if let row, markup.root.children.count == 1, row.start == 0,
        row.end == markup.root.end, isSame(row.key, key)
      {
        return
      }
      fatalError(
        "A row must be one element with its key, \"\(key)\", as data-key, and with all elements closed, unlike \(html.text.prefix(100))"
      )
    }

    /// Stops with what a page's author has to know.
    static func stop(_ name: String) -> Never {
      fatalError(
        "The piece \"\(name)\" is rendered differently for an equal value: its closure must depend only on the value."
      )
    }
  }

  /// Returns whether two are the same, but for what is a script's, and for how characters are encoded: values that differ
  /// only in that are equal.
  func isSameMarkup(_ a: HTML, _ b: HTML) -> Bool {
    Markup(a).isSame(as: Markup(b)) || a.text == b.text
  }
#endif
