// https://developer.apple.com/documentation/uikit/uicontentunavailableconfiguration-swift.struct
@available(iOS 17.0, tvOS 17.0, visionOS 1.0, *)
@MainActor @preconcurrency public struct UIContentUnavailableConfiguration: UIContentConfiguration {
  public static func empty() -> Self { fatalError() }
  public static func search() -> Self { fatalError() }
  public static func loading() -> Self { fatalError() }
  public var text: String?
  public var secondaryText: String?
  public var button = UIButton.Configuration.plain()
  public var buttonProperties = ButtonProperties()
  public func makeContentView() -> any UIView & UIContentView { fatalError() }
  public func updated(for state: any UIConfigurationState) -> Self { self }
  public struct ButtonProperties { public var primaryAction: UIAction? }
}
extension UIViewController {
  @available(iOS 17.0, tvOS 17.0, visionOS 1.0, *)
  public var contentUnavailableConfiguration: (any UIContentConfiguration)? { get { nil } set {} }
}
