@_exported public import Foundation
@_exported public import Observation

// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
/// The body of all stub views.
@MainActor @preconcurrency public protocol StubView: View where Body == Never {}
extension StubView { public var body: Never { fatalError() } }
struct AnyStub: StubView { nonisolated init() {} }
public struct AnyView: StubView { nonisolated public init<V: View>(_ view: V) {} }

// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<C: View>(_ content: C) -> C { content }
  public static func buildBlock<each C: View>(_ content: repeat each C) -> TupleView<(repeat each C)> {
    TupleView((repeat each content))
  }
  public static func buildExpression<C: View>(_ content: C) -> C { content }
  public static func buildIf<C: View>(_ content: C?) -> C? { content }
  public static func buildEither<A: View, B: View>(first: A) -> _ConditionalContent<A, B> { fatalError() }
  public static func buildEither<A: View, B: View>(second: B) -> _ConditionalContent<A, B> { fatalError() }
}
public struct EmptyView: StubView { nonisolated public init() {} }
public struct TupleView<T>: StubView { nonisolated public init(_ value: T) {} }
public struct _ConditionalContent<A, B> {}
extension _ConditionalContent: View where A: View, B: View {
  public var body: Never { fatalError() }
}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

// https://developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
  typealias Content = _ViewModifier_Content<Self>
}
public struct _ViewModifier_Content<Modifier: ViewModifier>: StubView {}
public struct ModifiedContent<Content, Modifier> {}
extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
  public var body: Never { fatalError() }
}

// https://developer.apple.com/documentation/swiftui/state-and-data-flow
public protocol DynamicProperty {}
@propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) {}
  public init(initialValue: Value) {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { fatalError() }
}
extension State where Value: ExpressibleByNilLiteral { public init() {} }
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public static func constant(_ value: Value) -> Binding<Value> { fatalError() }
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember member: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value> {
  public var wrappedValue: Value
  public var projectedValue: Bindable<Value> { self }
  public init(wrappedValue: Value) where Value: AnyObject, Value: Observable { self.wrappedValue = wrappedValue }
  public init(_ wrappedValue: Value) where Value: AnyObject, Value: Observable { self.wrappedValue = wrappedValue }
  public subscript<Subject>(
    dynamicMember member: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> where Value: AnyObject { fatalError() }
}
@MainActor @preconcurrency @propertyWrapper public struct FocusState<Value: Hashable>: DynamicProperty {
  @MainActor @preconcurrency public struct Binding {
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: FocusState<Value>.Binding { self }
  }
  public init() where Value == Bool {}
  public init<T: Hashable>() where Value == T? {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: FocusState<Value>.Binding { fatalError() }
}
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}
// https://developer.apple.com/documentation/swiftui/environmentkey, /scenephase
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}
public enum ScenePhase: Hashable, Comparable, Sendable { case background, inactive, active }
public struct EnvironmentValues {
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value { get { K.defaultValue } set {} }
  public var scenePhase: ScenePhase { get { .active } set {} }
  public var dynamicTypeSize: DynamicTypeSize { get { .large } set {} }
}
public enum DynamicTypeSize: Hashable, Sendable {
  case large
  public var isAccessibilitySize: Bool { false }
}
@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value { fatalError() }
}

// https://developer.apple.com/documentation/swiftui/previewprovider
@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

// https://developer.apple.com/documentation/swiftui/app and /scene
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
@resultBuilder public struct SceneBuilder {
  public static func buildBlock<C: Scene>(_ content: C) -> C { content }
}
public struct WindowGroup<Content: View>: Scene {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor init()
}
extension App { public static func main() {} }
// https://developer.apple.com/documentation/swiftui/scene/backgroundtask(_:action:), /scene/onchange(of:initial:_:)
public struct BackgroundTask<Request, Response>: Sendable {}
extension BackgroundTask where Request == Void, Response == Void {
  public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void> { Self() }
}
extension Scene {
  @available(macOS, unavailable)
  nonisolated public func backgroundTask<D: Sendable, R: Sendable>(
    _ task: BackgroundTask<D, R>, action: @escaping @Sendable (D) async -> R
  ) -> some Scene { StubScene() }
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some Scene { StubScene() }
}
struct StubScene: Scene {
  nonisolated init() {}
  var body: Never { fatalError() }
}
