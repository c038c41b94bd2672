public import Dispatch

// https://developer.apple.com/documentation/network/nwpathmonitor
public final class NWPathMonitor: Sendable {
  public init() {}
  @preconcurrency
  public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { nil }
    set {}
  }
  public var currentPath: NWPath { NWPath() }
  public func start(queue: DispatchQueue) {}
  public func cancel() {}
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension NWPathMonitor: AsyncSequence {
  public typealias Element = NWPath
  public struct Iterator: AsyncIteratorProtocol {
    public mutating func next() async -> NWPath? { nil }
  }
  public func makeAsyncIterator() -> Iterator { Iterator() }
}

// https://developer.apple.com/documentation/network/nwpath
public struct NWPath: Sendable, Equatable {
  public var status: Status { .satisfied }
  public var isExpensive: Bool { false }
  public var isConstrained: Bool { false }
  public enum Status: Sendable {
    case satisfied, unsatisfied, requiresConnection
  }
}
