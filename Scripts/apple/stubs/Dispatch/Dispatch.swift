// https://developer.apple.com/documentation/dispatch
open class DispatchQueue: @unchecked Sendable {
  public init(label: String) {}
  public class func global() -> DispatchQueue { DispatchQueue(label: "") }
  public class var main: DispatchQueue { DispatchQueue(label: "") }
  @preconcurrency
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}
