import Foundation

/// The many repositories that a search finds besides the catalogue's, put together out of our own
/// words; made when they are first asked for, and always the same.
enum Inventions {
  /// How many there are of each language: of JavaScript more than a search gives out.
  private static let counts = [
    ("Swift", 47), ("Kotlin", 33), ("Rust", 41), ("TypeScript", 45), ("Python", 52), ("Go", 38),
    ("Ruby", 27), ("C", 29), ("C++", 24), ("JavaScript", 1_240),
  ]

  static let repositories: [Repository] = counts.enumerated().flatMap { place, entry in
    (0..<entry.1).map { repository(place, entry.0, $0) }
  }

  static let byID = Dictionary(uniqueKeysWithValues: repositories.map { ($0.id, $0) })

  static let byName = Dictionary(
    uniqueKeysWithValues: repositories.map { ($0.fullName.lowercased(), $0) })

  private static func repository(_ place: Int, _ language: String, _ index: Int) -> Repository {
    var dice = SplitMix(seed: UInt64(place * 100_000 + index))
    let subject = dice.pick(Subject.all)
    let stars = (61_000 - place * 3_700) * 3 / (index + 3) + dice.below(17)
    let name = name(in: language, about: subject, &dice)
    return Repository(
      // 7,919 is a prime: the numbers look like those of repositories from many years.
      id: 710_000_000 + place * 10_000_000 + index * 7_919, owner: owner(index, &dice), name: name,
      description: description(of: subject, &dice), language: language,
      license: dice.pick([.mit, .mit, .apache, .apache, .bsd, .gpl, nil]),
      topics: topics(of: subject, in: language, &dice),
      homepage: dice.once(in: 6) ? "https://\(name.lowercased()).example" : nil, stars: stars,
      open: dice.below(15), closed: dice.below(6),
      branch: dice.pick(["main", "main", "main", "master", "trunk"]), theme: subject.theme)
  }

  /// Invents an owner; the animals take turns, so that neighbours rarely share one.
  private static func owner(_ index: Int, _ dice: inout SplitMix) -> Account {
    let colour = dice.pick(Subject.qualities)
    let animal = Subject.animals[index % Subject.animals.count]
    let isPerson = dice.once(in: 3)
    let end = isPerson ? String(10 + dice.below(90)) : dice.pick(Subject.circles)
    let login = "\(colour)-\(animal)-\(end)"
    return Account(
      login: login, id: 910_000_000 + Int(Fingerprint(login.utf8).value % 9_000_000),
      kind: isPerson ? .person : .organization)
  }

  private static func name(
    in language: String, about subject: Subject, _ dice: inout SplitMix
  ) -> String {
    let (quality, noun) = (dice.pick(Subject.qualities), dice.pick(subject.nouns))
    switch dice.below(5) {
    case 0: return "\(noun)-\(dice.pick(Subject.forms))"
    case 1 where language == "Swift": return quality.capitalized + noun.capitalized
    case 1: return "\(quality)_\(noun)"
    case 2: return "\(quality)\(noun)"
    default: return "\(quality)-\(noun)"
    }
  }

  private static func description(of subject: Subject, _ dice: inout SplitMix) -> String? {
    switch dice.below(24) {
    case 0: return nil
    case 1: return dice.pick(Subject.foreign)
    case 2..<6: return dice.pick(subject.purposes) + "."
    default: return "\(dice.pick(subject.purposes)), \(dice.pick(Subject.promises))"
    }
  }

  private static func topics(
    of subject: Subject, in language: String, _ dice: inout SplitMix
  ) -> [String] {
    let own = language.lowercased().replacing("++", with: "pp")
    let topics = dice.pick(1 + dice.below(3), of: subject.topics)
    return dice.once(in: 9) ? [] : topics + [own]
  }
}
