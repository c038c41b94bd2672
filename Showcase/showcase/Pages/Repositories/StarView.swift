import Application
import CurlewLive
import Domain

/// A button that stars a repository, or removes the star.
struct StarView: TemplateValues {
  private let name: RepositoryName
  private let isOn: Bool
  /// The state of a change that the host has not confirmed.
  private let pending: String?
  var action: String { isOn ? "unstar" : "star" }
  private var pressed: String { isOn ? "true" : "false" }

  static let names: TemplateNames<Self> = [
    "action": \.action, "pressed": \.pressed, "repository": \.name.description,
    "pending": \.pending,
  ]

  init(_ name: RepositoryName, isOn: Bool, pending: String? = nil) {
    (self.name, self.isOn, self.pending) = (name, isOn, pending)
  }
}

extension Starring.Event {
  /// Creates an event from an action about a star; returns `nil` for other actions.
  init?(_ action: LiveAction) {
    switch action.name {
    case "star", "unstar":
      guard let name = RepositoryName(action.fields["repository"] ?? action.value) else {
        return nil
      }
      self = .star(name, isOn: action.name == "star")
    default: return nil
    }
  }
}

extension Starring.State {
  /// The number of stars, beside the link to the repositories.
  var slots: [String: HTML] {
    guard let starred, !starred.isEmpty else { return [:] }
    return [PageLayout.starred: HTML(text: starred.count.grouped)]
  }
}
