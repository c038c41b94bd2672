import CurlewTesting
import TestSupport
import Testing

struct SeededGeneratorTests {
  @Test func `numbers are those of split mix64`() {
    var generator = SeededGenerator(seed: 0)
    let numbers = (0..<3).map { _ in generator.next() }
    #expect(
      numbers == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
  }

  @Test func `picks stay in their range`() {
    var generator = SeededGenerator(seed: 1)
    let picks = Set((0..<1_000).map { _ in generator.pick(3...7) })
    #expect(picks == [3, 4, 5, 6, 7])
    let letters = Set((0..<100).map { _ in generator.pick(["a", "b"]) })
    #expect(letters == ["a", "b"])
    let isSure = generator.chance(oneIn: 1)
    #expect(isSure)
  }
}
