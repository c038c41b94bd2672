import Domain
import Foundation

extension IssueList {
  /// The issues as a JSON array: keys in alphabetical order, dates as in RFC 3339.
  var json: String {
    get throws {
      // The encoder would write an empty line between the brackets.
      guard !isEmpty else { return "[]\n" }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      let text = String(decoding: try encoder.encode(map(IssueDocument.init)), as: UTF8.self)
      return text.escapingControls + "\n"
    }
  }
}

/// An issue as scripts get it.
private struct IssueDocument: Encodable {
  struct Label: Encodable {
    let name: String
    let color: String
  }

  let author: String
  let body: String
  let comments: Int
  let createdAt: Date
  let labels: [Label]
  let number: Int
  let repository: String
  let title: String

  init(_ issue: Issue) {
    author = issue.author
    body = issue.body
    comments = issue.comments
    createdAt = issue.createdAt
    labels = issue.labels.map { Label(name: $0.name, color: $0.color) }
    number = issue.number
    repository = issue.repository.description
    title = issue.title
  }
}

extension String {
  /// The JSON with those characters escaped that a terminal may obey and JSON lets pass.
  fileprivate var escapingControls: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar != "\n", scalar.steersTerminal, scalar.value <= 0xFFFF {
        let digits = String(scalar.value, radix: 16)
        let padding = String(repeating: "0", count: 4 - digits.count)
        result.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
