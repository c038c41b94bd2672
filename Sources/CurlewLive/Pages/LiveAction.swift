/// An action of the user in the browser.
public struct LiveAction: Sendable, Equatable {
  /// The action's name in the markup.
  public let name: String
  /// The field's text, or the element's `data-live-value`.
  public let value: String
  /// The names and texts of the submitted form's fields, without files.
  public let fields: LiveQuery

  /// Creates an action.
  public init(name: String, value: String = "", fields: LiveQuery = [:]) {
    self.name = name
    self.value = value
    self.fields = fields
  }
}
