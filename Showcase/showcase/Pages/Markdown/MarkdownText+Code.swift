extension MarkdownText {
  /// Where the runs of backticks of each length are: code ends with as many as it begins with.
  struct CodeEnds {
    /// The index of the first run of each length, which is this one's index.
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
        // What the text begins with is no end of code, and 0 stands for none.
        if start > 0 {
          next[start] = first[end - start]
          first[end - start] = start
        }
        end = start
      }
    }

    /// Returns the index of the first run of a length that begins at an index or after it.
    ///
    /// The index must not be before that of an earlier call.
    mutating func next(_ length: Int, from index: Int) -> Int? {
      guard length < first.count else { return nil }
      while first[length] > 0, first[length] < index { first[length] = next[first[length]] }
      return first[length] > 0 ? first[length] : nil
    }
  }
}
