/// The words of one language; the same place in each list means the same thing in all of them.
struct Tongue: Sendable {
  let code: String
  /// What stands between two sentences.
  var space = " "
  /// Titles, with `PLACE`, `ONE`, `TWO` and `THREE` to be filled in.
  let titles: [String]
  /// Nouns that go without an article, and after “and” as well as before it.
  let nouns: [String]
  /// Places that no map shows; their names end so that no language has to inflect them.
  let places: [String]
  /// First sentences of a plot: who and where.
  let openings: [String]
  /// Second sentences: what goes wrong.
  let turns: [String]
  /// Last sentences, which tell nothing.
  let ends: [String]
}

extension Tongue {
  static let all = [english, german, russian, french, japanese]

  /// Finds a language by its code, with or without a region; English where there is none.
  static func named(_ code: String?) -> Tongue {
    let language = (code ?? "").prefix { $0 != "-" }.lowercased()
    return all.first { $0.code == language } ?? english
  }
}
