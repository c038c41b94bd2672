extension Tongue {
  static let english = Tongue(
    code: "en",
    titles: [
      "ONE and TWO", "ONE, TWO, THREE", "Letters from PLACE", "Last Train to PLACE",
      "A Winter in PLACE", "The Road to PLACE", "Nobody Sleeps in PLACE", "ONE at Midnight",
      "Farewell, ONE", "PLACE, My Love", "ONE: TWO",
    ],
    nouns: [
      "Salt", "Thunder", "Honey", "Rust", "Snow", "Amber", "Ink", "Smoke", "Velvet", "Copper",
      "Silk", "Fog", "Moss", "Sugar", "Glass", "Wind", "Bread", "Rain", "Ash", "Milk", "Paper",
      "Light", "Iron", "Marble",
    ],
    places: [
      "Mirano", "Tarvi", "Osku", "Kalmeri", "Velo", "Ondo", "Sanduri", "Pelago", "Lumi", "Ettore",
      "Morvi", "Astaro", "Belu", "Kivo",
    ],
    openings: [
      "A retired lighthouse keeper returns to PLACE to sell the house that she was born in.",
      "Two brothers who haven't spoken for ten years inherit the only cinema in PLACE.",
      "In PLACE, where it has rained for a year, a young meteorologist counts the dry days.",
      "A night nurse in PLACE writes down what her patients say in their sleep.",
      "The best clockmaker in PLACE takes on an apprentice who can't read the time.",
      "Once a year the whole of PLACE moves to the other side of the river.",
      "A translator arrives in PLACE to interpret at a trial in a language that nobody speaks.",
    ],
    turns: [
      "Then a letter arrives that was posted forty years ago.",
      "When the power fails for a week, old debts are called in.",
      "But somebody has been there before, and has left the lamp burning.",
      "A stranger offers a sum that nobody could refuse, and asks only one question.",
      "On the third night the bells ring, though the church has none.",
      "What begins as a bet becomes the longest journey of their lives.",
    ],
    ends: [
      "A quiet film about loud people.", "Funny, and then not at all.",
      "In the end the sea has the last word.", "Nobody will be quite the same after this summer.",
      "With a score for nine cellos.",
    ])
}
