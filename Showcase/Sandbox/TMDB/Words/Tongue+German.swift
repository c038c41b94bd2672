extension Tongue {
  static let german = Tongue(
    code: "de",
    titles: [
      "ONE und TWO", "ONE, TWO, THREE", "Briefe aus PLACE", "Letzter Zug nach PLACE",
      "Ein Winter in PLACE", "Der Weg nach PLACE", "Niemand schläft in PLACE", "ONE um Mitternacht",
      "Leb wohl, ONE", "PLACE, meine Liebe", "ONE: TWO",
    ],
    nouns: [
      "Salz", "Donner", "Honig", "Rost", "Schnee", "Bernstein", "Tinte", "Rauch", "Samt", "Kupfer",
      "Seide", "Nebel", "Moos", "Zucker", "Glas", "Wind", "Brot", "Regen", "Asche", "Milch",
      "Papier", "Licht", "Eisen", "Marmor",
    ],
    places: [
      "Mirano", "Tarvi", "Osku", "Kalmeri", "Velo", "Ondo", "Sanduri", "Pelago", "Lumi", "Ettore",
      "Morvi", "Astaro", "Belu", "Kivo",
    ],
    openings: [
      "Eine Leuchtturmwärterin im Ruhestand will in PLACE ihr Geburtshaus verkaufen.",
      "Zwei Brüder, die seit zehn Jahren schweigen, erben das einzige Kino von PLACE.",
      "In PLACE regnet es seit einem Jahr, und eine junge Meteorologin zählt die trockenen Tage.",
      "Eine Nachtschwester in PLACE schreibt auf, was ihre Patienten im Schlaf sagen.",
      "Der beste Uhrmacher von PLACE nimmt einen Lehrling, der die Uhr nicht lesen kann.",
      "Einmal im Jahr zieht ganz PLACE auf die andere Seite des Flusses.",
      "Eine Dolmetscherin kommt nach PLACE, um aus einer Sprache zu übersetzen, die keiner spricht.",
    ],
    turns: [
      "Da kommt ein Brief, der vor vierzig Jahren aufgegeben wurde.",
      "Als eine Woche lang der Strom ausfällt, werden alte Schulden fällig.",
      "Doch jemand war schon vorher da und hat das Licht brennen lassen.",
      "Ein Fremder bietet eine Summe, die niemand ablehnen kann, und stellt nur eine Frage.",
      "In der dritten Nacht läuten die Glocken, obwohl die Kirche keine hat.",
      "Was als Wette beginnt, wird die längste Reise ihres Lebens.",
    ],
    ends: [
      "Ein leiser Film über laute Leute.", "Erst komisch, dann gar nicht mehr.",
      "Am Ende hat das Meer das letzte Wort.", "Nach diesem Sommer ist keiner mehr ganz derselbe.",
      "Mit Musik für neun Celli.",
    ])
}
