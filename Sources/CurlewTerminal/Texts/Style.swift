extension String {
  /// Returns the text in a style, such as `1` for bold or `2` for faint (ECMA-48, SGR); unchanged without colours.
  func styled(_ code: String, in colors: Terminal.Colors) -> String {
    colors == .none || isEmpty ? self : "\u{1B}[\(code)m\(self)\u{1B}[0m"
  }

  /// Returns the text on a background colour of six hexadecimal digits, in black or white, whichever is more readable.
  func on(_ ground: String, in colors: Terminal.Colors) -> String {
    guard let value = Int(ground, radix: 16) else { return self }
    let (red, green, blue) = (value >> 16 & 0xFF, value >> 8 & 0xFF, value & 0xFF)
    // The weights of the colour components for the perceived brightness.
    let ink = 299 * red + 587 * green + 114 * blue > 140_000 ? 16 : 231
    // The steps of the palette's colour cube are 0, 95, 135, 175, 215 and 255.
    let step = { (value: Int) in value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let index = 16 + 36 * step(red) + 6 * step(green) + step(blue)
    let bits = (red >> 7) + (green >> 7) << 1 + (blue >> 7) << 2
    return switch colors {
    case .none: self
    case .basic: styled("\(ink == 16 ? 30 : 97);\(40 + bits)", in: colors)
    case .indexed: styled("38;5;\(ink);48;5;\(index)", in: colors)
    case .full: styled("38;5;\(ink);48;2;\(red);\(green);\(blue)", in: colors)
    }
  }

  /// The text without styles, links and absolute columns.
  var withoutStyles: String {
    guard utf8.contains(0x1B) else { return self }
    var (result, rest) = ("", unicodeScalars[...])
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == "[" {
        rest = rest.drop { $0 != "m" && $0 != "G" }.dropFirst()
      } else {
        rest = rest.drop { $0 != "\u{1B}" }.dropFirst(2)
      }
    }
    return result
  }
}
