extension MarkdownText {
  /// An index of the runs of backticks by length: a code span begins and ends with runs of equal
  /// length.
  struct CodeEnds {
    /// The index of the first remaining run for each length; 0 for none.
    private var first: [Int]
    /// The index of the next run of the same length, for the index of each run; 0 for none.
    private var next: [Int]

    init(_ bytes: [UInt8]) {
      (first, next) = ([0], [Int](repeating: 0, count: bytes.count))
      var end = bytes.count
      while end > 0 {
        guard bytes[end - 1] == UInt8(ascii: "`") else {
          end -= 1
          continue
        }
        var start = end - 1
        while start > 0, bytes[start - 1] == UInt8(ascii: "`") { start -= 1 }
        while first.count <= end - start { first.append(0) }
        // A run at the start of the text can't end a code span, so its index 0 can mean "none".
        if start > 0 {
          next[start] = first[end - start]
          first[end - start] = start
        }
        end = start
      }
    }

    /// Returns the index of the first run of a length at or after an index.
    ///
    /// The index must not be less than in an earlier call.
    mutating func next(_ length: Int, from index: Int) -> Int? {
      guard length < first.count else { return nil }
      while first[length] > 0, first[length] < index { first[length] = next[first[length]] }
      return first[length] > 0 ? first[length] : nil
    }
  }
}
