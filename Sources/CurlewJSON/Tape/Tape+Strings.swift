extension Tape {
  /// Scans a string from its opening quotation mark; returns whether it is terminated.
  @inline(__always)
  static func scanString(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int,
    _ word: UnsafeMutablePointer<UInt64>
  ) -> Bool {
    let start = index &+ 1
    var next = start
    var seen: UInt64 = 0
    while true {
      if _fastPath(next &+ 16 <= end) {
        let sixteen = Sixteen(specialsIn: bytes, next)
        let count = sixteen.count
        seen |= sixteen.seen
        next &+= count
        if count < 16 { break }
      } else {
        let eight = Eight.load(bytes, next, end)
        let found = Eight.specials(eight)
        let count = found == 0 ? 8 : Eight.first(found)
        seen |= found == 0 ? eight : Eight.prefix(eight, count)
        next &+= count
        if count < 8 { break }
      }
    }
    guard next < end else { return false }
    if _fastPath(bytes.byte(next) == UInt8(ascii: "\"")) {
      let kind = seen & Eight.highBits == 0 ? Word.Kind.ascii : Word.Kind.utf8
      word.pointee = Word(kind, offset: start, length: next &- start).bits
    } else {
      next = endOfString(bytes, next, end)
      guard next < end else { return false }
      word.pointee = Word(Word.Kind.escaped, offset: start, length: next &- start).bits
    }
    index = next &+ 1
    return true
  }

  /// Scans an object's key from its opening quotation mark; returns whether it is terminated.
  @inline(__always)
  static func scanKey(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int,
    _ word: UnsafeMutablePointer<UInt64>, _ object: inout UInt8, _ seed: UInt64
  ) -> Bool {
    let start = index &+ 1
    var next = start
    var seen: UInt64 = 0
    var hash = seed
    while true {
      var eight = Eight.load(bytes, next, end)
      let found = Eight.specials(eight)
      if found == 0 {
        seen |= eight
        hash = KeyFingerprint.mix(hash, eight)
        next &+= 8
        continue
      }
      let count = Eight.first(found)
      eight = Eight.prefix(eight, count)
      seen |= eight
      hash = KeyFingerprint.mix(hash, eight)
      next &+= count
      break
    }
    guard next < end else { return false }
    let isQuote = bytes.byte(next) == UInt8(ascii: "\"")
    if _fastPath(isQuote && seen & Eight.highBits == 0 && next &- start < Int(KeyWord.odd)) {
      let fingerprint = KeyFingerprint.make(hash, length: next &- start)
      word.pointee = KeyWord(fingerprint: fingerprint, offset: start).bits
    } else {
      if !isQuote { next = endOfString(bytes, next, end) }
      guard next < end else { return false }
      word.pointee = KeyWord(oddAt: start, length: next &- start).bits
      object = Word.Kind.objectWithEscapedKeys
    }
    index = next &+ 1
    return true
  }

  /// Returns the index of the closing quotation mark of a string with escapes; the end of the text if there is none.
  @inline(never)
  private static func endOfString(_ bytes: UnsafeRawPointer, _ start: Int, _ end: Int) -> Int {
    var index = start
    while index < end {
      switch bytes.byte(index) {
      case UInt8(ascii: "\""): return index
      case UInt8(ascii: "\\"):
        guard index &+ 1 < end else { return end }
        guard bytes.byte(index &+ 1) == UInt8(ascii: "u") else {
          index &+= 2
          continue
        }
        // The digits are checked when the string is decoded, but must not contain the closing quotation mark.
        guard index &+ 6 <= end else { return end }
        for digit in 2..<6 where bytes.byte(index &+ digit) == UInt8(ascii: "\"") { return end }
        index &+= 6
      default:
        if index &+ 16 <= end {
          index &+= Sixteen(quotesAndBackslashesIn: bytes, index).count
        } else {
          index &+= 1
        }
      }
    }
    return end
  }
}
