import Curlew
import Domain
import Foundation

/// Apple's JSON representation of the best-selling movies: an Atom feed converted member by member.
public struct TopMoviesPayload: Decodable, Sendable {
  struct Feed: Decodable, Sendable {
    let entry: OneOrMore<StoreMoviePayload>?
  }

  let feed: Feed

  /// The entries; Apple omits the member if there are none.
  var entries: LossyList<StoreMoviePayload> { feed.entry?.list ?? LossyList() }
}

/// The JSON representation of a movie.
struct StoreMoviePayload: Decodable, Sendable {
  struct Labelled: Decodable, Sendable {
    let label: String
  }

  /// The price; anything but an object makes the entry undecodable.
  struct Price: Decodable, Sendable {
    struct Attributes: Decodable, Sendable {
      let amount: Lenient<String>?
      let currency: Lenient<String>?
    }

    let attributes: Lenient<Attributes>?
  }

  /// The rental price: the amount, or only a text.
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

  /// Apple's identifier of the movie, or its URL if Apple sends no identifier.
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

  /// A member whose label is one of its attributes.
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

  /// Returns the movie with its rank in the feed, from 1.
  func movie(rank: Int) -> StoreMovie {
    let links = link?.value?.elements.map(\.attributes) ?? []
    // The other links lead to previews.
    let page = links.first { $0.rel?.value == "alternate" } ?? links.first
    let cost = price?.attributes?.value
    return StoreMovie(
      id: id.value, rank: rank, title: name.label,
      // Apple sorts the images by ascending size.
      image: images?.value?.elements.last.flatMap { URL(string: $0.label.overTLS) },
      releaseDate: releaseDate?.value?.attributes.label ?? "", amount: cost?.amount?.value,
      currency: cost?.currency?.value ?? "",
      rentalPrice: rentalPrice?.value?.attributes?.value?.amount?.value
        ?? rentalPrice?.value?.label?.value,
      category: category?.value?.attributes.label ?? "",
      link: page?.href?.value.flatMap { URL(string: $0) }, summary: summary?.value?.label)
  }
}

/// A list of elements, or a single element that Apple sends without a list; skips undecodable
/// elements.
struct OneOrMore<Element: Decodable & Sendable>: Decodable, Sendable {
  let list: LossyList<Element>
  var elements: [Element] { list.elements }

  init(from decoder: any Decoder) throws {
    let isList = (try? decoder.unkeyedContainer()) != nil
    list = isList ? try LossyList(from: decoder) : LossyList([try Element(from: decoder)])
  }
}

extension String {
  /// The URL with `https` if it belongs to one of Apple's image servers, which older responses
  /// refer to with `http`.
  fileprivate var overTLS: String {
    guard let url = URL(string: self), url.scheme == "http", let host = url.host(),
      host.hasSuffix(".mzstatic.com")
    else { return self }
    return "https" + dropFirst("http".count)
  }
}
