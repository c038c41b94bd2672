import Testing

/// A `Float` is the nearest value to the text, not to the nearest `Double`.
@Suite(.timeLimit(.minutes(1)))
struct FloatRoundingTests {
  /// Texts of 17 to 19 digits whose nearest `Double` is halfway between two `Float` values.
  @Test func `short texts beside the middle are rounded once`() {
    for text in [
      "16777217.000000001", "16777216.999999999", "16777219.000000001", "16777218.999999999",
      "33554434.000000001", "1677721.7000000000001", "8388608.5000000001", "8388608.4999999999",
      "1.6777217000000001e7", "16777217000000001e-9", "1.000000059604644776",
      "1.000000059604644775", "0.50000002980232238774", "2.000000119209289551",
      "281474993487872.01", "281474993487872", "281474993487871.99", "9007199791611904001e-3",
    ] {
      expectSameAnywhere(Float.self, Double.self, in: [text, "-\(text)"])
    }
    #expect(expectSame(Float.self, "16777217.000000001").value == 16_777_218)
    #expect(expectSame(Float.self, "16777217").value == 16_777_216)
    // Rounded to `Double` first, this is the midpoint itself, and then 1.
    #expect(expectSame(Float.self, "1.00000005960464477540").value == Float(1).nextUp)
    #expect(expectSame(Float.self, "1.00000005960464477538").value == 1)
  }

  @Test func `subnormals are the same`() {
    for exponent in -330 ... -300 {
      expectSame(Double.self, "1e\(exponent)")
      expectSame(Double.self, "9.87654321e\(exponent)")
    }
    for exponent in -50 ... -35 {
      expectSame(Float.self, "1e\(exponent)")
      expectSame(Float.self, "-4.567890123e\(exponent)")
    }
    for bits in [1, 2, 3, 0xF_FFFF_FFFF_FFFF, 0x10_0000_0000_0000] as [UInt64] {
      expectSame(Double.self, "\(Double(bitPattern: bits))")
    }
  }

  @Test func `middles of two doubles are rounded to even`() {
    for text in [
      "9007199254740993", "9007199254740995", "9007199254740993.00000000000000000000000000001",
      "9007199254740992.999999999999999999999999", "1.00000000000000011102230246251565404",
      "1.00000000000000011102230246251565404236316680908203125",
      "1.00000000000000011102230246251565404236316680908203124",
      "1.00000000000000011102230246251565404236316680908203126", "8.5e15", "18014398509481985",
      "2.4703282292062327208e-324", "2.4703282292062328e-324", "1.797693134862315807e308",
      "6.631236846766476e-316", "3.2378839133029012895883524125015321748630994e-319",
    ] {
      expectSameAnywhere(Double.self, in: [text])
    }
  }

  @Test func `many digits are all read`() {
    for count in [16, 17, 18, 19, 20, 21, 25, 40, 100, 400, 800, 1_200] {
      let (digits, zeros) = ("7".repeated(count), "0".repeated(count))
      for text in [
        "0.\(digits)", "\(digits)e-\(count)", "0.\(zeros)\(digits)", "\(digits).\(digits)",
        "1\(zeros)",
      ] {
        expectSame(asEachOf: [Double.self, Float.self], text)
      }
    }
  }
}
