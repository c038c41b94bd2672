/// The JSON representation of a user or an organisation.
public struct UserPayload: Decodable, Sendable {
  let id: Int
  let login: String
  let name: Lenient<String>?
  let bio: Lenient<String>?
  let avatar: Lenient<String>?
  let repositories: Count?
  let followers: Count?

  private enum CodingKeys: String, CodingKey {
    case id, login, name, bio, followers
    case avatar = "avatar_url"
    case repositories = "public_repos"
  }
}
