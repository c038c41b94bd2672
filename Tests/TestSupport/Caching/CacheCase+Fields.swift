// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import HTTPTypes

@testable import Curlew

extension CacheCase {
  /// Header fields, in lines: a name may occur several times.
  ///
  /// In a value, `{date}`, `{date+60}` and `{date-3600}` stand for dates relative to the virtual time, in the preferred
  /// form; `{rfc850+60}` and `{asctime+60}` for dates in the obsolete forms, `{origin}` for the origin's scheme and
  /// authority.
  public struct Fields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public struct Line: Sendable, Hashable {
      public let name: String
      public let value: String
    }

    public var lines: [Line]

    public init(lines: [Line]) {
      self.lines = lines
    }

    public init(dictionaryLiteral elements: (String, String)...) {
      lines = elements.map { Line(name: $0.0, value: $0.1) }
    }

    /// Returns the fields at a virtual time.
    public func fields(now: Date, origin: String) -> HTTPFields {
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
