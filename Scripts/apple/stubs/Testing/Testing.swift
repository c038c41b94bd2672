// https://developer.apple.com/documentation/testing/issue
public struct Issue: Sendable {
  @discardableResult
  public static func record(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = SourceLocation()
  ) -> Issue { Issue() }
}
public struct Comment: Sendable, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {}
}
// https://developer.apple.com/documentation/testing/sourcelocation
public struct SourceLocation: Sendable {
  public init() {}
  public static func __here(file: String = #fileID) -> SourceLocation { SourceLocation() }
  public var fileID: String { "" }
  public var line: Int { 0 }
  public init(__uncheckedFileID: String, filePath: String, line: Int, column: Int) {}
}
// https://developer.apple.com/documentation/testing/test
public struct Test: Sendable { public static var current: Test? { nil } }
@freestanding(expression)
public macro _sourceLocation() -> SourceLocation =
  #externalMacro(module: "TestingMacros", type: "SourceLocationMacro")
// https://developer.apple.com/documentation/testing/withknownissue
public func withKnownIssue(
  isIntermittent: Bool = false, isolation: isolated (any Actor)? = #isolation,
  _ body: () async -> Void, matching matcher: @escaping (Issue) -> Bool
) async { await body() }
