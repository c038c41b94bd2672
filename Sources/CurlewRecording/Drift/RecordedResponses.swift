import Curlew
import Foundation
import HTTPTypes

/// The recorded responses of one endpoint.
struct RecordedResponses {
  private var statuses: Set<Int> = []
  /// The bodies of successful responses under `nil`, and of other responses under their status.
  private var bodies: [Int?: [Data]] = [:]

  static func byEndpoint(of recording: HAR) -> [DriftReport.Endpoint: RecordedResponses] {
    recording.entries.reduce(into: [:]) { result, entry in
      let endpoint = DriftReport.Endpoint(entry.method, entry.url)
      result[endpoint, default: RecordedResponses()].add(entry.response)
    }
  }

  private mutating func add(_ response: Sample) {
    let status = response.status.code
    // Not Modified depends on the client's cache, not on the resource.
    guard status != 304 else { return }
    statuses.insert(status)
    let key: Int? = status / 100 == 2 ? nil : status
    bodies[key, default: []].append(response.body)
  }

  func changes(to new: Self, of endpoint: DriftReport.Endpoint) -> [DriftReport.Change] {
    guard !statuses.isEmpty, !new.statuses.isEmpty else { return [] }
    let classes = Set(statuses.map { $0 / 100 })
    guard new.statuses.contains(where: { classes.contains($0 / 100) }) else {
      let kind = DriftReport.Kind.statusChanged(
        from: statuses.sorted(), to: new.statuses.sorted())
      return [DriftReport.Change(endpoint: endpoint, status: nil, codingPath: "", kind: kind)]
    }
    // `nil` (successful responses) sorts first.
    return bodies.keys.sorted { ($0 ?? 0) < ($1 ?? 0) }.flatMap { status -> [DriftReport.Change] in
      guard let old = bodies[status], let new = new.bodies[status], old != new else { return [] }
      return Self.changes(from: old, to: new).map { path, kind in
        DriftReport.Change(endpoint: endpoint, status: status, codingPath: path, kind: kind)
      }
    }
  }

  private static func changes(
    from old: [Data], to new: [Data]
  ) -> [(path: String, kind: DriftReport.Kind)] {
    let ((before, oldKinds), (after, newKinds)) = (read(old), read(new))
    let changes = before.changes(to: after)
    guard oldKinds != newKinds else { return changes }
    return [("", .bodyChanged(from: oldKinds, to: newKinds))] + changes
  }

  /// Returns the merged shape of the JSON bodies, and the kinds of all bodies.
  private static func read(_ bodies: [Data]) -> (JSONShape, [DriftReport.BodyKind]) {
    var shape = JSONShape()
    var kinds: Set<DriftReport.BodyKind> = []
    for body in bodies {
      kinds.insert(body.isEmpty ? .empty : shape.merge(body) ? .json : .other)
    }
    return (shape, DriftReport.BodyKind.allCases.filter(kinds.contains))
  }
}
