nonisolated func stub() -> AnyStub { AnyStub() }

// https://developer.apple.com/documentation/swiftui/view-fundamentals and the pages of each group
extension View {
  // Modifiers
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { fatalError() }

  // Life cycle and events
  nonisolated public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { stub() }
  nonisolated public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { stub() }
  nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { stub() }
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { stub() }
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { stub() }
  nonisolated public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { stub() }
  nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View { stub() }
  nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { stub() }
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View { stub() }
  nonisolated public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View { stub() }
  nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { stub() }

  // Search
  nonisolated public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
  ) -> some View { stub() }
  nonisolated public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
  ) -> some View { stub() }
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  nonisolated public func searchFocused(_ binding: FocusState<Bool>.Binding) -> some View { stub() }
  nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View { stub() }
  @available(macOS, unavailable)
  nonisolated public func textInputAutocapitalization(
    _ autocapitalization: TextInputAutocapitalization?
  ) -> some View { stub() }

  // Navigation and presentation
  nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { stub() }
  @_disfavoredOverload nonisolated public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { stub() }
  @available(macOS, unavailable)
  @available(tvOS, unavailable)
  nonisolated public func navigationBarTitleDisplayMode(
    _ displayMode: NavigationBarItem.TitleDisplayMode
  ) -> some View { stub() }
  nonisolated public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View { stub() }
  // https://developer.apple.com/documentation/swiftui/view/sheet(ispresented:ondismiss:content:), /toolbar(content:)
  nonisolated public func sheet<C: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> C
  ) -> some View { stub() }
  nonisolated public func toolbar<C: View>(@ViewBuilder content: () -> C) -> some View { stub() }
  nonisolated public func alert<A: View, M: View>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
    @ViewBuilder message: () -> M
  ) -> some View { stub() }
  nonisolated public func alert<A: View, M: View, T>(
    _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
    @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View { stub() }

  @_disfavoredOverload nonisolated public func alert<S: StringProtocol, A: View, M: View>(
    _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
  ) -> some View { stub() }
  nonisolated public func ignoresSafeArea() -> some View { stub() }
  @_disfavoredOverload nonisolated public func alert<S: StringProtocol, A: View, M: View, T>(
    _ title: S, isPresented: Binding<Bool>, presenting data: T?,
    @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View { stub() }

  nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
    stub()
  }
  // https://developer.apple.com/documentation/swiftui/view/onreceive(_:perform:), without Combine's protocol
  nonisolated public func onReceive(
    _ publisher: NotificationCenter.Publisher, perform action: @escaping (Notification) -> Void
  ) -> some View { stub() }

  // Layout and style
  nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { stub() }
  nonisolated public func overlay<V: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> V
  ) -> some View { stub() }
  nonisolated public func safeAreaInset<V: View>(
    edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> V
  ) -> some View { stub() }
  nonisolated public func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { stub() }
  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
    idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { stub() }
  nonisolated public func padding(_ length: CGFloat) -> some View { stub() }
  nonisolated public func padding() -> some View { stub() }
  nonisolated public func controlSize(_ controlSize: ControlSize) -> some View { stub() }
  nonisolated public func font(_ font: Font?) -> some View { stub() }
  nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { stub() }
  nonisolated public func background<S: ShapeStyle>(
    _ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all
  ) -> some View { stub() }
  nonisolated public func background<S: ShapeStyle, T: Shape>(
    _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
  ) -> some View { stub() }
  nonisolated public func background<S: ShapeStyle, T: InsettableShape>(
    _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
  ) -> some View { stub() }
  nonisolated public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View { stub() }
  nonisolated public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { stub() }
  nonisolated public func lineLimit(_ number: Int?) -> some View { stub() }
  nonisolated public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { stub() }
  nonisolated public func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View { stub() }
  nonisolated public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { stub() }
  nonisolated public func scaledToFit() -> some View { stub() }
  nonisolated public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View { stub() }

  // https://developer.apple.com/documentation/swiftui/accessible-descriptions
  nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { stub() }
  nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View { stub() }
  nonisolated public func accessibilityLabel(
    _ labelKey: LocalizedStringKey
  ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { fatalError() }
  @_disfavoredOverload nonisolated public func accessibilityLabel<S: StringProtocol>(
    _ label: S
  ) -> ModifiedContent<Self, AccessibilityAttachmentModifier> { fatalError() }
}
public struct AccessibilityAttachmentModifier: ViewModifier {
  public func body(content: Content) -> Never { fatalError() }
}
public struct SubmitTriggers: Sendable {
  public static let text = Self()
  public static let search = Self()
}
public struct SearchFieldPlacement: Sendable {
  public static let automatic = Self()
  @available(macOS, unavailable)
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  public static func navigationBarDrawer(displayMode: NavigationBarDrawerDisplayMode) -> SearchFieldPlacement { Self() }
  @available(macOS, unavailable)
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  public struct NavigationBarDrawerDisplayMode: Sendable { public static let always = Self() }
}
@available(macOS, unavailable)
public struct TextInputAutocapitalization: Sendable {
  public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
}
public enum VerticalEdge: Int8, Sendable { case top, bottom }
public enum Edge: Int8, Sendable {
  case top, leading, bottom, trailing
  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let all = Self(rawValue: 15)
  }
}
public struct AccessibilityChildBehavior: Sendable {
  public static let ignore = Self()
  public static let combine = Self()
}
public enum ContentMode: Sendable { case fit, fill }
