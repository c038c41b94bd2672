import Foundation

/// The vocabulary of a language; equal indices have equal meanings in all languages.
struct Language: Decodable, Sendable {
  let code: String
  /// The separator between two sentences.
  let separator: String
  /// Patterns for titles with `<city>`, `<one>`, `<two>` and `<three>`.
  let titles: [String]
  /// Nouns that don't need an article.
  let nouns: [String]
  /// Names of fictitious cities, which need no inflection in any language.
  let cities: [String]
  /// The sentences of a plot: an opening, a complication, and an ending.
  let openings, turns, endings: [String]

  /// Returns a language by its code, with or without a region; English if it is not supported.
  static func named(_ code: String?) -> Language {
    let code = (code ?? "").prefix { $0 != "-" }.lowercased()
    return Movie.file.languages.first { $0.code == code } ?? english
  }

  static var english: Language { Movie.file.languages[0] }
}

/// A generated movie; it stores indices of words, so that each language has its own text.
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
  let title: Title
  /// The indices of the plot's sentences.
  let opening, turn, ending: Int
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
      "language": .string(origin.code), "originalTitle": .string(title.text(in: origin)),
      "overview": .string(overview(in: language)),
      "popularity": .double(Double(popularity) / 1_000),
      "poster": JSON(poster),
      "date": .string(released(now: now)), "title": .string(title.text(in: language)),
      "average": .double(Double(average) / 1_000), "count": .int(votes),
    ])
  }

  /// Returns TMDB's details of a movie; the names of genres are English in every language.
  func detail(in language: Language, home: String, now: Date) -> JSON {
    let names = Self.file.genreNames
    let genres = genres.map { id in
      JSON.object(["id": .int(id), "name": .string(names["\(id)"] ?? "")])
    }
    let tagline = language.endings[(ending + 1) % language.endings.count]
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
      kind: "Movie", title: title.text(in: .english),
      text: overview.isEmpty ? "No description." : overview,
      picture: poster.map { "/t/p/w342\($0)" }, hasPoster: true,
      facts: [
        ("Released", age == nil ? "–" : released(now: now)),
        ("Rated", votes > 0 ? "\(tenths / 10).\(tenths % 10) of 10" : "No votes yet"),
        ("Genres", genres.compactMap { Self.file.genreNames["\($0)"] }.joined(separator: ", ")),
      ],
      data: "/3/movie/\(id)?api_key=\(Sandbox.tmdbKey)")
  }

  private var slug: String { title.text(in: .english).slug }

  /// The path of the poster, relative to the images' base URL; nil for a few movies.
  private var poster: String? { index % 13 == 6 ? nil : "/\(slug)-\(id).svg" }

  /// Returns the plot; empty for a few movies.
  private func overview(in language: Language) -> String {
    guard index % 15 != 11 else { return "" }
    return [language.openings[opening], language.turns[turn], language.endings[ending]]
      .joined(separator: language.separator).filled { _ in language.cities[title.city] }
  }

  /// Returns the release date; empty if unknown.
  private func released(now: Date) -> String {
    age.map { Self.day(now.addingTimeInterval(-Double($0) * 86_400)) } ?? ""
  }

  /// Returns a date in TMDB's format, such as `2026-01-31`, in UTC.
  static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}

extension Movie {
  /// The pattern and the words of a title, as indices.
  struct Title: Sendable {
    let pattern, city: Int
    let nouns: [Int]

    init(_ random: inout SeededGenerator) {
      let words = Language.english
      pattern = random.below(words.titles.count)
      city = random.below(words.cities.count)
      nouns = random.pick(3, of: Array(words.nouns.indices))
    }

    func text(in language: Language) -> String {
      let text = language.titles[pattern].filled { name in
        switch name {
        case "one": language.nouns[nouns[0]]
        case "two": language.nouns[nouns[1]]
        case "three": language.nouns[nouns[2]]
        default: language.cities[city]
        }
      }
      return text.prefix(1).uppercased() + text.dropFirst()
    }
  }

  /// All movies, beginning with the movies now in cinemas.
  static let all: [Movie] = {
    var random = SeededGenerator(seed: 1_895)
    var used: Set<String> = []
    return (0..<350).map { index in
      var title = Title(&random)
      while !used.insert(title.text(in: .english)).inserted { title = Title(&random) }
      return Movie(index, title, &random)
    }
  }()

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  private init(_ index: Int, _ title: Title, _ random: inout SeededGenerator) {
    let (isNew, isBest) = (index < 137, index >= 117)
    (self.index, self.title) = (index, title)
    let average = isBest ? 7_200 + random.below(1_650) : 3_400 + random.below(4_300)
    let votes = isNew ? 12 + random.below(2_400) : 900 + random.below(31_000)
    let days = isNew ? random.below(45) : 200 + random.below(24_000)
    // A few of the newest movies have no votes.
    let isUnknown = !isBest && index % 23 == 7
    (self.average, self.votes) = isUnknown ? (0, 0) : (average, votes)
    age = index % 17 == 9 ? nil : days
    opening = random.below(Language.english.openings.count)
    turn = random.below(Language.english.turns.count)
    ending = random.below(Language.english.endings.count)
    genres = random.pick(1 + random.below(4), of: Self.file.genres)
    origin = random.chance(oneIn: 3) ? random.pick(Self.file.languages) : .english
    popularity = 590_000 * 6 / (index + 6) + random.below(600)
  }
}
