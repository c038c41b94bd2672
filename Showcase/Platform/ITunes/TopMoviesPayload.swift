import Curlew
import Domain
import Foundation

/// The movies that sell best, as Apple sends them: Atom turned into JSON, member by member.
public struct TopMoviesPayload: Decodable, Sendable {
  struct Feed: Decodable, Sendable {
    let entry: Entries?
  }

  /// The entries; one that can't be read loses no other.
  struct Entries: Decodable, Sendable {
    let list: LossyList<StoreMoviePayload>

    init(from decoder: any Decoder) throws {
      list =
        decoder.isAtList
        ? try LossyList(from: decoder) : LossyList([try StoreMoviePayload(from: decoder)])
    }
  }

  let feed: Feed

  /// The entries; none where Apple leaves the member out, as it does when there are none.
  var entries: LossyList<StoreMoviePayload> { feed.entry?.list ?? LossyList() }
}

/// A movie as Apple sends it.
struct StoreMoviePayload: Decodable, Sendable {
  struct Labelled: Decodable, Sendable {
    let label: String
  }

  struct Price: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      let amount: String
      let currency: String
    }

    let attributes: Attributes
  }

  struct Reference: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      let rel: String?
      let href: String?
    }

    let attributes: Attributes
  }

  struct Identity: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      let number: String?

      private enum CodingKeys: String, CodingKey {
        case number = "im:id"
      }
    }

    let label: String
    let attributes: Attributes?
  }

  /// What says its label among its attributes.
  struct Described: Decodable, Sendable {
    let attributes: Labelled
  }

  let name: Labelled
  let images: OneOrMore<Labelled>?
  let summary: Labelled?
  let price: Price?
  let rentalPrice: Labelled?
  let link: OneOrMore<Reference>?
  let id: Identity
  let category: Described?
  let releaseDate: Described?

  private enum CodingKeys: String, CodingKey {
    case name = "im:name"
    case id
    case price = "im:price"
    case rentalPrice = "im:rentalPrice"
    case images = "im:image"
    case summary, link, category
    case releaseDate = "im:releaseDate"
  }

  /// The movie with its rank in the feed, from 1.
  func movie(rank: Int) -> StoreMovie {
    let links = link?.elements.map(\.attributes) ?? []
    // The others lead to a preview.
    let page = links.first { $0.rel == "alternate" } ?? links.first
    return StoreMovie(
      id: id.attributes?.number ?? id.label, rank: rank, title: name.label,
      // Apple sends them from the smallest to the largest.
      image: images?.elements.last.flatMap { URL(string: $0.label.overTLS) },
      releaseDate: releaseDate?.attributes.label ?? "", amount: price?.attributes.amount ?? "",
      currency: price?.attributes.currency ?? "", rentalPrice: rentalPrice?.label,
      category: category?.attributes.label ?? "", link: page?.href.flatMap { URL(string: $0) },
      summary: summary?.label)
  }
}

/// Elements of which Apple sends a single one without the list around it.
struct OneOrMore<Element: Decodable & Sendable>: Decodable, Sendable {
  let elements: [Element]

  init(from decoder: any Decoder) throws {
    elements =
      decoder.isAtList ? try [Element](from: decoder) : [try Element(from: decoder)]
  }
}

extension Decoder {
  /// Whether the value is a list.
  fileprivate var isAtList: Bool { (try? unkeyedContainer()) != nil }
}

extension String {
  /// The address with https where it is one of Apple's servers of images, which older responses name
  /// with http.
  fileprivate var overTLS: String {
    guard let url = URL(string: self), url.scheme == "http", let host = url.host(),
      host.hasSuffix(".mzstatic.com")
    else { return self }
    return "https" + dropFirst("http".count)
  }
}
