import Foundation
import Synchronization

/// Texts of values, by reflection: equal values have equal texts, whatever the order of their sets and
/// dictionaries.
package enum ValueText {
  /// Returns Swift code that makes a value, with a placeholder for a value that has none, such as a closure.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - masking: Whether properties with secret names, such as `password`, are replaced by `***`.
  package static func code(_ value: Any, masking: Bool = false) -> String {
    if let text = leaf(value) { return text }
    func code(_ value: Any) -> String { self.code(value, masking: masking) }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children
    switch mirror.displayStyle {
    case .optional:
      guard let child = children.first else { return "nil" }
      let code = code(child.value)
      return code == "nil" ? ".some(nil)" : code
    case .collection: return "[\(children.map { code($0.value) }.joined(separator: ", "))]"
    case .set: return "[\(children.map { code($0.value) }.sorted().joined(separator: ", "))]"
    case .dictionary:
      let pairs = children.map { pair in
        let pair = Array(Mirror(reflecting: pair.value).children)
        let key = code(pair[0].value)
        return "\(key): \(argument((key, pair[1].value), masking))"
      }
      return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
    case .tuple: return "(\(arguments(children, masking)))"
    case .enum:
      guard let payload = children.first else { return ".\(value)" }
      let name = payload.label ?? ""
      let inner = Mirror(reflecting: payload.value)
      let isTuple = inner.displayStyle == .tuple
      let code =
        isTuple ? arguments(inner.children, masking, of: name) : argument(payload, masking)
      return ".\(name)(\(code))"
    case .struct:
      return "\(name(of: mirror.subjectType))(\(arguments(children, masking)))"
    default:
      let type = name(of: type(of: value))
      for (range, mark) in [("ClosedRange<", "..."), ("Range<", "..<")] where type.hasPrefix(range)
      {
        return children.map { code($0.value) }.joined(separator: mark)
      }
      // A secret's mirror is that of its description.
      if value is any CustomReflectable, "\(value)" == mask { return "\(type)(\"\(mask)\")" }
      return "<#\(type)#>"
    }
  }

  /// The text in place of a secret.
  static let mask = "***"
  private static let secrets = [
    "password", "passwd", "passcode", "passphrase", "secret", "token", "apikey", "api_key",
    "credential", "authorization", "cookie",
  ]

  static func isSecret(_ label: String?) -> Bool {
    guard let label = label?.lowercased() else { return false }
    return secrets.contains { label.contains($0) }
  }

  private static func argument(_ child: Mirror.Child, _ masking: Bool) -> String {
    let code = code(child.value, masking: masking)
    guard masking, code != "nil", isSecret(child.label) else { return code }
    return code.hasPrefix("\"") ? "\"\(mask)\"" : "<#\(mask)#>"
  }

  private static func arguments(
    _ children: Mirror.Children, _ masking: Bool, of name: String = ""
  ) -> String {
    zip(children, masking ? labels(of: children, in: name) : children.map { _ in "" }).map {
      let label = $0.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
      return label + argument(($1, $0.value), masking)
    }.joined(separator: ", ")
  }

  /// Returns the words that tell whether values are secret: the name of the case around them, their own labels, and the case
  /// before them, such as that of a field before its text.
  private static func labels(of children: Mirror.Children, in name: String) -> [String] {
    var before = ""
    return children.map { child in
      defer {
        let isCase = Mirror(reflecting: child.value).displayStyle == .enum
        before = isCase ? "\(child.value)" : ""
      }
      return "\(name) \(before) \(child.label ?? "")"
    }
  }

  // MARK: Types

  private static let names = Mutex<[ObjectIdentifier: String]>([:])

  /// Returns the name of a type without its module: `Search<Dog>.State`.
  package static func name(of type: Any.Type) -> String {
    if let name = names.withLock({ $0[ObjectIdentifier(type)] }) { return name }
    let name = String(reflecting: type)
      .replacing(/\(extension in \w+\):|\(unknown context at \$\w+\)\./, with: "")
      .replacing(/(^|[<,( ])\w+\./) { $0.1 }
      .replacing(/Array<([^<>]+)>/) { "[\($0.1)]" }
    names.withLock { $0[ObjectIdentifier(type)] = name }
    return name
  }

  /// Returns the modules of a type and of its generic arguments.
  static func modules(of type: Any.Type) -> [String] {
    String(reflecting: type).matches(of: /(?:^|[<,( :])(\w+)\./).map { String($0.1) }
  }

  // MARK: Lines

  /// Returns the texts of a value's parts by their paths, such as `items[0].name`; references have none.
  ///
  /// UUIDs are numbered in the order of their appearance, and data have only a size, because random identifiers and the order
  /// of encoded keys differ in each run.
  package static func lines(
    _ value: Any, masking: Bool = false
  ) -> [(path: String, text: String)] {
    var lines: [(path: String, text: String)] = []
    add(value, at: "", masking, to: &lines)
    var numbers: [UUID: Int] = [:]
    return lines.map { path, text in
      // A UUID in quotation marks, or its code.
      guard text.utf8.count == 38 || text.hasPrefix("UUID("),
        let id = text.split(separator: "\"").lazy.compactMap({ UUID(uuidString: String($0)) }).first
      else { return (path, text) }
      numbers[id] = numbers[id] ?? numbers.count + 1
      return (path, "UUID \(numbers[id] ?? 0)")
    }
  }

  /// Returns the texts of a state's parts, one a line, without those that are not compared, and without secrets.
  package static func text(of state: Any) -> [String] {
    lines(state, masking: true).filter { !isWrapped($0.path) }.map { path, text in
      path.isEmpty ? text : "\(path): \(text)"
    }
  }

  /// Returns the differences of two values, one a line.
  package static func differences(_ old: Any, _ new: Any) -> [String] {
    changes(old, new).compactMap { path, change in
      if isWrapped(path) || (change.old ?? "nil") == (change.new ?? "nil") { return nil }
      // The elements are the change.
      if change.old == "[]", change.new == nil { return nil }
      let old = change.old.map { "\($0) -> " } ?? ""
      return "\(path.isEmpty ? "state" : path): \(old)\(change.new ?? "nothing")"
    }
  }

  /// Whether a path leads into a wrapped property, such as one that is not observed.
  private static func isWrapped(_ path: String) -> Bool {
    path.hasPrefix("_") || path.contains("._")
  }

  /// Returns the paths at which two values differ, with the texts there.
  package static func changes(
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

  private static func add(
    _ value: Any, at path: String, _ masking: Bool, to lines: inout [(path: String, text: String)]
  ) {
    if let text = leaf(value) { return lines.append((path, text)) }
    if let data = value as? Data { return lines.append((path, "\(data.count) bytes")) }
    let mirror = Mirror(reflecting: value)
    func add(_ value: Any, at path: String, _ label: String? = nil) {
      if masking, isSecret(label) {
        lines.append((path, argument((label, value), true)))
      } else {
        self.add(value, at: path, masking, to: &lines)
      }
    }
    func addAll(_ children: Mirror.Children, at path: String, of name: String = "") {
      let labels = masking ? labels(of: children, in: name) : []
      for (index, child) in children.enumerated() {
        // An unlabelled value is at the path of the whole.
        let label =
          child.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? (index > 0 ? "\(index)" : "")
        let separator = path.isEmpty || label.isEmpty ? "" : "."
        add(child.value, at: path + separator + label, masking ? labels[index] : nil)
      }
    }
    switch mirror.displayStyle {
    case .optional:
      guard let child = mirror.children.first else { return lines.append((path, "nil")) }
      add(child.value, at: path)
    case .collection:
      if mirror.children.isEmpty { lines.append((path, "[]")) }
      for (index, child) in mirror.children.enumerated() {
        add(child.value, at: "\(path)[\(index)]")
      }
    case .dictionary:
      let pairs = mirror.children.map { pair in
        let pair = Array(Mirror(reflecting: pair.value).children)
        return (code(pair[0].value, masking: masking), pair[1].value)
      }
      for (key, value) in pairs.sorted(by: { $0.0 < $1.0 }) {
        add(value, at: "\(path)[\(key)]", key)
      }
    case .enum:
      guard let payload = mirror.children.first else { return lines.append((path, ".\(value)")) }
      let name = payload.label ?? ""
      lines.append((path, ".\(name)"))
      let inner = Mirror(reflecting: payload.value)
      let payloadPath = path.isEmpty ? name : "\(path).\(name)"
      if inner.displayStyle == .tuple {
        addAll(inner.children, at: payloadPath, of: name)
      } else {
        add(payload.value, at: payloadPath, name)
      }
    case .struct where mirror.children.isEmpty, nil:
      lines.append((path, code(value, masking: masking)))
    case .struct, .tuple: addAll(mirror.children, at: path)
    default: lines.append((path, code(value, masking: masking)))
    }
  }

  /// Returns the code of a value without parts; `nil` for a value with parts.
  static func leaf(_ value: Any) -> String? {
    switch value {
    case let value as String:
      // Not like a placeholder. The search is slow, and an exploration compares many texts.
      value.utf8.contains(UInt8(ascii: "<"))
        ? value.debugDescription.replacing("<#", with: #"<\u{23}"#) : value.debugDescription
    case let value as Int: "\(value)"
    case let value as Bool: "\(value)"
    case let value as Double where value.isFinite: "\(value)"
    case let value as Float where value.isFinite: "\(value)"
    case let value as Duration: code(of: value)
    // Failures are compared by identity, which differs in each run.
    case let value as LoadFailure: "LoadFailure(message: \(value.message.debugDescription))"
    case let value as Date: "Date(timeIntervalSince1970: \(value.timeIntervalSince1970))"
    case let value as URL: "URL(string: \(value.absoluteString.debugDescription))!"
    case let value as UUID: "UUID(uuidString: \"\(value)\")!"
    case let value as any BinaryInteger: "\(value)"
    default: nil
    }
  }

  private static func code(of duration: Duration) -> String {
    let milliseconds = duration / .milliseconds(1)
    if milliseconds == milliseconds.rounded(), let count = Int(exactly: milliseconds) {
      return ".milliseconds(\(count))"
    }
    if let count = Int(exactly: (duration / .nanoseconds(1)).rounded()) {
      return ".nanoseconds(\(count))"
    }
    return ".seconds(\(duration.components.seconds))"
  }
}
