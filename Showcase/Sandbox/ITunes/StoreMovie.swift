import Foundation

/// A movie of the store.
struct StoreMovie: Sendable {
  let index: Int
  let title: String
  let artist: String
  let genre: Genre
  /// What happens in it; empty or nil where nobody wrote it down.
  let summary: String?

  var id: String { String(1_400_118_203 + index * 7_919) }

  /// The kinds of movies with the store's numbers.
  enum Genre: Int, Sendable {
    case action = 4401, comedy = 4404, documentary = 4405, drama = 4406, horror = 4408
    case family = 4410, romance = 4412, fiction = 4413, thriller = 4416, western = 4418

    var name: String {
      switch self {
      case .action: "Action & Adventure"
      case .comedy: "Comedy"
      case .documentary: "Documentary"
      case .drama: "Drama"
      case .horror: "Horror"
      case .family: "Kids & Family"
      case .romance: "Romance"
      case .fiction: "Sci-Fi & Fantasy"
      case .thriller: "Thriller"
      case .western: "Western"
      }
    }
  }

  /// The parts of the movie's entry, in Apple's order.
  func members(in country: Country, anchor: Date, home: String) -> [(String, JSON)] {
    let page = "\(home)/\(country.code)/movie/\(slug)/id\(id)?uo=2"
    let name = genre.name
    let kind = Self.slug(of: name)
    var members: [(String, JSON)] = [("im:name", .label(title))]
    if index % 11 != 4 { members.append(("rights", .label("© \(year(anchor)) \(studio)"))) }
    let images = [60, 100, 170].map { height in
      JSON.label("\(home)/covers/\(id)/\(height).svg", [("height", String(height))])
    }
    members.append(("im:image", .array(images)))
    if let summary { members.append(("summary", .label(summary))) }
    if index % 6 != 5 {
      let rent = country.price([499, 399, 599, 99][index % 4])
      members.append(("im:rentalPrice", price(rent.label, rent.amount, country)))
    }
    members += [
      ("im:price", price(in: country)),
      ("im:contentType", .attributes([("term", "Movie"), ("label", "Movie")])),
      ("title", .label("\(title) - \(artist)")),
      ("link", .array([.attributes(link(to: page)), preview(home)])),
      ("id", .label(page, [("im:id", id)])),
      ("im:artist", .label(artist)),
      (
        "category",
        .attributes([
          ("im:id", String(genre.rawValue)), ("term", name),
          ("scheme", "\(home)/\(country.code)/genre/movies-\(kind)/id\(genre.rawValue)?uo=2"),
          ("label", name),
        ])
      ),
      ("im:releaseDate", releaseDate(anchor)),
    ]
    return members
  }

  /// The price; some movies are only for rent, and then the amount is not a number.
  private func price(in country: Country) -> JSON {
    if index % 12 == 7 { return price("Get", "Get", country) }
    if index % 14 == 10 { return price("", "", country) }
    let price = country.price([1_499, 1_999, 999, 1_499, 799, 1_299, 499][index % 7])
    return self.price(price.label, price.amount, country)
  }

  private func price(_ label: String, _ amount: String, _ country: Country) -> JSON {
    .label(label, [("amount", amount), ("currency", country.currency)])
  }

  private func link(to page: String) -> [(String, String)] {
    [("rel", "alternate"), ("type", "text/html"), ("href", page)]
  }

  private func preview(_ home: String) -> JSON {
    .object([
      ("im:duration", .label("\(90_000 + index * 1_733).0")),
      (
        "attributes",
        .object([
          ("title", .string("Preview")), ("rel", .string("enclosure")),
          ("type", .string("video/x-m4v")), ("href", .string("\(home)/previews/\(id).m4v")),
          ("im:assetType", .string("preview")),
        ])
      ),
    ])
  }
}

extension StoreMovie {
  private var slug: String { Self.slug(of: title) }

  private static func slug(of text: String) -> String {
    let words = text.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return words.isEmpty ? "movie" : words.joined(separator: "-")
  }

  private var studio: String {
    let studios = [
      "Salt Marsh Pictures", "Two Kettles Film", "Nordlicht & Töchter", "Paper Boat",
      "The Long Pier Company. All Rights Reserved.",
    ]
    return studios[index % studios.count]
  }

  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private func released(_ anchor: Date) -> DateComponents {
    // Six weeks for the newest, and some years for the last ones.
    let days = Double(42 + index * index * 2 + index * 9)
    let date = anchor.addingTimeInterval(-days * 86_400)
    return Self.calendar.dateComponents([.year, .month, .day], from: date)
  }

  private func year(_ anchor: Date) -> Int { released(anchor).year ?? 0 }

  private func releaseDate(_ anchor: Date) -> JSON {
    let date = released(anchor)
    let (year, month, day) = (date.year ?? 0, date.month ?? 1, date.day ?? 1)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return .label(
      "\(year)-\(two(month))-\(two(day))T00:00:00-07:00",
      [("label", "\(Self.months[month - 1]) \(day), \(year)")])
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
