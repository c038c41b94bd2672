// https://developer.apple.com/documentation/swiftui/localizedstringkey
public struct LocalizedStringKey: ExpressibleByStringInterpolation, Equatable {
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: StringInterpolation) {}
  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ string: String) {}
    public mutating func appendInterpolation<T>(_ value: T) {}
  }
}

// https://developer.apple.com/documentation/swiftui/text, /image, /label
public struct Text: StubView, Equatable {
  nonisolated public init(_ key: LocalizedStringKey) {}
  @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) {}
  nonisolated public init(verbatim content: String) {}
}
public struct Image: StubView {
  nonisolated public init(systemName: String) {}
  nonisolated public init(decorative cgImage: CGImage, scale: CGFloat) {}
  nonisolated public func resizable() -> Image { self }
}
public struct Label<Title: View, Icon: View>: StubView {}
extension Label where Title == Text, Icon == Image {
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) {}
  @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}

// https://developer.apple.com/documentation/swiftui/layout-fundamentals
public struct HorizontalAlignment: Sendable {
  public static let leading = Self()
  public static let center = Self()
}
public struct VerticalAlignment: Sendable {
  public static let top = Self()
  public static let center = Self()
}
public struct Alignment: Sendable {
  public static let center = Self()
  public static let leading = Self()
}
public struct HStack<Content: View>: StubView {
  nonisolated public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}
public struct VStack<Content: View>: StubView {
  nonisolated public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
  ) {}
}
public struct ZStack<Content: View>: StubView {
  nonisolated public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}
@preconcurrency public protocol Layout: Sendable {}
extension Layout {
  public func callAsFunction<V: View>(@ViewBuilder _ content: () -> V) -> some View { stub() }
}
public struct HStackLayout: Layout {
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil) {}
}
public struct VStackLayout: Layout {
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil) {}
}
public struct AnyLayout: Layout { public init<L: Layout>(_ layout: L) {} }
public struct ScrollView<Content: View>: StubView {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
}
public struct Spacer: StubView { nonisolated public init() {} }

// https://developer.apple.com/documentation/swiftui/list, /foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View where Content: View { public var body: Never { fatalError() } }
extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
  nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach where Content: View {
  nonisolated public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}
public struct List<Selection, Content: View>: StubView {}
extension List where Selection == Never {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
  nonisolated public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {}
  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {}
}
public struct Section<Parent: View, Content: View>: StubView {
  nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {}
}

// https://developer.apple.com/documentation/swiftui/navigation
public struct NavigationStack<Data, Root: View>: StubView {
  nonisolated public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {}
  nonisolated public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable {}
}
public struct NavigationPath {}
@available(macOS, unavailable)
public struct NavigationBarItem {
  public enum TitleDisplayMode: Sendable { case automatic, inline, large }
}
public struct NavigationLink<Label: View, Destination: View>: StubView {}
extension NavigationLink where Destination == Never {
  nonisolated public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {}
}
public struct TabView<SelectionValue: Hashable, Content: View>: StubView {
  nonisolated public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {}
}
extension TabView where SelectionValue == Int {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
}

// https://developer.apple.com/documentation/swiftui/controls-and-indicators
public struct ButtonRole: Sendable {
  public static let cancel = Self()
  public static let destructive = Self()
}
public struct Button<Label: View>: StubView {
  @preconcurrency nonisolated public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
  @preconcurrency nonisolated public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
  @_disfavoredOverload @preconcurrency nonisolated public init<S: StringProtocol>(
    _ title: S, action: @escaping @MainActor () -> Void
  ) {}
  @_disfavoredOverload @preconcurrency nonisolated public init<S: StringProtocol>(
    _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {}
  @preconcurrency nonisolated public init(
    _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {}
}
// https://developer.apple.com/documentation/swiftui/textfield
public enum Axis: Sendable { case horizontal, vertical }
public struct TextField<Label: View>: StubView {}
extension TextField where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>, axis: Axis) {}
}
public struct ProgressView<Label: View>: StubView {}
extension ProgressView where Label == EmptyView { nonisolated public init() {} }
extension ProgressView where Label == Text { nonisolated public init(_ titleKey: LocalizedStringKey) {} }
public struct ControlSize: Sendable { public static let large = Self() }
public struct Picker<Label: View, Selection: Hashable, Content: View>: StubView {}
extension Picker where Label == Text {
  nonisolated public init(
    _ titleKey: LocalizedStringKey, selection: Binding<Selection>, @ViewBuilder content: () -> Content
  ) {}
}
@MainActor @preconcurrency public protocol PickerStyle {}
public struct SegmentedPickerStyle: PickerStyle {}
extension PickerStyle where Self == SegmentedPickerStyle {
  public static var segmented: SegmentedPickerStyle { fatalError() }
}
public struct LabeledContent<Label, Content> {}
extension LabeledContent: View where Label: View, Content: View { public var body: Never { fatalError() } }
extension LabeledContent where Label == Text, Content == Text {
  public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) {}
  @_disfavoredOverload public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) {}
}
// https://developer.apple.com/documentation/swiftui/asyncimage
public struct AsyncImage<Content: View>: StubView {
  public init<I: View, P: View>(
    url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
    @ViewBuilder placeholder: @escaping () -> P
  ) where Content == _ConditionalContent<I, P> {}
}
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: StubView {}
extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  nonisolated public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {}
}
public struct SearchUnavailableContent {
  public struct Label: StubView {}
  public struct Description: StubView {}
  public struct Actions: StubView {}
}
extension ContentUnavailableView
where
  Label == SearchUnavailableContent.Label, Description == SearchUnavailableContent.Description,
  Actions == SearchUnavailableContent.Actions
{
  @MainActor @preconcurrency public static func search(text: String) -> Self { fatalError() }
}

// https://developer.apple.com/documentation/swiftui/shapestyle, /font
public protocol ShapeStyle: Sendable {}
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
  public static var quaternary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
  public static var regularMaterial: Material { Material() }
  @available(tvOS, unavailable)
  @available(watchOS, unavailable)
  public static var bar: Material { Material() }
}
public struct Font: Sendable {
  public static let title2 = Self()
  public static let headline = Self()
  public static let subheadline = Self()
  public static let footnote = Self()
  public static let caption = Self()
  public func bold() -> Font { self }
}

// https://developer.apple.com/documentation/swiftui/shape
nonisolated public protocol Shape: Sendable, View {}
extension Shape {
  @MainActor @preconcurrency public var body: Never { fatalError() }
  nonisolated public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> _ShapeView<Self, S> {
    _ShapeView()
  }
}
nonisolated public protocol InsettableShape: Shape {}
public struct _ShapeView<Content: Shape, Style: ShapeStyle>: StubView { nonisolated init() {} }
nonisolated public struct Rectangle: InsettableShape { public init() {} }
nonisolated public struct RoundedRectangle: InsettableShape {}
extension Shape where Self == Rectangle { nonisolated public static var rect: Rectangle { Rectangle() } }
extension Shape where Self == RoundedRectangle {
  nonisolated public static func rect(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) -> Self {
    RoundedRectangle()
  }
}
public enum RoundedCornerStyle: Sendable { case circular, continuous }
public struct FillStyle: Sendable { public init(eoFill: Bool = false, antialiased: Bool = true) {} }
