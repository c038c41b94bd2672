/// A colour of 24 bits.
struct Color: Equatable, Sendable {
  let red: Int
  let green: Int
  let blue: Int

  /// Reads six hexadecimal digits; `nil` for anything else.
  init?(hexadecimal text: String) {
    let isDigits = text.utf8.count == 6 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    guard isDigits, let value = Int(text, radix: 16) else { return nil }
    (red, green, blue) = (value >> 16, value >> 8 & 0xFF, value & 0xFF)
  }

  /// The sequence that makes it the ground, with black or white on it, whichever can be read.
  func selection(in colors: Terminal.Colors) -> String {
    let ink = isLight ? 16 : 231
    switch colors {
    case .none: return ""
    case .indexed: return "\u{1B}[38;5;\(ink);48;5;\(index)m"
    case .full: return "\u{1B}[38;5;\(ink);48;2;\(red);\(green);\(blue)m"
    }
  }

  /// Whether black stands out better than white: by the eye's weights for the three colours.
  private var isLight: Bool { 299 * red + 587 * green + 114 * blue > 140_000 }

  /// The nearest colour of the palette of 256: its cube of 6 x 6 x 6, or its greys.
  private var index: Int {
    let steps = [0, 95, 135, 175, 215, 255]
    func step(_ value: Int) -> Int {
      steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
    }
    func distance(_ red: Int, _ green: Int, _ blue: Int) -> Int {
      let (r, g, b) = (red - self.red, green - self.green, blue - self.blue)
      return r * r + g * g + b * b
    }
    let (r, g, b) = (step(red), step(green), step(blue))
    let shade = min(max(((red + green + blue) / 3 - 8 + 5) / 10, 0), 23)
    let grey = 8 + 10 * shade
    let isGrey = distance(grey, grey, grey) < distance(steps[r], steps[g], steps[b])
    return isGrey ? 232 + shade : 16 + 36 * r + 6 * g + b
  }
}
