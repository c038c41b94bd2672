/// The words that titles of every repository share.
enum Phrases {
  /// What a part of a program does wrong, after its name.
  static let problems = [
    "forgets the last entry", "reports the wrong line", "never finishes",
    "uses twice the memory it needs", "shows an empty message", "ignores the second argument",
    "starts over from the beginning", "drops the first character", "waits far too long",
    "returns yesterday's value", "counts one too many", "mixes up two names",
    "keeps the file open", "prints the same warning twice", "loses its settings",
    "flickers for a moment", "answers in the wrong order", "stops without an error",
    "rounds in the wrong direction", "swallows the real error", "leaves a temporary file behind",
    "treats a missing value as zero", "repeats the last step", "asks for permission again",
  ]

  static let shortProblems = [
    "“not found” should say what was not found", "off by one at the end of the month",
    "slow with more than 10,000 entries", "misleading error for an empty file",
    "typo in the message for a bad option", "tests pass alone and fail together",
    "deprecated, but nothing says what to use instead", "leak found with the new tool",
    "works in debug, fails in release", "`--help` and the manual disagree",
    "wrong default since the last release", "two buttons with the same name",
  ]

  /// When it happens, at the end of a sentence.
  static let conditions = [
    "when the file is empty", "after waking from sleep", "when two start at once",
    "with a path that has spaces", "on the first launch", "while another one is running",
    "after the clocks change", "when the network goes away", "in a time zone east of UTC",
    "if the disk is full", "with more than 65,536 entries", "on machines with two cores",
    "when the name is longer than a line", "in release builds only", "after an update",
    "when cancelled half-way", "with the smallest text size", "behind a proxy",
    "on leap days", "when the same item appears twice", "in a folder that is read-only",
    "when used from a background task", "with the sound switched off", "inside a container",
    "after the tenth retry", "when the cache is cold", "with a screen reader",
    "if the list has exactly one item",
  ]

  static let qualities = [
    "work without a network", "easier to test", "faster for long lists", "optional",
    "usable with the keyboard alone", "say what it is waiting for", "forgiving about spaces",
    "remember the last choice", "stop when nobody is listening", "configurable per project",
  ]

  static let uses = [
    "from several threads", "without a main function", "in an extension", "on a watch",
    "with files over 4 GB", "before the settings are read", "in tests",
  ]

  /// Titles in other scripts and with characters that a careless page breaks on.
  static let foreign = [
    "Umlaute in Dateinamen: aus „Größe.txt“ wird „Gro??e.txt“",
    "日本語の検索結果で行末の文字が切れる",
    "لا تظهر الأرقام بالترتيب الصحيح في القوائم العربية",
    "<script>alert(\"boo\")</script> in a name is shown as text: please keep it so",
    "🚀 Starting is fast now, but the 🐢 shutdown is not",
    "Escape & < > \" ' everywhere, not only in titles",
    "Füße, Maße und Straßen: die Sortierung stellt ß hinter z",
    "ダークモードで境界線がほとんど見えない",
    "دعم الكتابة من اليمين إلى اليسار في حقل البحث",
    "Les guillemets « français » perdent leur espace insécable",
    "Is `a < b && c > d` really read as a list of types?",
    "Ошибка округления в итоговой строке таблицы",
    "Zeitumstellung: Termine zwischen 2:00 und 3:00 Uhr verschwinden",
    "Family emoji 👨‍👩‍👧‍👦 counts as seven characters in the length check",
    "한글 입력 중 마지막 글자가 두 번 들어감",
    "“\u{E9}” and “e\u{301}” look the same, but are two different keys",
    "Quotes: 'single', \"double\", `back` and „low“ in one title",
    "Türkçe küçük harf: “İ” ile “I” aynı sonucu vermiyor",
    "שלום עולם: mixed directions make the caret jump while typing",
    "100% of the time, %20 in a path turns into %2520",
    "NULL, nil, None and \\N: which of them means “no value” here?",
    "The list shows only the first half of a title that goes on for much longer than anybody "
      + "would expect from a title, because its author put the whole story in here: how it "
      + "began, what was tried on Tuesday, and why none of it helped in the end",
    "Averyveryverylongwordwithoutanyplacetobreakit_pushes_the_whole_table_out_of_the_window",
  ]
}
