import Foundation

/// Realistic types for the documents of the corpus.
enum RealTypes {
  struct User: Decodable, Equatable {
    let login: String, id: Int
    let avatarUrl: URL?
    let siteAdmin: Bool?
  }

  struct Label: Decodable, Equatable {
    let id: Int64?, name: String, color: String?, isDefault: Bool?, description: String?
    enum CodingKeys: String, CodingKey { case id, name, color, isDefault = "default", description }
  }

  enum State: String, Decodable { case open, closed }

  struct Issue: Decodable, Equatable {
    let id: UInt32, number: Int, title: String, user: User?, labels: [Label], state: State,
      locked: Bool
    let assignee: User?, comments: Int, createdAt: Date, updatedAt: Date?, closedAt: Date?,
      body: String?
    let reactions: [String: LooseNumber]?, score: Double?
  }

  /// The same issue, with the names of the document and dates as text.
  struct PlainIssue: Decodable, Equatable {
    let id: Int?, number: Int8?, title: String?, user: PlainUser?, labels: [Label?]?,
      state: String?, locked: Bool?
    let comments: Float?, created_at: String?, score: Decimal?, genre_ids: [Int]?,
      vote_average: Double?
    let popularity: Float?, release_date: String?, original_title: String?, adult: Bool?,
      vote_count: UInt64?
    let node_id: Data?, total_count: Int?
  }

  struct PlainUser: Decodable, Equatable { let login: String?, id: UInt16?, avatar_url: String? }

  struct Page<Item: Decodable & Equatable>: Decodable, Equatable {
    let page: Int, results: [Item], totalPages: Int, totalResults: Int?
  }

  struct Movie: Decodable, Equatable {
    let id: Int, title: String, overview: String?, voteAverage: Double, voteCount: Int?,
      genreIds: Set<Int>?
    let releaseDate: String?, posterPath: String?, adult: Bool?, popularity: Float?
  }

  struct Repository: Decodable, Equatable {
    let id: Int, nodeId: String, name: String, fullName: String, owner: User, isPrivate: Bool,
      htmlUrl: URL, fork: Bool
    let stargazersCount: Int, size: UInt, defaultBranch: String, permissions: [String: Bool]?,
      pushedAt: Date?
    enum CodingKeys: String, CodingKey {
      case id, nodeId, name, fullName, owner, isPrivate = "private", htmlUrl, fork, stargazersCount,
        size, defaultBranch
      case permissions, pushedAt
    }
  }

  struct Feed: Decodable, Equatable {
    struct Text: Decodable, Equatable { let label: String }
    struct Price: Decodable, Equatable {
      struct Attributes: Decodable, Equatable { let amount: String, currency: String }
      let label: String, attributes: Attributes
    }
    struct Entry: Decodable, Equatable {
      let name: Text, price: Price?, title: Text?, images: [Text]
      enum CodingKeys: String, CodingKey {
        case name = "im:name", price = "im:price", title, images = "im:image"
      }
    }
    struct Body: Decodable, Equatable { let entry: [Entry], updated: Text? }
    let feed: Body
  }

  /// A number, or a string with a number.
  struct LooseNumber: Decodable, Equatable {
    let value: Double?
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value = try (try? container.decode(Double.self)) ?? Double(container.decode(String.self))
    }
  }

  /// A list that skips elements that can't be decoded.
  struct Lossy<Item: Decodable & Equatable>: Decodable, Equatable {
    let items: [Item]
    init(from decoder: any Decoder) throws {
      var (items, elements) = ([Item](), try decoder.unkeyedContainer())
      while !elements.isAtEnd {
        let item = try elements.superDecoder()
        if let value = try? Item(from: item) { items.append(value) }
      }
      self.items = items
    }
  }
}
