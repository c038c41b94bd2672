import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport

/// A recording to plant changes in.
struct PlantedRecording {
  /// An expected line of a report.
  struct Line: Hashable {
    let endpoint: String
    let status: Int?
    let path: String
    let kind: DriftReport.Kind
  }

  /// The JSON responses of an endpoint that a report compares with each other.
  private struct Group {
    let endpoint: String
    let status: Int?
    var indices: [Int] = []
    var paths: [Pattern] = []
  }

  let har: HAR
  private var trees: [Int: JSONTree] = [:]
  private var groups: [Group] = []
  private var indices: [String: [Int]] = [:]

  /// - Parameter largest: The maximum size of responses to plant changes in, in bytes.
  init(_ har: HAR, upTo largest: Int = .max) {
    self.har = har
    var tooLarge: Set<String> = []
    for (index, entry) in har.entries.enumerated() where entry.response.status != .notModified {
      let endpoint = Self.endpoint(of: entry)
      indices[endpoint, default: []].append(index)
      guard entry.response.body.count <= largest, let tree = try? JSONTree(entry.response.body)
      else {
        if entry.response.body.count > largest { tooLarge.insert(endpoint) }
        continue
      }
      trees[index] = tree
      let code = entry.response.status.code
      let status = 200..<300 ~= code ? nil : code
      let known = groups.firstIndex { $0.endpoint == endpoint && $0.status == status }
      if known == nil { groups.append(Group(endpoint: endpoint, status: status)) }
      groups[known ?? groups.count - 1].indices.append(index)
    }
    groups.removeAll { tooLarge.contains($0.endpoint) }
    for index in groups.indices {
      var paths: Set<Pattern> = []
      for tree in groups[index].indices.compactMap({ trees[$0] }) { tree.patterns(into: &paths) }
      // Identifier keys are merged in reports.
      groups[index].paths = paths.filter { !$0.contains { Int($0) != nil } }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  /// Returns a copy with planted changes, and the expected report.
  func planting(
    _ count: Int, _ random: inout SeededGenerator
  ) -> (har: HAR, expected: [Line], plantings: [String]) {
    var (copy, trees) = (har, trees)
    var expected: [Line] = []
    var plantings: [String] = []
    var touched: [String: [Pattern]] = [:]
    for _ in 0..<count * 50 where plantings.count < count {
      let group = random.pick(groups)
      let name = "\(group.endpoint) \(group.status ?? 200)"
      if touched[name] == nil, random.chance(oneIn: 10),
        let line = plantWhole(group, in: &copy, &random)
      {
        touched[name] = [[]]
        // If an endpoint's status changed, its other changes are not reported.
        for other in groups where other.endpoint == group.endpoint {
          if touched["\(other.endpoint) \(other.status ?? 200)"] == nil {
            touched["\(other.endpoint) \(other.status ?? 200)"] = [[]]
          }
        }
        expected.append(line)
        plantings.append("\(name): \(line.kind)")
        continue
      }
      let (path, planting) = (random.pick(group.paths), random.pick(Planting.allCases))
      let key = "planted \(plantings.count)"
      let isAdded = planting == .addEverywhere || planting == .addSomewhere
      let own = isAdded ? path + [key] : path
      guard
        touched[name, default: []].allSatisfy({ !$0.starts(with: own) && !own.starts(with: $0) }),
        let result = planting.plant(
          in: group.indices.compactMap { trees[$0] }, at: path, key: key, &random)
      else { continue }
      touched[name, default: []].append(own)
      for (index, tree) in zip(group.indices, result.trees) {
        trees[index] = tree
        copy.entries[index].response.body = Data(tree.text.utf8)
      }
      expected += result.expected.map {
        Line(endpoint: group.endpoint, status: group.status, path: Self.text(of: $0), kind: $1)
      }
      plantings.append("\(name): \(planting) at \(Self.text(of: path))")
    }
    // Rarely, because identical bodies in the same order are skipped, which makes the tests faster.
    if random.chance(oneIn: 20) { copy.entries.shuffle(using: &random) }
    return (copy, expected, plantings)
  }

  /// Breaks all bodies, or makes all requests fail; returns `nil` if that is not possible.
  private func plantWhole(
    _ group: Group, in copy: inout HAR, _ random: inout SeededGenerator
  ) -> Line? {
    let all = indices[group.endpoint] ?? []
    let statuses = Set(all.map { har.entries[$0].response.status.code })
    // Only if the endpoint has no earlier changes.
    guard all.allSatisfy({ copy.entries[$0] == har.entries[$0] }) else { return nil }
    if random.chance(oneIn: 2), !statuses.contains(where: { $0 >= 500 }) {
      for index in all { copy.entries[index].response.status = .serviceUnavailable }
      return Line(
        endpoint: group.endpoint, status: nil, path: "",
        kind: .statusChanged(from: statuses.sorted(), to: [503]))
    }
    let peers = all.filter {
      let code = har.entries[$0].response.status.code
      return code == group.status || group.status == nil && code / 100 == 2
    }
    guard peers == group.indices, peers.allSatisfy({ har.entries[$0].response.body.count > 1 })
    else { return nil }
    for index in peers {
      copy.entries[index].response.body.removeLast(har.entries[index].response.body.count / 2)
    }
    return Line(
      endpoint: group.endpoint, status: group.status, path: "",
      kind: .bodyChanged(from: [.json], to: [.other]))
  }

  /// Returns a coding path as in reports: `results[].title`.
  static func text(of path: Pattern) -> String {
    path.reduce("") { $1 == "[]" ? $0 + $1 : $0 + ($0.isEmpty ? "" : ".") + $1 }
  }

  /// Returns the method, the host and the path, with numbers as `{id}`.
  static func endpoint(of entry: HAR.Entry) -> String {
    let url = URLComponents(string: entry.url)
    let path = (url?.percentEncodedPath ?? "").replacing(/\/$/, with: "")
    let segments = path.split(separator: "/").enumerated().map { index, segment in
      index > 0 && segment.wholeMatch(of: /[0-9]+/) != nil ? "{id}" : segment
    }
    return "\(entry.method) \(url?.host ?? "")/" + segments.joined(separator: "/")
  }
}

extension DriftReport {
  /// The changes in the form of the expected lines.
  var lines: [PlantedRecording.Line] {
    changes.map { change in
      PlantedRecording.Line(
        endpoint: "\(change.endpoint)", status: change.status, path: change.codingPath,
        kind: change.kind)
    }
  }
}
