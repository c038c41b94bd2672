#if DEBUG
  import Synchronization

  /// Debug builds render every 20th piece whose value has not changed.
  enum PieceCheck {
    private static let count = Atomic<Int>(0)

    /// Whether the next piece is to be rendered.
    static var isDue: Bool {
      count.add(1, ordering: .relaxed).newValue.isMultiple(of: 20)
    }

    /// Stops with what a page's author has to know.
    static func stop(_ name: String) -> Never {
      fatalError(
        "The piece \"\(name)\" shows something else for an equal value: what its closure shows has to be in the value."
      )
    }
  }
#endif
