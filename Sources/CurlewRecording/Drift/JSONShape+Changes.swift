import Curlew

extension JSONShape {
  /// Returns the changes from this shape to another, by coding path.
  func changes(to other: JSONShape) -> [(path: String, kind: DriftReport.Kind)] {
    var changes: [(path: String, kind: DriftReport.Kind)] = []
    var pairs = [(old: 0, new: 0, path: "")]
    while let pair = pairs.popLast() {
      let (path, old, new) = (pair.path, nodes[pair.old], other.nodes[pair.new])
      guard old.values > 0, new.values > 0 else { continue }
      changes += old.changes(to: new).map { (path, $0) }
      if let before = old.element, let after = new.element {
        pairs.append((before, after, path.element))
      }
      if let before = old.identified, let after = new.identified {
        pairs.append((before, after, path.member("{id}")))
      }
      guard old.objects > 0, new.objects > 0 else { continue }
      for (key, member) in old.members {
        let path = path.member(key)
        guard let newMember = new.members[key] else {
          changes.append((path, .disappeared(types: nodes[member].sortedTypes)))
          continue
        }
        let wasAlways = nodes[member].presences == old.objects
        if wasAlways != (other.nodes[newMember].presences == new.objects) {
          changes.append((path, wasAlways ? .becameOptional : .becameRequired))
        }
        pairs.append((member, newMember, path))
      }
      for (key, member) in new.members where old.members[key] == nil {
        changes.append((path.member(key), .appeared(types: other.nodes[member].sortedTypes)))
      }
    }
    return changes.map { (change: $0, text: "\($0.kind)") }
      .sorted { ($0.change.path, $0.text) < ($1.change.path, $1.text) }.map(\.change)
  }
}

extension JSONShape.Node {
  /// The types in declaration order, with integers merged into numbers if both occur.
  fileprivate var sortedTypes: [DriftReport.ValueType] {
    DriftReport.ValueType.allCases.filter { type in
      types.contains(type) && !(type == .integer && types.contains(.number))
    }
  }

  private var nullability: DriftReport.Nullability {
    nulls == 0 ? .never : nulls < values ? .sometimes : .always
  }

  /// Returns the changes of the values themselves, without their members.
  fileprivate func changes(to new: Self) -> [DriftReport.Kind] {
    var kinds: [DriftReport.Kind] = []
    if (nullability == .never) != (new.nullability == .never) {
      kinds.append(.nullabilityChanged(from: nullability, to: new.nullability))
    }
    let (before, after) = (sortedTypes, new.sortedTypes)
    // A type that decodes numbers decodes integers, too.
    let allowed = before.contains(.number) ? after.map { $0 == .integer ? .number : $0 } : after
    if !before.isEmpty, !after.isEmpty, Set(before) != Set(allowed) {
      kinds.append(.typeChanged(from: before, to: after))
    }
    return kinds
  }
}

extension String {
  /// The coding path of an array's elements.
  fileprivate var element: String { isTooLong ? cut : self + "[]" }

  /// Returns the coding path of a member.
  fileprivate func member(_ key: String) -> String {
    guard !isTooLong else { return cut }
    let key = key.utf8.count <= 100 ? key : String(key.unicodeScalars.prefix(99)) + "…"
    return isEmpty ? key : self + "." + key
  }

  // Otherwise a server's keys could make the total length of all paths quadratic in the size of the body.
  private var isTooLong: Bool { utf8.count > 1_000 }
  private var cut: String { hasSuffix("…") ? self : self + "…" }
}
