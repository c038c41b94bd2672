import Curlew

struct User: Decodable, Equatable, Sendable {
  let login: String
}

struct Issue: Decodable, Equatable, Sendable {
  let number: Int
  let user: User
}
