/// What an invented repository is for: the words of its name and its description.
struct Subject: Sendable {
  let theme: Theme
  let topics: [String]
  let nouns: [String]
  /// What it does; the start of a description.
  let purposes: [String]
}

extension Subject {
  static let all = [
    Subject(
      theme: .sea, topics: ["sailing", "tides", "maps", "gps"],
      nouns: ["sextant", "mooring", "halyard", "jetty", "logbook", "bowline", "swell", "beacon"],
      purposes: [
        "Draws tide tables", "An anchor alarm", "Plans a route by wind and current",
        "A logbook for small boats", "Decodes weather broadcasts",
      ]),
    Subject(
      theme: .kitchen, topics: ["recipes", "cooking", "calendar"],
      nouns: ["ladle", "crumb", "saucepan", "leaven", "thyme", "skillet", "pantry", "whisk"],
      purposes: [
        "Scales recipes", "A timer for several pots", "Reads recipes from any page",
        "Knows what is left in the pantry", "Shopping lists that sort themselves",
      ]),
    Subject(
      theme: .stars, topics: ["astronomy", "maths", "simulation"],
      nouns: ["eclipse", "zenith", "parallax", "comet", "meridian", "orrery", "perigee", "nebula"],
      purposes: [
        "Computes orbits", "A map of tonight's sky", "Points a telescope",
        "Predicts eclipses for a thousand years", "Star catalogues as plain tables",
      ]),
    Subject(
      theme: .library, topics: ["books", "epub", "search", "typography"],
      nouns: ["folio", "quire", "bookmark", "preface", "vellum", "index", "marginalia", "codex"],
      purposes: [
        "Reads books aloud", "Full-text search for a shelf of books", "Hyphenates long words",
        "Turns notes into a book", "A catalogue for a village library",
      ]),
    Subject(
      theme: .transit, topics: ["transit", "maps", "offline", "accessibility"],
      nouns: ["tram", "platform", "junction", "signal", "conductor", "detour", "viaduct", "depot"],
      purposes: [
        "Finds the next train", "Timetables in a format for people", "A departure board",
        "Routes without stairs", "Simulates a railway junction",
      ]),
    Subject(
      theme: .garden, topics: ["garden", "sensors", "hardware", "weather"],
      nouns: [
        "trellis", "compost", "sprinkler", "hedgerow", "greenhouse", "seedbed", "dew", "rake",
      ],
      purposes: [
        "Waters plants", "Reads soil sensors", "Warns of frost", "Plans beds and rotations",
        "Measures rain with a bucket and a coin",
      ]),
    Subject(
      theme: .music, topics: ["music", "audio", "midi"],
      nouns: ["cadence", "tremolo", "fermata", "bassline", "fretboard", "counterpoint", "reed"],
      purposes: [
        "A tuner", "Writes scores as text", "Hears chords", "Practice logs for the whole choir",
        "A drum machine with manners",
      ]),
    Subject(
      theme: .networking, topics: ["networking", "http", "async", "testing"],
      nouns: ["courier", "relay", "postbox", "semaphore", "envelope", "gangway", "pigeon"],
      purposes: [
        "A client for HTTP", "Retries with patience", "Records and replays requests",
        "Moves files between two machines", "Watches a connection and explains it",
      ]),
    Subject(
      theme: .server, topics: ["server", "web", "async", "cache"],
      nouns: ["scullery", "porter", "doorbell", "counter", "waiter", "larder", "butler"],
      purposes: [
        "A web server", "Routes requests by type", "Sessions in a cookie", "A template engine",
        "Background jobs with a memory",
      ]),
    Subject(
      theme: .streams, topics: ["reactive", "streams", "ui", "testing"],
      nouns: ["brook", "rapids", "estuary", "spillway", "trickle", "floodgate", "ripple"],
      purposes: [
        "Values over time", "State for screens", "Operators for streams",
        "A scheduler for tests", "Keeps two views of one value together",
      ]),
    Subject(
      theme: .compiler, topics: ["compiler", "parser", "language", "cli"],
      nouns: ["lexicon", "grammar", "syntax", "quibble", "bracket", "glossary", "ampersand"],
      purposes: [
        "A parser generator", "Formats code", "A tiny language", "Explains compiler errors",
        "Finds code that nobody calls",
      ]),
    Subject(
      theme: .printing, topics: ["printing", "pdf", "cli"],
      nouns: ["inkwell", "platen", "galley", "proof", "ribbon", "broadsheet", "stamp"],
      purposes: [
        "Writes PDF files", "A queue for one printer", "Folds booklets", "Prints labels",
        "Turns tables into posters",
      ]),
    Subject(
      theme: .fonts, topics: ["fonts", "typography", "css"],
      nouns: ["serif", "ligature", "ascender", "swash", "kerning", "glyph", "italic"],
      purposes: [
        "Draws glyphs", "Subsets fonts", "Measures text before it is drawn",
        "Pairs two typefaces", "Finds missing characters",
      ]),
  ]

  static let qualities = [
    "quiet", "brisk", "amber", "little", "north", "paper", "lazy", "bright", "salt", "copper",
    "early", "patient", "velvet", "hollow", "tin", "wild", "plain", "second", "long", "blue",
    "warm", "odd", "slow", "kind", "late", "silver", "mossy", "honest",
  ]

  /// A prime number of them, so that the pairs take long to come round.
  static let animals = [
    "otter", "heron", "badger", "marten", "wren", "toad", "lynx", "plover", "newt", "hare",
    "stoat", "curlew", "vole", "ibex", "gannet", "dormouse", "perch", "magpie", "sable", "shrew",
    "teal", "adder", "bison",
  ]

  static let circles = ["guild", "works", "and-sons", "collective", "yard", "atelier", "club"]

  static let forms = ["kit", "core", "cli", "tools", "lite", "box", "bench", "studio"]

  static let promises = [
    "without a network", "in a single file", "for people who dislike setup",
    "with no dependencies", "small enough to read in an evening", "tested on slow machines",
    "written on Sundays", "for two cores and a kettle ☕️", "with errors that help",
    "also from the terminal", "one thing at a time", "and nothing else",
    "with “batteries” & a torch", "fast enough for a 20-year-old laptop",
  ]

  static let foreign = [
    "Kleine Werkzeuge für große Dateien", "小さくて速い、それだけ", "Простая вещь для сложных дней",
    "أداة صغيرة لعمل كبير", "Une petite boîte à outils, sans surprise", "하루에 한 번, 조용히",
    "Una herramienta pequeña para días largos 🌿",
  ]
}
