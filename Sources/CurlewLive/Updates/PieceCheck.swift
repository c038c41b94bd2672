#if DEBUG
  import Synchronization

  /// A check in debug builds, which renders a piece again after every 20th time that its value has not changed.
  enum PieceCheck {
    /// How often each piece has not changed.
    ///
    /// A single counter would always check the same piece of a page with 20 pieces.
    private static let counts = Mutex<[String: Int]>([:])

    /// Returns whether to render the piece with this name.
    static func isDue(_ name: String) -> Bool {
      counts.withLock { counts in
        if counts.count > 1000 { counts = [:] }
        counts[name, default: 0] += 1
        return counts[name, default: 0].isMultiple(of: 20)
      }
    }

    /// Stops the program if a row is not one element with its key.
    ///
    /// A key that no element can have is ignored, because it may come from a server.
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

    /// Stops the program with a message for the page's author.
    static func stop(_ name: String) -> Never {
      fatalError(
        "The piece \"\(name)\" is rendered differently for an equal value: its closure must depend only on the value."
      )
    }
  }

  /// Returns whether two values have the same markup, except in content that scripts manage and in Unicode
  /// normalization, which equal values may differ in.
  func isSameMarkup(_ a: HTML, _ b: HTML) -> Bool {
    Markup(a).isSame(as: Markup(b)) || a.text == b.text
  }
#endif
