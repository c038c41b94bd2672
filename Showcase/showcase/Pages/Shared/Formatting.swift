import Foundation

extension Int {
  /// With a comma after each three digits: `1,234`.
  package var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }

  /// Seconds that count down, in at most two units: `42 s`, `5 min 2 s`, `1 h 12 min`.
  package var timeLeft: String {
    switch self {
    case ..<60: "\(self) s"
    case ..<3_600: "\(self / 60) min \(self % 60) s"
    default: "\(self / 3_600) h \(self / 60 % 60) min"
    }
  }
}

extension Int64 {
  /// A size in decimal units: `999 bytes`, `1.5 kB`, `300 MB`.
  package var bytes: String {
    guard self >= 1_000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
    var (size, unit) = (Double(self) / 1_000, "kB")
    for larger in ["MB", "GB", "TB"] where size >= 999.5 { (size, unit) = (size / 1_000, larger) }
    return String(format: size < 99.95 ? "%.1f" : "%.0f", size) + " \(unit)"
  }
}

extension Duration {
  /// Roughly, rounded up: `42 seconds`, `about 5 minutes`, `about 2 hours`.
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
  /// Texts of the first 20 elements, and how many more there are: a server may send any number.
  func firstTexts(_ text: (Element) -> String) -> [String] {
    let most = 20
    let texts = prefix(most).map { text($0) }
    return count > most ? texts + ["and \((count - most).grouped) more"] : texts
  }
}

extension String {
  /// A text as a field would take it.
  ///
  /// - Parameter isLong: Whether it may have several lines.
  func asTyped(most: Int = 200, isLong: Bool = false) -> String {
    let text = isLong ? replacing("\r\n", with: "\n") : self
    let scalars = text.unicodeScalars.filter {
      $0.value >= 0x20 || isLong && "\n\t".unicodeScalars.contains($0)
    }
    return String(String.UnicodeScalarView(scalars.prefix(most)))
  }
}

extension URL {
  /// The address, if it is one of the web: data must not bring a page to run something.
  var webAddress: String? {
    ["http", "https"].contains(scheme?.lowercased()) ? absoluteString : nil
  }
}

extension String {
  /// The text as a page shows it: a row is known by what is in its markup.
  var withoutDirectionControls: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.filter { !(0x202A...0x202E ~= $0.value || 0x2066...0x2069 ~= $0.value) }))
  }
}
