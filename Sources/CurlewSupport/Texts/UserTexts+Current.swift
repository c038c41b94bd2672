import Foundation
import Synchronization

extension UserTexts {
  private static let ofProcess = Mutex(
    preferred(of: included, for: Bundle.main.preferredLocalizations))
  @TaskLocal private static var ofTask: UserTexts?

  /// The included languages, the default first.
  package static let included = [english, vietnamese]

  /// The default texts of the process, which an app may set once.
  ///
  /// Initially, they are in the language in which the device shows the app, one of its localizations; in English if that
  /// language isn't included.
  public static var standard: UserTexts {
    get { ofProcess.withLock { $0 } }
    set { ofProcess.withLock { $0 = newValue } }
  }

  /// The current texts: the texts of an enclosing ``show(_:)``, or else ``standard``.
  public static var current: UserTexts { ofTask ?? standard }

  /// Calls a closure with these texts as the ``current`` texts, as for `localizedDescription`.
  public func show<Value>(_ body: () throws -> Value) rethrows -> Value {
    try Self.$ofTask.withValue(self, operation: body)
  }

  /// Returns the texts for the most preferred available language (RFC 4647 section 3.4); the first texts if no
  /// language matches, and English if `texts` is empty.
  ///
  /// - Parameters:
  ///   - texts: The available texts.
  ///   - languages: Language tags, the most preferred first: `vi-VN` matches `vi`.
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
