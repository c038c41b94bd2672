import Curlew
import CurlewRecording
import CurlewTesting
import TestSupport

/// A change of some responses at a coding path, with the expected report.
enum Planting: CaseIterable {
  case removeEverywhere, removeSomewhere, fillMissing, addEverywhere, addSomewhere, rename
  case changeEveryType, changeOneType, nullEverywhere, nullSomewhere, fillNulls
  /// These are not changes: a report must not list them.
  case emptyArrays, wholeNumbers

  /// The changed trees, and the expected changes by coding path, which no other planting may touch; empty if no change
  /// is expected.
  typealias Result = (trees: [JSONTree], expected: [(Pattern, DriftReport.Kind)])

  /// The values at a coding path.
  private struct Values {
    let all: [JSONTree]
    let types: Set<DriftReport.ValueType>
    let nulls: Int

    init(_ trees: [JSONTree], at path: Pattern) {
      all = trees.flatMap { $0.values(at: path[...]) }
      types = Set(all.compactMap(\.type))
      nulls = all.count { $0 == .null }
    }

    /// The types as listed in reports.
    var listed: [DriftReport.ValueType] {
      DriftReport.ValueType.allCases.filter {
        types.contains($0) && !($0 == .integer && types.contains(.number))
      }
    }

    var areScalarsOfOneType: Bool {
      types.count <= 1 && all.allSatisfy { $0 == .null || $0.isScalar }
    }
  }

  private static func scalar(_ type: DriftReport.ValueType) -> JSONTree {
    switch type {
    case .object: .object(["planted": .boolean(true)])
    case .array: .array([])
    case .string: .string("pl\"änted\n")
    case .integer: .number("-70")
    case .number: .number("7.0e-1")
    case .boolean: .boolean(false)
    }
  }

