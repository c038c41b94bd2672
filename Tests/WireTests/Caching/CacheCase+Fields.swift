import Foundation
import HTTPTypes

@testable import Curlew

extension CacheCase {
  /// Header fields, in lines: a name may occur several times.
  ///
  /// In a value, `{date+60}`, `{rfc850+60}` and `{asctime+60}` stand for dates relative to the virtual time, and `{origin}`
  /// for the origin's scheme and authority.
  struct Fields {
    var lines: [(name: String, value: String)] = []

    /// Returns the fields at a virtual time.
    func fields(now: Date, origin: String) -> HTTPFields {
      var fields = HTTPFields()
      for line in lines {
        guard let name = HTTPField.Name(line.name) else { continue }
        let value = Self.text(line.value, now: now).replacing("{origin}", with: origin)
        fields.append(HTTPField(name: name, value: value))
      }
      return fields
    }

    private static func text(_ value: String, now: Date) -> String {
      value.replacing(/\{(date|rfc850|asctime)([+-]\d+)?\}/) { match in
        let offset = match.output.2.flatMap { Double($0) } ?? 0
        let text = HTTPDate.text(of: now.addingTimeInterval(offset))
        // "Sun, 06 Nov 1994 08:49:37 GMT"
        let words = text.split { " ,".contains($0) }.map(String.init)
        guard words.count == 6 else { return text }
        switch match.output.1 {
        case "rfc850":
          let day = Self.weekdays[words[0]] ?? words[0]
          return "\(day), \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
        case "asctime":
          let day = words[1].hasPrefix("0") ? " " + words[1].dropFirst() : words[1]
          return "\(words[0]) \(words[2]) \(day) \(words[4]) \(words[3])"
        default: return text
        }
      }
    }

    private static let weekdays = [
      "Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Fri": "Friday",
      "Sat": "Saturday", "Sun": "Sunday",
    ]
  }
}
