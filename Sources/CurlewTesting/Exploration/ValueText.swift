import CurlewScreens
import Foundation

/// Texts of values, by reflection: equal values have equal texts, whatever the order of their sets and
/// dictionaries.
enum ValueText {
  /// Returns Swift code that makes a value, with a placeholder for a value that has none, such as a closure.
  static func code(_ value: Any) -> String {
    if let text = leaf(value) { return text }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children
    switch mirror.displayStyle {
    case .optional: return children.first.map { code($0.value) } ?? "nil"
    case .collection: return "[\(children.map { code($0.value) }.joined(separator: ", "))]"
    case .set: return "[\(children.map { code($0.value) }.sorted().joined(separator: ", "))]"
    case .dictionary:
      let pairs = children.map { code(pair: $0.value).joined(separator: ": ") }.sorted()
      return pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
    case .tuple: return "(\(arguments(children)))"
    case .enum:
      guard let payload = children.first else { return ".\(value)" }
      let name = payload.label ?? ""
      let inner = Mirror(reflecting: payload.value)
      let isTuple = inner.displayStyle == .tuple
      return ".\(name)(\(isTuple ? arguments(inner.children) : code(payload.value)))"
    case .struct: return "\(mirror.subjectType)(\(arguments(children)))"
    default: return "<#\(mirror.subjectType)#>"
    }
  }

  /// Returns the texts of a value's parts by their paths, such as `items[0].name`; references have none.
  static func lines(_ value: Any) -> [(path: String, text: String)] {
    var lines: [(path: String, text: String)] = []
    add(value, at: "", to: &lines)
    return lines
  }

  /// Returns the differences of two values, one a line.
  static func differences(_ old: Any, _ new: Any) -> [String] {
    changes(old, new).compactMap { path, change in
      // A wrapped property, such as one that is not observed, or an optional value that is still missing.
      if path.hasPrefix("_") || path.contains("._")
        || (change.old ?? "nil") == (change.new ?? "nil")
      {
        return nil
      }
      let old = change.old.map { "\($0) -> " } ?? ""
      return "\(path.isEmpty ? "state" : path): \(old)\(change.new ?? "nothing")"
    }
  }

  /// Returns the paths at which two values differ, with the texts there.
  static func changes(
    _ old: Any, _ new: Any
  ) -> [(path: String, (old: String?, new: String?))] {
    let (old, new) = (lines(old), lines(new))
    let (before, after) = (
      Dictionary(old, uniquingKeysWith: { $1 }), Dictionary(new, uniquingKeysWith: { $1 })
    )
    var seen: Set<String> = []
    return (new + old).compactMap { path, _ in
      let change = (old: before[path], new: after[path])
      return change.old != change.new && seen.insert(path).inserted ? (path, change) : nil
    }
  }

  /// Returns the paths of the loading content in a value.
  static func loading(_ value: Any, at path: String = "state") -> [String] {
    if let content = value as? any LoadingContent { return content.isLoading ? [path] : [] }
    let mirror = Mirror(reflecting: value)
    // The states of Curlew's screens declare their loads themselves.
    let isDeclared =
      mirror.displayStyle == .struct
      && String(reflecting: mirror.subjectType).hasPrefix("CurlewScreens.")
    if isDeclared { return [] }
    return mirror.children.enumerated().flatMap { index, child in
      loading(child.value, at: path + (child.label.map { ".\($0)" } ?? "[\(index)]"))
    }
  }

  private static func add(
    _ value: Any, at path: String, to lines: inout [(path: String, text: String)]
  ) {
    if let text = leaf(value) { return lines.append((path, text)) }
    let mirror = Mirror(reflecting: value)
    func addAll(_ children: Mirror.Children, at path: String) {
      for (index, child) in children.enumerated() {
        // An unlabelled value is at the path of the whole.
        let label =
          child.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? (index > 0 ? "\(index)" : "")
        let separator = path.isEmpty || label.isEmpty ? "" : "."
        add(child.value, at: path + separator + label, to: &lines)
      }
    }
    switch mirror.displayStyle {
    case .optional:
      guard let child = mirror.children.first else { return lines.append((path, "nil")) }
      add(child.value, at: path, to: &lines)
    case .collection:
      if mirror.children.isEmpty { lines.append((path, "[]")) }
      for (index, child) in mirror.children.enumerated() {
        add(child.value, at: "\(path)[\(index)]", to: &lines)
      }
    case .dictionary:
      let pairs = mirror.children.map { pair in
        (
          code(pair: pair.value)[0],
          Mirror(reflecting: pair.value).children.dropFirst().first?.value
        )
      }
      for (key, value) in pairs.sorted(by: { $0.0 < $1.0 }) {
        add(value as Any, at: "\(path)[\(key)]", to: &lines)
      }
    case .enum:
      guard let payload = mirror.children.first else { return lines.append((path, ".\(value)")) }
      let name = payload.label ?? ""
      lines.append((path, ".\(name)"))
      let inner = Mirror(reflecting: payload.value)
      let payloadPath = path.isEmpty ? name : "\(path).\(name)"
      if inner.displayStyle == .tuple {
        addAll(inner.children, at: payloadPath)
      } else {
        add(payload.value, at: payloadPath, to: &lines)
      }
    case .struct, .tuple: addAll(mirror.children, at: path)
    default: lines.append((path, code(value)))
    }
  }

  /// Returns the code of a value without parts; `nil` for a value with parts.
  private static func leaf(_ value: Any) -> String? {
    switch value {
    case let value as String: value.debugDescription
    case let value as Int: "\(value)"
    case let value as Bool: "\(value)"
    case let value as Double: "\(value)"
    case let value as Duration: code(of: value)
    // Failures are compared by identity, which differs in each run.
    case let value as LoadFailure: "LoadFailure(message: \(value.message.debugDescription))"
    case let value as Date: "Date(timeIntervalSince1970: \(value.timeIntervalSince1970))"
    case let value as URL: "<#URL \(value)#>"
    case let value as UUID: "<#UUID \(value)#>"
    case let value as any BinaryInteger: "\(value)"
    default: nil
    }
  }

  private static func code(of duration: Duration) -> String {
    let milliseconds = duration / .milliseconds(1)
    if milliseconds == milliseconds.rounded() { return ".milliseconds(\(Int(milliseconds)))" }
    return ".nanoseconds(\(Int(duration / .nanoseconds(1))))"
  }

  private static func code(pair: Any) -> [String] {
    Mirror(reflecting: pair).children.map { code($0.value) }
  }

  private static func arguments(_ children: Mirror.Children) -> String {
    children.map { child in
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
      return label + code(child.value)
    }.joined(separator: ", ")
  }
}

private protocol LoadingContent {
  var isLoading: Bool { get }
}

extension Loadable: LoadingContent {}