  /// Plants the change; returns `nil` if that is not possible.
  ///
  /// - Parameter key: A key that does not occur.
  func plant(
    in trees: [JSONTree], at path: Pattern, key: String, _ random: inout SeededGenerator
  ) -> Result? {
    let values = Values(trees, at: path)
    let parents = path.last.map { $0 == "[]" } == false ? Values(trees, at: path.dropLast()) : nil
    let missing = (parents?.all.count { $0.type == .object } ?? 0) - values.all.count
    let types = values.listed
    switch self {
    case .removeEverywhere:
      guard parents != nil else { return nil }
      return (
        Self.changing(trees, path.dropLast()) { $0.with(nil, for: path.last) },
        [(path, .disappeared(types: types))]
      )
    case .rename:
      guard parents != nil else { return nil }
      let renamed = Self.changing(trees, path.dropLast()) { parent in
        let value = parent.values(at: path.suffix(1)).first
        return parent.with(nil, for: path.last).with(value, for: key)
      }
      return (
        renamed,
        [(path, .disappeared(types: types)), (path.dropLast() + [key], .appeared(types: types))]
      )
    case .addEverywhere, .addSomewhere:
      guard values.types.contains(.object) else { return nil }
      let type = random.pick(DriftReport.ValueType.allCases + [nil])
      let chosen = Self.some(
        values.all.indices.filter { values.all[$0].type == .object },
        all: self == .addEverywhere, &random)
      let new = type.map(Self.scalar) ?? .null
      return (
        Self.changing(trees, path, only: chosen) { $0.with(new, for: key) },
        [(path + [key], .appeared(types: type.map { [$0] } ?? []))]
      )
    case .changeEveryType:
      let others = Self.other(than: values.types)
      guard !types.isEmpty, !others.isEmpty else { return nil }
      let type = random.pick(others)
      return (
        Self.changing(trees, path) { $0 == .null ? $0 : Self.scalar(type) },
        [(path, .typeChanged(from: types, to: [type]))]
      )
    case .changeOneType:
      let others = Self.other(than: values.types)
      guard !types.isEmpty, !others.isEmpty, values.all.allSatisfy({ $0 == .null || $0.isScalar })
      else { return nil }
      let new = Self.scalar(random.pick(others))
      let index = random.pick(values.all.indices.filter { values.all[$0] != .null })
      let changed = Self.changing(trees, path, only: [index]) { _ in new }
      return (changed, [(path, .typeChanged(from: types, to: Values(changed, at: path).listed))])
    case .nullEverywhere:
      guard values.nulls == 0, !values.all.isEmpty else { return nil }
      return (
        Self.changing(trees, path) { _ in .null },
        [(path, .nullabilityChanged(from: .never, to: .always))]
      )
    case .nullSomewhere:
      guard values.nulls == 0, values.all.count > 1, values.areScalarsOfOneType else { return nil }
      let chosen = Self.some(Array(values.all.indices), all: false, &random)
      return (
        Self.changing(trees, path, only: chosen) { _ in .null },
        [(path, .nullabilityChanged(from: .never, to: .sometimes))]
      )
    case .fillNulls:
      guard values.nulls > 0, values.areScalarsOfOneType else { return nil }
      let new = Self.scalar(types.first ?? .object)
      return (
        Self.changing(trees, path) { $0 == .null ? new : $0 },
        [(path, .nullabilityChanged(from: types.isEmpty ? .always : .sometimes, to: .never))]
      )
    case .removeSomewhere:
      guard parents != nil, missing == 0, values.nulls == 0, values.all.count > 1,
        values.areScalarsOfOneType
      else { return nil }
      let above = Values(trees, at: path.dropLast()).all
      let chosen = Self.some(
        above.indices.filter { above[$0].type == .object }, all: false, &random)
      return (
        Self.changing(trees, path.dropLast(), only: chosen) { $0.with(nil, for: path.last) },
        [(path, .becameOptional)]
      )
    case .fillMissing:
      guard parents != nil, missing > 0, values.nulls == 0, values.areScalarsOfOneType,
        let type = types.first
      else { return nil }
      let filled = Self.changing(trees, path.dropLast()) { parent in
        parent.values(at: path.suffix(1)).isEmpty
          ? parent.with(Self.scalar(type), for: path.last) : parent
      }
      return (filled, [(path, .becameRequired)])
    case .emptyArrays:
      guard values.types.contains(.array) else { return nil }
      return (Self.changing(trees, path) { $0.type == .array ? .array([]) : $0 }, [])
    case .wholeNumbers:
      guard values.types.contains(.number) else { return nil }
      return (Self.changing(trees, path) { $0.type == .number ? .number("7") : $0 }, [])
    }
  }

  /// Returns the types that a value can change to.
  private static func other(than types: Set<DriftReport.ValueType>) -> [DriftReport.ValueType] {
    DriftReport.ValueType.allCases.filter {
      !types.contains($0) && !($0 == .integer && types.contains(.number))
    }
  }

  /// Chooses all indices, or a proper subset if there are several.
  private static func some(
    _ indices: [Int], all: Bool, _ random: inout SeededGenerator
  ) -> Set<Int> {
    guard !all, indices.count > 1 else { return Set(indices) }
    return Set(indices.shuffled(using: &random).prefix(random.pick(1...indices.count - 1)))
  }

  /// Changes the values at a path, or only the values at the given indices.
  private static func changing(
    _ trees: [JSONTree], _ path: some Collection<String>, only chosen: Set<Int>? = nil,
    _ change: (JSONTree) -> JSONTree
  ) -> [JSONTree] {
    var number = -1
    return trees.map { tree in
      tree.changing(Array(path)[...]) { value in
        number += 1
        return chosen?.contains(number) ?? true ? change(value) : value
      }
    }
  }
}

extension JSONTree {
  /// Returns the object with a different value for a key, or without the key; returns other values unchanged.
  fileprivate func with(_ value: JSONTree?, for key: String?) -> JSONTree {
    guard case .object(var members) = self, let key else { return self }
    members[key] = value
    return .object(members)
  }
}
