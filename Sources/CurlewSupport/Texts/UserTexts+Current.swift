import Synchronization

extension UserTexts {
  private static let ofProcess = Mutex(english)
  @TaskLocal private static var ofTask: UserTexts?

  /// The texts of the process, where nothing else says otherwise; English, unless the app sets it, which it does once.
  public static var standard: UserTexts {
    get { ofProcess.withLock { $0 } }
    set { ofProcess.withLock { $0 = newValue } }
  }

  /// The texts that are shown now: those of ``show(_:)``, or else ``standard``.
  public static var current: UserTexts { ofTask ?? standard }

  /// Calls a closure in which these texts are the ``current`` ones, as for `localizedDescription`.
  public func show<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Self.$ofTask.withValue(self, operation: body)
  }

  /// Returns the texts for the first wanted language that there are some for (RFC 4647 section 3.4); the first ones if
  /// there are none, and English if there are no texts.
  ///
  /// - Parameters:
  ///   - texts: The available texts.
  ///   - languages: Language tags, the most wanted first: `vi-VN` finds `vi`.
  public static func preferred(
    of texts: [UserTexts], for languages: some Sequence<String>
  ) -> UserTexts {
    for language in languages {
      var range = language.lowercased()[...]
      while !range.isEmpty {
        if let found = texts.first(where: { $0.language.lowercased() == range }) { return found }
        range = range.lastIndex(of: "-").map { range[..<$0] } ?? ""
      }
    }
    return texts.first ?? .english
  }
}
