// https://developer.apple.com/documentation/swiftui/search, /gestures
@available(visionOS, unavailable)
public struct ScrollDismissesKeyboardMode: Sendable {
  public static var immediately: Self { Self() }
}
@MainActor @preconcurrency public protocol Gesture<Value> { associatedtype Value }
public struct TapGesture: Gesture {
  public typealias Value = Void
  nonisolated public init(count: Int = 1) {}
}
public struct _EndedGesture<Base: Gesture>: Gesture { public typealias Value = Base.Value }
extension Gesture {
  nonisolated public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> { fatalError() }
}
extension View {
  @available(visionOS, unavailable)
  nonisolated public func scrollDismissesKeyboard(_ mode: ScrollDismissesKeyboardMode) -> some View { stub() }
  nonisolated public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View { stub() }
}
extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  @_disfavoredOverload nonisolated public init<S: StringProtocol>(
    _ title: S, systemImage name: String, description: Text? = nil
  ) {}
}
