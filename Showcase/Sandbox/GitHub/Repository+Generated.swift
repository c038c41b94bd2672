extension Repository {
  /// The additional repositories in search results.
  static let generated = Words.shared.languages.enumerated().flatMap { number, language in
    (0..<language.count).map { Repository(number, language.name, $0) }
  }

  private init(_ number: Int, _ language: String, _ index: Int) {
    let choices = Choices("\(language) \(index)")
    let subject = choices.pick("subject", of: Words.shared.subjects)
    let lists = Words.lists(about: subject)
    func text(_ list: String) -> String { choices.filled("<\(list)>", from: lists) }
    let isUser = choices.number("type", below: 3) == 0
    let login = text("owner") + (isUser ? "\(10 + choices.number("login", below: 90))" : "")
    let description: String? =
      switch choices.number("text", below: 24) {
      case 0: nil
      case 1: text("foreignDescription")
      default: text("description")
      }
    let (name, license) = (text("name"), text("license"))
    let topics = (0..<choices.number("topics", below: 3)).map {
      choices.filled("<topic \($0)>", from: lists)
    }
    self.init(
      // 7,919 is a prime: the identifiers look like identifiers of repositories from many years.
      id: 710_000_000 + number * 10_000_000 + index * 7_919,
      owner: Account(
        login: login, id: 910_000_000 + Int(stableHash(login.utf8) % 9_000_000),
        type: isUser ? .user : .organization),
      name: name,
      description: description,
      language: language, license: license.isEmpty ? nil : license,
      topics: topics.isEmpty ? [] : topics + [language.lowercased().replacing("++", with: "pp")],
      homepage: choices.number("homepage", below: 6) == 0 ? "https://\(name).example" : nil,
      stars: (61_000 - number * 3_700) * 3 / (index + 3) + choices.number("stars", below: 17),
      open: choices.number("open", below: 15), closed: choices.number("closed", below: 6),
      branch: text("branch"), subject: subject.name)
  }
}
