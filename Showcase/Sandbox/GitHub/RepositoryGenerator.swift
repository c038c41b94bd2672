import Foundation

/// A deterministic generator of the additional repositories in search results.
struct RepositoryGenerator {
  static let repositories: [Repository] = Words.shared.languages.enumerated()
    .flatMap { language, entry in
      (0..<entry.count).map { index in
        let seed = UInt64(language * 100_000 + index)
        var generator = RepositoryGenerator(
          language: entry.name, random: SeededGenerator(seed: seed))
        return generator.repository(language, index)
      }
    }

  private let language: String
  private var random: SeededGenerator
  private let words = Words.shared

  private init(language: String, random: SeededGenerator) {
    (self.language, self.random) = (language, random)
  }

  private mutating func repository(_ language: Int, _ index: Int) -> Repository {
    let subject = random.pick(words.subjects)
    let stars = (61_000 - language * 3_700) * 3 / (index + 3) + random.below(17)
    let name = name(about: subject)
    return Repository(
      // 7,919 is a prime: the identifiers look like identifiers of repositories from many years.
      id: 710_000_000 + language * 10_000_000 + index * 7_919, owner: owner(index), name: name,
      description: description(of: subject), language: self.language,
      license: random.pick([
        "MIT", "MIT", "Apache-2.0", "Apache-2.0", "BSD-3-Clause", "GPL-2.0", nil,
      ]),
      topics: topics(of: subject),
      homepage: random.chance(oneIn: 6) ? "https://\(name.lowercased()).example" : nil,
      stars: stars, open: random.below(15), closed: random.below(6),
      branch: random.pick(["main", "main", "main", "master", "trunk"]), subject: subject.name)
  }

  /// Generates an owner; the animals rotate, so that neighbors rarely have the same animal.
  private mutating func owner(_ index: Int) -> Account {
    let adjective = pick("adjective")
    let animal = words.animals[index % words.animals.count]
    let isUser = random.chance(oneIn: 3)
    let end = isUser ? String(10 + random.below(90)) : pick("group")
    let login = "\(adjective)-\(animal)-\(end)"
    return Account(
      login: login, id: 910_000_000 + Int(stableHash(login.utf8) % 9_000_000),
      type: isUser ? .user : .organization)
  }

  private mutating func name(about subject: Words.Subject) -> String {
    let (adjective, noun) = (pick("adjective"), random.pick(subject.nouns))
    switch random.below(5) {
    case 0: return "\(noun)-\(pick("suffix"))"
    case 1 where language == "Swift": return adjective.capitalized + noun.capitalized
    case 1: return "\(adjective)_\(noun)"
    case 2: return "\(adjective)\(noun)"
    default: return "\(adjective)-\(noun)"
    }
  }

  private mutating func description(of subject: Words.Subject) -> String? {
    switch random.below(24) {
    case 0: nil
    case 1: pick("foreignDescription")
    case 2..<6: random.pick(subject.purposes) + "."
    default: "\(random.pick(subject.purposes)), \(pick("promise"))"
    }
  }

  private mutating func topics(of subject: Words.Subject) -> [String] {
    let topics = random.pick(1 + random.below(3), of: subject.topics)
    let own = language.lowercased().replacing("++", with: "pp")
    return random.chance(oneIn: 9) ? [] : topics + [own]
  }

  private mutating func pick(_ list: String) -> String {
    random.pick(words.lists[list, default: []])
  }
}
