/// The repositories written by hand; their issues are invented, and only some names are known ones.
enum Catalogue {
  static let repositories: [Repository] = entries.enumerated().map { index, entry in
    Repository(
      id: 610_000_037 + index * 7_919,
      owner: Account(
        login: entry.owner, id: 900_100_000 + index * 101,
        kind: entry.isPerson ? .person : .organization),
      name: entry.name, description: entry.description, language: entry.language,
      license: entry.license, topics: entry.topics, homepage: entry.homepage, stars: entry.stars,
      open: entry.open, closed: entry.closed, branch: entry.branch, theme: entry.theme)
  }

  /// Finds a repository by its name, ignoring case as GitHub does.
  static func repository(_ owner: String, _ name: String) -> Repository? {
    let name = "\(owner)/\(name)".lowercased()
    return byName[name] ?? Inventions.byName[name]
      ?? real.first { $0.fullName.lowercased() == name }
  }

  /// Finds a repository by its number.
  static func repository(_ id: Int) -> Repository? {
    byID[id] ?? Inventions.byID[id] ?? real.first { $0.id == id }
  }

  /// The repositories whose data is hard to show.
  static let real = RealData.shared.repositories.enumerated().map { index, entry in
    Repository(
      id: 690_000_001 + index,
      owner: Account(login: RealData.owner, id: 900_690_000, kind: .organization),
      name: entry.name, description: nil, language: nil, license: nil, topics: [], homepage: nil,
      stars: 40 - index, open: entry.open, closed: 0, branch: "main", theme: .networking)
  }

  private static let byID = Dictionary(uniqueKeysWithValues: repositories.map { ($0.id, $0) })

  private static let byName = Dictionary(
    uniqueKeysWithValues: repositories.map { ($0.fullName.lowercased(), $0) })

  /// The numbers of renamed repositories by their old names, in small letters.
  static let renamed: [String: Int] = [
    "sigmavirus24/betamax": "betamaxpy/betamax",
    "mirela-k/tide-watch": "harborlight/tidewatch",
  ].compactMapValues { byName[$0]?.id }

  fileprivate struct Entry {
    let owner: String
    let name: String
    var isPerson = false
    let description: String?
    let language: String?
    var license: Repository.License?
    var topics: [String] = []
    var homepage: String?
    let stars: Int
    let open: Int
    let closed: Int
    var branch = "main"
    let theme: Theme
  }
}

extension Catalogue {
  private static let entries: [Entry] = [
    Entry(
      owner: "apple", name: "swift", description: "A language that is safe, fast and kind to read",
      language: "C++", license: .apache, topics: ["compiler", "language", "swift"],
      homepage: "https://swift.org", stars: 67_900, open: 250, closed: 62, theme: .compiler),
    Entry(
      owner: "apple", name: "cups", description: "Printing for everyone, one queue at a time",
      language: "C", license: .apache, topics: ["printing", "ipp"], stars: 1_930, open: 6,
      closed: 2, branch: "master", theme: .printing),
    Entry(
      owner: "moya", name: "moya", description: "Describe a network API as an enum, then use it",
      language: "Swift", license: .mit, topics: ["networking", "swift"], stars: 15_100, open: 100,
      closed: 25, branch: "master", theme: .networking),
    Entry(
      owner: "apple", name: "swift-nio", description: "Sockets without waiting",
      language: "Swift", license: .apache, topics: ["networking", "server"], stars: 8_000,
      open: 101, closed: 30, theme: .networking),
    Entry(
      owner: "ReactiveX", name: "RxSwift", description: "Values over time, composed",
      language: "Swift", license: .mit, topics: ["reactive", "observable"], stars: 24_400,
      open: 30, closed: 11, theme: .streams),
    Entry(
      owner: "vapor", name: "vapor", description: "A web server 💧", language: "Swift",
      license: .mit, topics: ["server", "web"], homepage: "", stars: 24_600, open: 31, closed: 9,
      theme: .server),
    Entry(
      owner: "hummingbird-project", name: "hummingbird", description: "A small, quick web server",
      language: "Swift", license: .apache, topics: ["server", "web"], stars: 1_500, open: 12,
      closed: 5, theme: .server),
    Entry(
      owner: "betamaxpy", name: "betamax", description: "Records what a server said, once",
      language: "Python", license: .apache, topics: ["testing", "http"], stars: 570, open: 16,
      closed: 8, theme: .networking),
    Entry(
      owner: "harborlight", name: "tidewatch", description: "Tides, wind and swell for small boats",
      language: "Swift", license: .bsd, topics: ["sailing", "tides"], stars: 812, open: 58,
      closed: 19, theme: .sea),
    Entry(
      owner: "zwei-linden", name: "brotzeit",
      description: "Rezepte für Sauerteig – mit Zeitplan für übermorgen", language: "Kotlin",
      license: .mit, topics: ["brot", "rezepte"], stars: 344, open: 24, closed: 10,
      theme: .kitchen),
    Entry(
      owner: "asa-yuki", name: "hoshizora", isPerson: true, description: "夜空を手のひらに",
      language: "Rust", license: .mit, topics: ["astronomy", "星空"], stars: 2_210, open: 43,
      closed: 14, theme: .stars),
    Entry(
      owner: "noor-al-kutub", name: "maktaba", description: "مكتبة صغيرة لكتب كثيرة",
      language: "TypeScript", license: .gpl, topics: ["library", "rtl"], stars: 467, open: 37,
      closed: 12, theme: .library),
    Entry(
      owner: "slowtrain", name: "timetable", description: "Every train, also without a network",
      language: "Go", license: .apache, topics: ["transit", "offline"], stars: 3_050, open: 77,
      closed: 21, theme: .transit),
    Entry(
      owner: "pebbleworks", name: "quiet-fonts", description: nil, language: nil, license: nil,
      stars: 96, open: 1, closed: 0, theme: .fonts),
    Entry(
      owner: "pebbleworks", name: "blank-page", description: "Nothing here needs fixing",
      language: "HTML", license: .mit, stars: 12, open: 0, closed: 0, theme: .fonts),
    Entry(
      owner: "gardenmesh", name: "seedling", description: "Sensors that water plants 🌱",
      language: "C", license: .bsd, topics: ["garden", "sensors"], stars: 701, open: 0, closed: 14,
      theme: .garden),
    Entry(
      owner: "gardenmesh", name: "almanac", description: "When to sow, when to wait",
      language: "Elixir", license: .mit, topics: ["garden"], stars: 188, open: 29, closed: 7,
      theme: .garden),
    Entry(
      owner: "oak-and-oboe", name: "metronome", description: "Keeps time, forgives mistakes 🎼",
      language: "Swift", license: .mit, topics: ["music", "audio"], stars: 1_120, open: 64,
      closed: 18, theme: .music),
    Entry(
      owner: "lumen-atelier", name: "paperlamp", description: "A reader for long evenings",
      language: "Swift", license: .apache, topics: ["epub", "reading"], stars: 5_630, open: 142,
      closed: 40, theme: .library),
    Entry(
      owner: "north-pier", name: "ferry", description: "Moves files between machines, politely",
      language: "Zig", license: .mit, topics: ["files", "sync"], stars: 4_480, open: 88,
      closed: 23, branch: "trunk", theme: .networking),
    Entry(
      owner: "ines-barros", name: "dotfiles", isPerson: true, description: "My own. Yours may vary",
      language: "Shell", license: nil, stars: 3, open: 2, closed: 1, theme: .compiler),
  ]
}
