import Curlew
import Domain
import Foundation

/// The movies that sell best, as Apple sends them: Atom turned into JSON, member by member.
public struct TopMoviesPayload: Decodable, Sendable {
  struct Feed: Decodable, Sendable {
    let entry: OneOrMore<StoreMoviePayload>?
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

  /// What the movie costs; anything but an object damages the entry.
  struct Price: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      let amount: Lenient<String>?
      let currency: Lenient<String>?
    }

    let attributes: Lenient<Attributes>?
  }

  /// What renting costs: the amount, or only a text.
  struct Rental: Decodable, Sendable {
    let label: Lenient<String>?
    let attributes: Lenient<Price.Attributes>?
  }

  struct Reference: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      let rel: Lenient<String>?
      let href: Lenient<String>?
    }

    let attributes: Attributes
  }

  /// Apple's number of the movie, or its address where Apple sends no number.
  struct Identity: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      let number: String

      private enum CodingKeys: String, CodingKey {
        case number = "im:id"
      }
    }

    let value: String

    private enum CodingKeys: CodingKey {
      case label, attributes
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      if let attributes = try? members.decode(Attributes.self, forKey: .attributes),
        !attributes.number.isEmpty
      {
        value = attributes.number
      } else {
        value = try members.decode(String.self, forKey: .label)
      }
    }
  }

  /// What says its label among its attributes.
  struct Described: Decodable, Sendable {
    let attributes: Labelled
  }

  let name: Labelled
  let images: Lenient<OneOrMore<Labelled>>?
  let summary: Lenient<Labelled>?
  let price: Price?
  let rentalPrice: Lenient<Rental>?
  let link: Lenient<OneOrMore<Reference>>?
  let id: Identity
  let category: Lenient<Described>?
  let releaseDate: Lenient<Described>?

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
    let links = link?.value?.elements.map(\.attributes) ?? []
    // The others lead to a preview.
    let page = links.first { $0.rel?.value == "alternate" } ?? links.first
    let cost = price?.attributes?.value
    return StoreMovie(
      id: id.value, rank: rank, title: name.label,
      // Apple sends them from the smallest to the largest.
      image: images?.value?.elements.last.flatMap { URL(string: $0.label.overTLS) },
      releaseDate: releaseDate?.value?.attributes.label ?? "", amount: cost?.amount?.value,
      currency: cost?.currency?.value ?? "",
      rentalPrice: rentalPrice?.value?.attributes?.value?.amount?.value
        ?? rentalPrice?.value?.label?.value,
      category: category?.value?.attributes.label ?? "",
      link: page?.href?.value.flatMap { URL(string: $0) }, summary: summary?.value?.label)
  }
}

/// Elements of which Apple sends a single one without the list around it; one that can't be read
/// loses no other.
struct OneOrMore<Element: Decodable & Sendable>: Decodable, Sendable {
  let list: LossyList<Element>
  var elements: [Element] { list.elements }

  init(from decoder: any Decoder) throws {
    let isList = (try? decoder.unkeyedContainer()) != nil
    list = isList ? try LossyList(from: decoder) : LossyList([try Element(from: decoder)])
  }
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
