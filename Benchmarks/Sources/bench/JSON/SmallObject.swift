/// The object of 321 bytes.
struct SmallObject: Decodable, Equatable, Sendable {
  struct Owner: Decodable, Equatable, Sendable {
    let login: String
    let id: Int
    let type: String
  }

  let id: Int
  let name, full_name: String
  let `private`: Bool
  let owner: Owner
  let description: String?
  let stargazers_count: Int
  let score: Double
  let language: String?
  let topics: [String]
  let license: String?
  let archived: Bool
  let visibility: String
}

/// A message in one of many scripts, with many escapes.
struct Message: Decodable, Equatable, Sendable {
  let id: Int
  let author, text: String
}
