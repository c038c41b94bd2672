import Foundation

extension Int {
  /// The number with a comma as the thousands separator, such as `1,234`.
  package var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }

  /// The seconds in at most two units, for a countdown, such as `42 s`, `5 min 2 s`, `1 h 12 min`.
  package var timeLeft: String {
    switch self {
    case ..<60: "\(self) s"
    case ..<3_600: "\(self / 60) min \(self % 60) s"
    default: "\(self / 3_600) h \(self / 60 % 60) min"
    }
  }
}

extension Int64 {
  /// The size in decimal units, such as `999 bytes`, `1.5 kB`, `300 MB`.
  package var bytes: String {
    guard self >= 1_000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
    var (size, unit) = (Double(self) / 1_000, "kB")
    for larger in ["MB", "GB", "TB"] where size >= 999.5 { (size, unit) = (size / 1_000, larger) }
    return String(format: size < 99.95 ? "%.1f" : "%.0f", size) + " \(unit)"
  }
}

extension Duration {
  /// The approximate duration, rounded up, such as `42 seconds`, `about 5 minutes`,
  /// `about 2 hours`.
  package var spoken: String {
    let (whole, fraction) = components
    let seconds = fraction > 0 ? whole + 1 : whole
    return switch seconds {
    case ...1: "1 second"
    case ..<120: "\(seconds) seconds"
    case ..<7_200: "about \((seconds + 59) / 60) minutes"
    default: "about \((seconds + 3_599) / 3_600) hours"
    }
  }
}

extension Array {
  /// Returns the texts of the first 20 elements, and the number of further elements: a server may
  /// send any number.
  func firstTexts(_ text: (Element) -> String) -> [String] {
    let most = 20
    let texts = prefix(most).map { text($0) }
    return count > most ? texts + ["and \((count - most).grouped) more"] : texts
  }
}

extension String {
  /// Returns the text as a field would accept it.
  ///
  /// - Parameter isLong: Whether the text may have several lines.
  func asTyped(most: Int = 200, isLong: Bool = false) -> String {
    let text = isLong ? replacing("\r\n", with: "\n") : self
    let scalars = text.unicodeScalars.filter {
      $0.value >= 0x20 || isLong && "\n\t".unicodeScalars.contains($0)
    }
    return String(String.UnicodeScalarView(scalars.prefix(most)))
  }
}

extension URL {
  /// The URL as text if its scheme is http or https: data must not contain links that run scripts.
  var webAddress: String? {
    ["http", "https"].contains(scheme?.lowercased()) ? absoluteString : nil
  }
}

extension String {
  /// The text without direction controls, as in the markup, for use as a row's key.
  var withoutDirectionControls: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.filter { !(0x202A...0x202E ~= $0.value || 0x2066...0x2069 ~= $0.value) }))
  }
}
