import Curlew

extension DriftReport: CustomStringConvertible {
  /// The changes, a line each, below their endpoints; then the endpoints that only one recording has.
  public var description: String {
    var lines: [String] = []
    var last: Endpoint?
    for change in changes {
      if change.endpoint != last { lines.append("\(change.endpoint)") }
      last = change.endpoint
      lines.append("  " + change.text)
    }
    lines += endpointsOnlyInOld.map { "Only in the old recording: \($0)" }
    lines += endpointsOnlyInNew.map { "Only in the new recording: \($0)" }
    return lines.isEmpty ? "No changes." : lines.joined(separator: "\n")
  }
}

extension DriftReport.Endpoint: CustomStringConvertible {
  /// The method, the host and the path, in one line.
  public var description: String { "\(method) \(host)\(path)".inOneLine }
}

extension DriftReport.Change: CustomStringConvertible {
  /// The endpoint, the coding path and the change, in one line.
  public var description: String { "\(endpoint) \(text)" }

  /// The coding path and the change: `results[].title: integer, was string`.
  fileprivate var text: String {
    if case .statusChanged = kind { return "\(kind)" }
    let path = codingPath.isEmpty ? "the body" : codingPath.inOneLine
    return (status.map { "\($0): " } ?? "") + "\(path): \(kind)"
  }
}

extension DriftReport.Kind: CustomStringConvertible {
  /// The new state and the old state, such as `integer, was string`.
  public var description: String {
    switch self {
    case .appeared(let types): "new (\(Self.list(types.map(\.rawValue), none: "null")))"
    case .disappeared(let types): "gone (\(Self.list(types.map(\.rawValue), none: "null")))"
    case .typeChanged(let old, let new):
      "\(Self.list(new.map(\.rawValue))), was \(Self.list(old.map(\.rawValue)))"
    case .nullabilityChanged(let old, let new):
      "\(new.rawValue) null, was \(old.rawValue) null"
    case .becameOptional: "sometimes missing, was always present"
    case .becameRequired: "always present, was sometimes missing"
    case .bodyChanged(let old, let new):
      "\(Self.list(new.map(\.text))), was \(Self.list(old.map(\.text)))"
    case .statusChanged(let old, let new):
      "status \(Self.list(new.map(\.description))), was \(Self.list(old.map(\.description)))"
    }
  }

  private static func list(_ words: [String], none: String = "") -> String {
    words.isEmpty ? none : words.joined(separator: " or ")
  }
}

extension DriftReport.BodyKind {
  fileprivate var text: String {
    switch self {
    case .empty: "empty"
    case .json: "JSON"
    case .other: "not JSON"
    }
  }
}

extension String {
  /// The text without line breaks and other control characters.
  fileprivate var inOneLine: String {
    let lines = unicodeScalars.split { $0.properties.generalCategory == .control }
    return lines.map { String($0) }.joined(separator: " ")
  }
}
