import Application
import CurlewLive

/// The sheet with the filter of the repositories.
struct FilterView: TemplateValues {
  /// The offered minimum numbers of stars.
  let minimums: [OptionView]
  /// The addresses of the list with the chosen filter, and without a change.
  let apply, close: String

  static let names: TemplateNames<Self> = [
    "minimums": \.minimums, "apply": \.apply, "close": \.close,
  ]

  /// - Parameter address: Returns the address of the sheet with a minimum number of stars.
  init(
    _ filter: RepositoryFilter.State, apply: String, close: String, address: (Int?) -> String
  ) {
    minimums = RepositoryFilter.minimums.map {
      OptionView(
        value: "\($0)", title: Self.title($0), isChosen: $0 == filter.minimum, href: address($0))
    }
    (self.apply, self.close) = (apply, close)
  }

  /// Returns the choice for a terminal.
  static func choice(of filter: RepositoryFilter.State) -> ChoiceView {
    ChoiceView(
      "minimum", label: "Stars", RepositoryFilter.minimums.map { ("\($0)", title($0)) },
      chosen: "\(filter.minimum)")
  }

  private static func title(_ minimum: Int) -> String {
    minimum == 0 ? "All" : "\(minimum.grouped)+"
  }
}

extension LiveQuery {
  /// Returns a minimum number of stars in an address; `nil` if it is missing or not offered.
  func minimum(_ name: String) -> Int? {
    self[name].flatMap { Int($0) }.flatMap { RepositoryFilter.minimums.contains($0) ? $0 : nil }
  }
}
