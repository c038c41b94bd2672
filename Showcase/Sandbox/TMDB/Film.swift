import Foundation

/// An invented film; its words are chosen, and each language says them in its own way.
struct Film: Sendable {
  let index: Int
  let title: Title
  let plot: Plot
  let genres: [Int]
  /// The language it was made in.
  let origin: Tongue
  /// In thousandths.
  let popularity: Int
  /// The mean in thousandths, and how many voted; nobody has for the newest.
  let votes: (average: Int, count: Int)
  /// The days since it came out; nil where nobody wrote that down.
  let age: Int?

  var id: Int { 120_011 + index * 389 }

  /// The name of its pictures: what it is called in English, as far as an address can say it.
  private var slug: String {
    title.text(in: .english).lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      .joined(separator: "-")
  }

  func members(in tongue: Tongue, anchor: Date) -> [(String, JSON)] {
    let date = age.map { anchor.addingTimeInterval(-Double($0) * 86_400) }
    return [
      ("adult", .bool(false)),
      ("backdrop_path", index % 19 == 3 ? .null : .string("/\(slug)-\(id)-wide.svg")),
      ("genre_ids", .array(genres.map { .int($0) })),
      ("id", .int(id)),
      ("original_language", .string(origin.code)),
      ("original_title", .string(title.text(in: origin))),
      ("overview", .string(index % 15 == 11 ? "" : plot.text(in: tongue))),
      ("popularity", .thousandths(popularity)),
      ("poster_path", index % 13 == 6 ? .null : .string("/\(slug)-\(id).svg")),
      ("release_date", date.map { .day($0) } ?? .string("")),
      ("title", .string(title.text(in: tongue))),
      ("video", .bool(false)),
      ("vote_average", .thousandths(votes.average)),
      ("vote_count", .int(votes.count)),
    ]
  }
}

extension Film {
  /// Choices among the words of every language, by their places.
  struct Title: Sendable, Hashable {
    let pattern: Int
    let place: Int
    let nouns: [Int]

    func text(in tongue: Tongue) -> String {
      let nouns = nouns.map { tongue.nouns[$0] }
      let text = tongue.titles[pattern].replacing("PLACE", with: tongue.places[place])
        .replacing("ONE", with: nouns[0]).replacing("TWO", with: nouns[1])
        .replacing("THREE", with: nouns[2])
      return text.prefix(1).uppercased() + text.dropFirst()
    }
  }

  /// What happens in it.
  struct Plot: Sendable {
    let place: Int
    let opening: Int
    let turn: Int
    let end: Int

    func text(in tongue: Tongue) -> String {
      let sentences = [tongue.openings[opening], tongue.turns[turn], tongue.ends[end]]
      return sentences.joined(separator: tongue.space)
        .replacing("PLACE", with: tongue.places[place])
    }
  }

  /// All films, those in the cinemas first; made when somebody asks.
  static let all: [Film] = {
    var dice = SplitMix(seed: 1_895)
    var used: Set<String> = []
    return (0..<350).map { index in
      var title = Title.random(&dice)
      while !used.insert(title.text(in: .english)).inserted { title = .random(&dice) }
      return film(index, title, &dice)
    }
  }()

  static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

  private static func film(_ index: Int, _ title: Title, _ dice: inout SplitMix) -> Film {
    let isNew = index < 137
    let isBest = index >= 117
    let isUnknown = isNew && !isBest && index % 23 == 7
    let average = isBest ? 7_200 + dice.below(1_650) : 3_400 + dice.below(4_300)
    let count = isNew ? 12 + dice.below(2_400) : 900 + dice.below(31_000)
    let days = isNew ? dice.below(45) : 200 + dice.below(24_000)
    return Film(
      index: index, title: title,
      plot: Plot(
        place: title.place, opening: dice.below(Tongue.english.openings.count),
        turn: dice.below(Tongue.english.turns.count), end: dice.below(Tongue.english.ends.count)),
      genres: dice.pick(1 + dice.below(4), of: genres),
      origin: dice.once(in: 3) ? dice.pick(Tongue.all) : .english,
      popularity: 590_000 * 6 / (index + 6) + dice.below(600),
      votes: isUnknown ? (0, 0) : (average, count),
      age: index % 17 == 9 ? nil : days)
  }

  /// TMDB's numbers of the genres.
  private static let genres = [
    12, 14, 16, 18, 27, 28, 35, 36, 37, 53, 80, 99, 878, 9_648, 10_402, 10_749, 10_751, 10_752,
  ]
}

extension Film.Title {
  fileprivate static func random(_ dice: inout SplitMix) -> Self {
    let words = Tongue.english
    return Self(
      pattern: dice.below(words.titles.count), place: dice.below(words.places.count),
      nouns: dice.pick(3, of: Array(words.nouns.indices)))
  }
}
