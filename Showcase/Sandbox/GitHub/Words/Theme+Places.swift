extension Theme {
  static let server = Theme(
    parts: [
      "router", "session store", "template engine", "upload handler", "rate limiter", "file server",
      "middleware chain", "error page", "health check", "web socket", "request log",
    ],
    wishes: [
      "Match optional segments", "Send early hints", "Count open connections",
      "Compress answers", "Reload certificates",
    ],
    labels: [
      Label(name: "routing", color: "5ebeff", description: nil),
      Label(name: "security", color: "b60205", description: "Please read our policy first"),
    ],
    language: "swift",
    code: [
      "let router = Router()", "router.get(\"boats/:name\") { request in boat(request) }",
      "router.middleware.add(Compression())", "try await serve(router, port: 8080)",
    ])

  static let sea = Theme(
    parts: [
      "tide table", "wind forecast", "harbour map", "anchor alarm", "compass", "swell chart",
      "moon phase", "route planner", "logbook", "depth sounder", "night colours",
    ],
    wishes: [
      "Show knots and Beaufort", "Mark the slack water", "Export to GPX", "Draw the safe channel",
    ],
    labels: [
      Label(name: "charts", color: "0b3d5c", description: "Maps and lines"),
      Label(name: "⚓️ harbour", color: "ffd33d", description: nil),
    ],
    language: "swift",
    code: [
      "let tides = try await station.tides(on: .today)",
      "let high = tides.max { $0.height < $1.height }",
      "alarm.set(radius: .meters(30))", "assert(tides.count == 4)",
    ])

  static let kitchen = Theme(
    parts: [
      "shopping list", "oven timer", "starter calendar", "unit converter", "recipe import",
      "step view", "photo of the crumb", "flour database", "weekly plan",
    ],
    wishes: [
      "Scale for two loaves", "Zeige die Gehzeit", "Print on one page", "Convert cups to grams",
    ],
    labels: [
      Label(name: "Übersetzung", color: "f9d0c4", description: "Texte und Einheiten"),
      Label(name: "timer ⏲️", color: "d93f0b", description: nil),
    ],
    language: "kotlin",
    code: [
      "val dough = Dough(flour = 500.grams, water = 350.grams)",
      "val hydration = dough.water / dough.flour",
      "timer.start(45.minutes)", "check(hydration == 0.7)",
    ])

  static let stars = Theme(
    parts: [
      "sky map", "planet list", "telescope control", "star catalogue", "red light mode",
      "meteor calendar", "search by name", "horizon line", "constellation drawing", "orbit solver",
    ],
    wishes: [
      "Show Japanese star names", "Label the brightest stars", "Predict passes of satellites",
      "Dim the city lights",
    ],
    labels: [
      Label(name: "星図", color: "1b1f5e", description: "The sky map"),
      Label(name: "mathematics", color: "c7def8", description: nil),
    ],
    language: "rust",
    code: [
      "let vega = catalogue.find(\"Vega\")?;",
      "let place = vega.altitude(observer, Instant::now());",
      "assert!(place.degrees() > 0.0);", "println!(\"{place:.2}\");",
    ])

  static let library = Theme(
    parts: [
      "reading position", "bookshelf", "page turn", "annotation list", "font picker", "dictionary",
      "cover grid", "table of contents", "import of EPUB files", "margin setting", "reading clock",
      "search inside a book",
    ],
    wishes: [
      "Sort by author", "Keep two positions", "Hyphenate long words", "Export notes as Markdown",
      "Read aloud",
    ],
    labels: [
      Label(name: "من اليمين إلى اليسار", color: "a65e2e", description: "Right to left"),
      Label(name: "typography", color: "e6dcc8", description: nil),
      Label(name: "sync", color: "2188ff", description: nil),
    ],
    language: "ts",
    code: [
      "const book = await shelf.open(\"evenings.epub\");", "const mark = book.position();",
      "await book.turn(+1);", "expect(book.position()).toBeGreaterThan(mark);",
    ])

  static let transit = Theme(
    parts: [
      "departure board", "route search", "offline map", "delay notice", "platform number",
      "favourites list", "ticket view", "timetable import", "connection guard", "station search",
      "walking time",
    ],
    wishes: [
      "Prefer routes without stairs", "Show the next three trains", "Mark replacement buses",
      "Count the stops that are left", "Add a calendar entry",
    ],
    labels: [
      Label(name: "timetable data", color: "fbca04", description: "Not our bug, but our problem"),
      Label(name: "accessibility", color: "0e8a16", description: "For everyone"),
    ],
    language: "go",
    code: [
      "board, err := station.Departures(ctx, time.Now())", "if err != nil { return err }",
      "for _, train := range board { fmt.Println(train.Line, train.Delay) }", "return nil",
    ])

  static let fonts = Theme(
    parts: ["kerning table", "small capitals", "hinting", "web font build", "specimen page"],
    wishes: ["Even out the spacing", "Draw the long s", "Cover Vietnamese"],
    labels: [Label(name: "glyphs", color: "24292e", description: nil)],
    language: "css",
    code: ["@font-face { font-family: Quiet; }", "body { font: 1rem/1.5 Quiet, serif; }"])

  static let garden = Theme(
    parts: [
      "soil sensor", "watering plan", "frost warning", "seed calendar", "rain gauge",
      "battery report", "greenhouse fan", "plant list", "radio link",
    ],
    wishes: [
      "Skip a day after rain", "Group the beds", "Show the last frost", "Water before sunrise",
    ],
    labels: [
      Label(name: "hardware", color: "6f4e37", description: "Wires and water"),
      Label(name: "🌱 seeds", color: "8fce00", description: nil),
    ],
    language: "c",
    code: [
      "int level = soil_read(BED_2);", "if (level < DRY) valve_open(BED_2, 30);",
      "log_write(\"bed 2: %d\", level);", "sleep_until(SUNRISE);",
    ])

  static let music = Theme(
    parts: [
      "tap tempo", "count-in", "tuner", "practice log", "accent pattern", "set list",
      "background audio", "MIDI clock", "volume ramp", "foot pedal", "score view",
    ],
    wishes: [
      "Count in odd metres", "Blink on the first beat", "Slow down without a change of pitch",
      "Share a set list", "Swing the eighths",
    ],
    labels: [
      Label(name: "audio", color: "5319e7", description: "What one hears"),
      Label(name: "latency", color: "bfdadc", description: "Late is wrong"),
    ],
    language: "swift",
    code: [
      "let beat = Beat(tempo: 92, metre: .init(7, 8))", "metronome.play(beat, countIn: 2)",
      "metronome.accents = [1, 4, 6]", "await metronome.stop(after: .bar)",
    ])
}
