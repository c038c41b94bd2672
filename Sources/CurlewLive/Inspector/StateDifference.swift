/// The values that differ between two states, found by reflection.
package struct StateDifference: Encodable {
  /// A value that differs.
  package struct Change: Encodable, Equatable {
    /// The path of the value: `results.items[3].title`.
    package let path: String
    /// The old value; `nil` if the value was added.
    package let old: String?
    /// The new value; `nil` if the value was removed.
    package let new: String?
  }

  /// The maximum number of compared values of a state, their maximum depth, and the maximum number
  /// of listed changes.
  private static let (maximumValues, maximumDepth, maximumChanges) = (20_000, 24, 50)
  /// The maximum length of a value's text.
  private static let maximumTextLength = 200

  /// The first changes.
  package let changes: [Change]
  /// The number of changes beyond the listed changes.
  package let more: Int

  /// Creates the difference between two states; for the first state, only the number of its values.
  package init(from previous: Any?, to next: Any) {
    let new = Self.values(of: next)
    guard let previous else {
      (changes, more) = ([], new.count)
      return
    }
    let old = Self.values(of: previous)
    let before = Dictionary(old, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new, uniquingKeysWith: { first, _ in first })
    let changes =
      new.filter { before[$0.path] != $0.text }
      .map { Change(path: $0.path, old: before[$0.path], new: $0.text) }
      + old.filter { after[$0.path] == nil }.map { Change(path: $0.path, old: $0.text, new: nil) }
    self.changes = Array(changes.prefix(Self.maximumChanges))
    more = changes.count - self.changes.count
  }

  private static func values(of state: Any) -> [(path: String, text: String)] {
    var values: [(path: String, text: String)] = []
    add(state, "", 0, to: &values)
    return values
  }

  private static func add(
    _ value: Any, _ path: String, _ depth: Int, to values: inout [(path: String, text: String)]
  ) {
    guard values.count < maximumValues else { return }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      guard let child = mirror.children.first else { return values.append((path, "nil")) }
      return add(child.value, path, depth, to: &values)
    }
    // Sets, which have no order, and values with their own descriptions are compared as single
    // values.
    let isOneValue = mirror.displayStyle == .set || value is any CustomStringConvertible
    guard depth < maximumDepth, isList(mirror) || !mirror.children.isEmpty && !isOneValue else {
      return values.append((path, text(of: value, longest: maximumTextLength)))
    }
    if mirror.displayStyle == .enum, let child = mirror.children.first {
      return add(child.value, joined(path, child.label), depth + 1, to: &values)
    }
    if isList(mirror) { values.append((joined(path, "count"), "\(mirror.children.count)")) }
    for (index, child) in mirror.children.enumerated() {
      guard values.count < maximumValues else { return }
      let pair =
        mirror.displayStyle == .dictionary ? Array(Mirror(reflecting: child.value).children) : []
      let name = child.label.map { joined(path, $0) } ?? "\(path)[\(pair.first?.value ?? index)]"
      add(pair.last?.value ?? child.value, name, depth + 1, to: &values)
    }
  }

  private static func isList(_ mirror: Mirror) -> Bool {
    mirror.displayStyle == .collection || mirror.displayStyle == .dictionary
  }

  private static func joined(_ path: String, _ label: String?) -> String {
    // Tuple positions, property wrappers and wrapping screens are left out of the path.
    guard let label, !label.hasPrefix("."), label != "wrappedValue",
      !(path.isEmpty && label == "content")
    else { return path }
    let name = label.hasPrefix("_") ? label.dropFirst() : label[...]
    return path.isEmpty ? String(name) : "\(path).\(name)"
  }

  /// Returns a value's description without module names, which Swift adds to values inside another
  /// value.
  package static func text(of value: Any, longest: Int) -> String {
    let text = description(of: value, longest: longest, depth: 0)
    return text.count > longest ? "\(text.prefix(longest))…" : text
  }

  private static func description(of value: Any, longest: Int, depth: Int) -> String {
    if let text = value as? String { return "\"\(text.prefix(longest + 1))\"" }
    let mirror = Mirror(reflecting: value)
    // A value with its own description is shown by it.
    let isKnown =
      value is any CustomStringConvertible && mirror.displayStyle != .optional
      && !isList(mirror) && mirror.displayStyle != .set
    guard depth < maximumDepth, !isKnown, let style = mirror.displayStyle else { return "\(value)" }
    let texts = mirror.children.prefix(100).map { child in
      let text = description(of: child.value, longest: longest, depth: depth + 1)
      let name = child.label.flatMap { $0.first == "." ? nil : $0 }
      return style == .enum || name == nil || style == .optional ? text : "\(name ?? ""): \(text)"
    }
    switch style {
    case .optional: return texts.first ?? "nil"
    case .enum:
      guard let child = mirror.children.first, let label = child.label else { return "\(value)" }
      let isTuple = Mirror(reflecting: child.value).displayStyle == .tuple
      return label + (isTuple ? texts[0] : "(\(texts[0]))")
    case .tuple: return "(\(texts.joined(separator: ", ")))"
    case .collection: return "[\(texts.joined(separator: ", "))]"
    case .set: return "{\(texts.sorted().joined(separator: ", "))}"
    case .dictionary: return "[\(texts.sorted().joined(separator: ", "))]"
    default: return "\(type(of: value))(\(texts.joined(separator: ", ")))"
    }
  }
}
