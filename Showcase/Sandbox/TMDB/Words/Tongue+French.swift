extension Tongue {
  static let french = Tongue(
    code: "fr",
    titles: [
      "ONE et TWO", "ONE, TWO, THREE", "Lettres de PLACE", "Dernier train pour PLACE",
      "Un hiver à PLACE", "La route de PLACE", "Personne ne dort à PLACE", "ONE à minuit",
      "Adieu, ONE", "PLACE, mon amour", "ONE : TWO",
    ],
    nouns: [
      "sel", "tonnerre", "miel", "rouille", "neige", "ambre", "encre", "fumée", "velours", "cuivre",
      "soie", "brume", "mousse", "sucre", "verre", "vent", "pain", "pluie", "cendre", "lait",
      "papier", "lumière", "fer", "marbre",
    ],
    places: [
      "Mirano", "Tarvi", "Osku", "Kalmeri", "Velo", "Ondo", "Sanduri", "Pelago", "Lumi", "Ettore",
      "Morvi", "Astaro", "Belu", "Kivo",
    ],
    openings: [
      "Une gardienne de phare à la retraite revient à PLACE vendre sa maison natale.",
      "Deux frères brouillés depuis dix ans héritent du seul cinéma de PLACE.",
      "À PLACE, où il pleut depuis un an, une jeune météorologue compte les jours secs.",
      "Une infirmière de nuit à PLACE note ce que ses patients disent en dormant.",
      "Le meilleur horloger de PLACE engage un apprenti qui ne sait pas lire l'heure.",
      "Une fois par an, tout PLACE déménage sur l'autre rive.",
      "Une interprète arrive à PLACE pour un procès dans une langue que personne ne parle.",
    ],
    turns: [
      "Arrive alors une lettre postée quarante ans plus tôt.",
      "Quand le courant manque pendant une semaine, les vieilles dettes se réveillent.",
      "Mais quelqu'un est déjà venu, et a laissé la lampe allumée.",
      "Un inconnu offre une somme que nul ne refuserait, et ne pose qu'une question.",
      "La troisième nuit, les cloches sonnent ; l'église n'en a pourtant pas.",
      "Ce qui commence par un pari devient le plus long voyage de leur vie.",
    ],
    ends: [
      "Un film calme sur des gens bruyants.", "Drôle, puis plus du tout.",
      "À la fin, la mer a le dernier mot.", "Après cet été, plus personne ne sera le même.",
      "Avec une musique pour neuf violoncelles.",
    ])
}
