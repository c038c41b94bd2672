extension StoreMovie {
  /// All movies in the order of the chart of the United States.
  static let all: [StoreMovie] = table.enumerated().map { index, row in
    StoreMovie(
      index: index, title: row.0, artist: row.1, genre: row.2,
      summary: index % 9 == 3 ? nil : index % 16 == 8 ? "" : row.3)
  }

  private static let table: [(String, String, Genre, String)] = [
    (
      "The Kettle Conspiracy", "Maren Oduya", .comedy,
      "A tea shop, three spies and one kettle that must not boil. By the time the town council notices, half of the harbour is under surveillance and the other half is selling biscuits."
    ),
    (
      "Northbound", "Ilse Varga", .thriller,
      "The last train of the year leaves with eleven passengers and arrives with twelve."
    ),
    (
      "Otters of the Upper Bend", "Tom Achterberg", .family,
      "When the river is dammed, a family of otters moves into the waterworks and improves it."
    ),
    (
      "Below the Ninth Wave", "Sunniva Reyes", .action,
      "A salvage crew finds a ship that nobody lost."
    ),
    (
      "Small Hours", "Kenji Tamura & Ada Brooks", .drama,
      "Four people who work at night share one kitchen table, one chair each, and a secret that fits into a lunch box."
    ),
    (
      "Copper Moon", "Delphine Aubert", .fiction,
      "The colony's only clock is wrong, and only the children have noticed."
    ),
    (
      "Grand Hôtel de la Brume", "Delphine Aubert", .romance,
      "Deux valises identiques, un ascenseur en panne. Two suitcases alike, one lift out of order, and a weekend that was meant for somebody else."
    ),
    (
      "The Cartographer's Daughter", "Ruben Castellanos", .action,
      "She draws an island as a joke. A fleet sets sail for it."
    ),
    (
      "Please Hold", "Priya Ramanathan", .comedy,
      "Nine hours in the queue of a help line, told in real time."
    ),
    (
      "Salt & Iron", "Henrik Lindqvist", .western,
      "A town without water, a well without an owner, and a judge who is afraid of horses."
    ),
    (
      "What the Lighthouse Saw", "Niamh Corrigan", .horror,
      "The lamp turns once every nine seconds. On the fourth night it is ten."
    ),
    (
      "Bread: A Love Story", "Zwei Linden Film", .documentary,
      "A year with five bakers, two mills and one stubborn sourdough called Günther."
    ),
    (
      "Übermorgen", "Jonas Feld", .fiction,
      "Everybody in the village gets the newspaper of the day after tomorrow, except for the weather page."
    ),
    (
      "The Understudy's Understudy", "Calla Whitcombe", .comedy,
      "Opening night, no cast, full house."
    ),
    (
      "A Field Guide to Leaving", "Oluwaseun Bright", .drama,
      "A botanist packs up her mother's garden, one plant and one argument at a time."
    ),
    (
      "Quartet for Five", "Maren Oduya", .comedy,
      "The string quartet has hired one player too many, and nobody wants to be the one to say so."
    ),
    (
      "Nine Tenths", "Ilse Varga", .thriller,
      "A locksmith opens the wrong safe, which turns out to be the right one."
    ),
    (
      "夜の灯台", "Kenji Tamura", .drama,
      "An old keeper, a radio and a voice that answers every question but one."
    ),
    (
      "Pip and the Paper Navy", "Tom Achterberg", .family,
      "After the flood, the paper boats of a whole school set out to bring the library back."
    ),
    (
      "Hard Shoulder", "Ruben Castellanos", .action,
      "Forty lorries, one bridge, no brakes worth mentioning."
    ),
    (
      "The Year of Two Winters", "Sunniva Reyes", .drama,
      "The harvest is in, the snow has gone, and then it is autumn again."
    ),
    (
      "Marmalade", "Calla Whitcombe", .romance,
      "He is allergic to oranges. She owns the grove."
    ),
    (
      "Seven Doors Down", "Niamh Corrigan", .horror,
      "The corridor has six doors. The tenant pays for the seventh."
    ),
    (
      "Everything Must Float", "Priya Ramanathan", .family,
      "A carousel, a storm and the slowest rescue in the history of the coast guard."
    ),
    (
      "The Assistant Astronomer's Very Long and Entirely Unnecessary Journey to the Second Brightest Star",
      "Asa Yuki", .fiction,
      "She was told to count the stars. She took it literally."
    ),
    (
      "Understated", "Henrik Lindqvist", .comedy,
      "A duel between two civil servants, by letter, over thirty years."
    ),
    (
      "Rook Takes Queen", "Zofia Malik", .thriller,
      "A grandmaster sees her own game, move by move, in the paper. It is dated tomorrow."
    ),
    (
      "The Ferryman's Accounts", "Oluwaseun Bright", .drama,
      "Whoever crosses pays with a story, and the books have to balance."
    ),
    (
      "Tin", "Jonas Feld", .western,
      "Not gold. Not even silver. They come anyway."
    ),
    (
      "Between Stations", "Ada Brooks", .romance,
      "Two commuters read the same book in opposite directions."
    ),
    (
      "How to Lose a Glacier", "Sunniva Reyes", .documentary,
      "Forty summers of one measuring stick."
    ),
    (
      "Captain Thistle Goes Ashore", "Tom Achterberg", .family,
      "The smallest pirate of the northern seas learns to ride a bicycle."
    ),
    (
      "Static", "Zofia Malik", .horror,
      "The baby monitor picks up the neighbours. The house has none."
    ),
    (
      "Ministry of Clouds", "Maren Oduya", .comedy,
      "The forecast is decided by committee, and the committee wants sun."
    ),
    (
      "Eleven Kilometres", "Ruben Castellanos", .action,
      "A marathon runner, a stolen medal and the worst possible shoes."
    ),
    (
      "The Patience of Moss", "Calla Whitcombe", .documentary,
      "Filmed at one frame an hour."
    ),
    (
      "O < K & \"Other\" Lies", "Priya Ramanathan", .comedy,
      "Two programmers marry. <b>Nobody</b> has tested it."
    ),
    (
      "A Borrowed Coat", "Ilse Varga", .drama,
      "In the left pocket: a key. In the right pocket: an address. Neither fits the other."
    ),
    (
      "Last Call for Kalmeri", "Henrik Lindqvist", .romance,
      "An airport closes for good, and its two announcers have one evening left."
    ),
    (
      "The Orchard at the End", "Niamh Corrigan", .fiction,
      "After the machines have gone, somebody has to tell the apples."
    ),
  ]
}
