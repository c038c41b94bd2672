import Foundation

/// Data that is valid and yet hard to show: missing and null members, very long words, many labels.
struct RealData: Decodable, Sendable {
  /// A repository of the account `curlew`; its name is that of the data, such as `real-data`.
  struct Entry: Decodable, Sendable {
    let name: String
    let open: Int
    let set: [String: JSON]?
    let without: [String]?
  }

  /// What is different from an ordinary document.
  struct Change: Decodable, Sendable {
    var set: [String: JSON]?
    var without: [String]?
    /// Whether the document is null.
    var isNull: Bool?

    func applied(to members: [(String, JSON)]) -> JSON {
      if isNull == true { return .null }
      let kept = members.filter { without?.contains($0.0) != true && set?[$0.0] == nil }
      return .object(kept + (set ?? [:]).sorted { $0.key < $1.key })
    }
  }

  let repositories: [Entry]
  let issues: [Change]
  let movies: [Change]
  let storeMovies: [Change]

  static let shared: RealData = {
    do {
      return try JSONDecoder().decode(
        RealData.self, from: Data(PackageResources.real_data_json))
    } catch {
      preconditionFailure("real-data.json: \(error)")
    }
  }()

  /// The name of the account that has the repositories.
  static let owner = "curlew"

  /// How a repository differs from an ordinary one; nil when it is ordinary.
  static func change(of repository: Repository) -> Change? {
    guard repository.owner.login == owner else { return nil }
    let entry = shared.repositories.first { $0.name == repository.name }
    return entry.map { Change(set: $0.set, without: $0.without) }
  }

  /// How an issue differs from an ordinary one.
  static func change(of repository: Repository, at index: Int) -> Change? {
    guard repository.fullName == "curlew/real-data" else { return nil }
    return shared.issues[index]
  }
}

extension JSON: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSON].self) {
      self = .array(values)
    } else {
      let members = try container.decode([String: JSON].self)
      self = .object(members.sorted { $0.key < $1.key })
    }
  }
}
