/// The invented people who file issues.
enum People {
  static let all: [Account] = logins.enumerated().map { index, login in
    Account(login: login, id: 900_500_000 + index * 37, kind: .person)
  }

  static let bot = Account(login: "tidy-otter[bot]", id: 900_700_001, kind: .bot)

  private static let logins = [
    "ada-brooks", "asa-yuki", "bergziege42", "birchandbone", "caspian-dev", "clementine-f",
    "dunja-k", "elmwood", "farid-naz", "fennel", "gwenllian", "halvorsen-j", "hollis-and-co",
    "ines-barros", "ivo77", "jun-morita", "kaya-o", "kestrel", "leopoldine", "lin-xiaoyu",
    "marlowe-t", "mirela-k", "nadia-el-amin", "nettle", "okonkwo-c", "old-harbour", "paloma-ruiz",
    "pekka-s", "quillfeather", "rasmus-lund", "rook-and-pawn", "sana-h", "sorrel", "tamsin-wells",
    "theo-v", "ulla-b", "vikram-rao", "wren", "yarrow-x", "zofia-m",
  ]
}
