import Foundation

/// The vocabulary of a language; equal indices have equal meanings in all languages.
struct Language: Decodable, Sendable {
  let code: String
  /// The patterns of titles and overviews, and the words in them.
  let lists: [String: [String]]

  /// Returns a language by its code, with or without a region; English if it is not supported.
  static func named(_ code: String?) -> Language {
    let code = (code ?? "").prefix { $0 != "-" }.lowercased()
    return Movie.file.languages.first { $0.code == code } ?? english
  }

  static var english: Language { Movie.file.languages[0] }
}

/// A generated movie, whose texts are the same choices from the words of each language.
struct Movie: Sendable {
  /// The contents of `tmdb.json`, English first.
  struct File: Decodable, Sendable {
    let genres: [Int]
    let genreNames: [String: String]
    let movie: JSON
    let languages: [Language]
  }

  static let file = decodeResource(PackageResources.tmdb_json, as: File.self)

  let index: Int
  private let choices: Choices
  let genres: [Int]
  /// The original language.
  let origin: Language
  /// In thousandths, like the average vote.
  let popularity, average: Int
  let votes: Int
  /// The days since the release; nil if unknown.
  let age: Int?

  var id: Int { 120_011 + index * 389 }

  func json(in language: Language, now: Date) -> JSON {
    Self.file.movie.filled([
      "backdrop": index % 19 == 3 ? nil : .string("/\(slug)-wide-\(id).svg"),
      "genres": .array(genres.map { .int($0) }), "id": .int(id),
      "language": .string(origin.code), "originalTitle": .string(title(in: origin)),
      "overview": .string(overview(in: language)),
      "popularity": .double(Double(popularity) / 1_000),
      "poster": JSON(poster),
      "date": .string(released(now: now)), "title": .string(title(in: language)),
      "average": .double(Double(average) / 1_000), "count": .int(votes),
    ])
  }

  /// Returns TMDB's details of a movie; the names of genres are English in every language.
  func detail(in language: Language, home: String, now: Date) -> JSON {
    let names = Self.file.genreNames
    let genres = genres.map { id in
      JSON.object(["id": .int(id), "name": .string(names["\(id)"] ?? "")])
    }
    let tagline = choices.filled("<ending 1>", from: language.lists)
    return json(in: language, now: now).changed(
      by: Change(
        set: [
          "genres": .array(genres), "runtime": .int(index % 21 == 4 ? 0 : 78 + index * 7 % 83),
          "tagline": .string(index % 3 == 1 ? "" : tagline),
          "homepage": .string(index % 4 == 2 ? "" : "\(home)/movies/\(id)"),
          "status": "Released", "budget": .int(0), "revenue": .int(0), "imdb_id": .null,
        ], without: ["genre_ids"]))
  }

  /// Returns the movie's web page in English.
  func page(now: Date) -> WebPage {
    let (overview, tenths) = (overview(in: .english), (average + 50) / 100)
    return WebPage(
      kind: "Movie", title: title(in: .english),
      text: overview.isEmpty ? "No description." : overview,
      picture: poster.map { "/t/p/w342\($0)" }, hasPoster: true,
      facts: [
        ("Released", age == nil ? "–" : released(now: now)),
        ("Rated", votes > 0 ? "\(tenths / 10).\(tenths % 10) of 10" : "No votes yet"),
        ("Genres", genres.compactMap { Self.file.genreNames["\($0)"] }.joined(separator: ", ")),
      ],
      data: "/3/movie/\(id)?api_key=\(Sandbox.tmdbKey)")
  }

  private var slug: String { title(in: .english).slug }

  /// The path of the poster, relative to the images' base URL; nil for a few movies.
  private var poster: String? { index % 13 == 6 ? nil : "/\(slug)-\(id).svg" }

  /// Returns the plot; empty for a few movies.
  private func overview(in language: Language) -> String {
    index % 15 == 11 ? "" : choices.filled("<overview>", from: language.lists)
  }

  func title(in language: Language) -> String {
    let text = choices.filled("<title>", from: language.lists)
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Returns the release date; empty if unknown.
  private func released(now: Date) -> String {
    age.map { Self.day(now.addingTimeInterval(-Double($0) * 86_400)) } ?? ""
  }

  /// Returns a date in TMDB's format, such as `2026-01-31`, in UTC.
  static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}

extension Movie {
  /// All movies, beginning with the movies now in cinemas.
  static let all: [Movie] = {
    var titles: Set<String> = []
    func unique(_ index: Int, _ attempt: Int = 0) -> Movie {
      let movie = Movie(index, Choices("movie \(index) \(attempt)"))
      return titles.insert(movie.title(in: .english)).inserted
        ? movie : unique(index, attempt + 1)
    }
    return (0..<350).map { unique($0) }
  }()

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  private init(_ index: Int, _ choices: Choices) {
    let (isNew, isBest) = (index < 137, index >= 117)
    (self.index, self.choices) = (index, choices)
    let number = choices.number
    let votes = isNew ? 12 + number("votes", 2_400) : 900 + number("votes", 31_000)
    // A few of the newest movies have no votes.
    let isUnknown = !isBest && index % 23 == 7
    self.votes = isUnknown ? 0 : votes
    average =
      isUnknown ? 0 : isBest ? 7_200 + number("vote", 1_650) : 3_400 + number("vote", 4_300)
    age = index % 17 == 9 ? nil : isNew ? number("age", 45) : 200 + number("age", 24_000)
    let (genres, first) = (Self.file.genres, number("genre", 18))
    self.genres = (0...number("genres", 4)).map { genres[(first + $0 * 5) % genres.count] }
    origin = number("origin", 3) == 0 ? choices.pick("language", of: Self.file.languages) : .english
    popularity = 590_000 * 6 / (index + 6) + number("popularity", 600)
  }
}
