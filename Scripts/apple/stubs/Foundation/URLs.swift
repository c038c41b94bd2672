// https://developer.apple.com/documentation/foundation/url
public struct URL: Sendable, Hashable, Codable, CustomStringConvertible {
  public init?(string: String) { nil }
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
  public init?(string: String, encodingInvalidCharacters: Bool) { nil }
  public init(fileURLWithPath path: String) {}
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public init(filePath path: String, directoryHint: DirectoryHint = .inferFromPath) {}
  public var absoluteString: String { "" }
  public var scheme: String? { nil }
  public var host: String? { nil }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public func host(percentEncoded: Bool = true) -> String? { nil }
  public var path: String { "" }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public func path(percentEncoded: Bool = true) -> String { "" }
  public func query(percentEncoded: Bool = true) -> String? { nil }
  public var pathComponents: [String] { [] }
  public var pathExtension: String { "" }
  public var lastPathComponent: String { "" }
  public var isFileURL: Bool { false }
  public var standardizedFileURL: URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  public func deletingPathExtension() -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func appendingPathExtension(_ pathExtension: String) -> URL { self }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public func appending<S: StringProtocol>(
    path: S, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { self }
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
    URLResourceValues()
  }
  public var description: String { "" }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public enum DirectoryHint: Sendable {
    case isDirectory, notDirectory, checkFileSystem, inferFromPath
  }
}

// https://developer.apple.com/documentation/foundation/urlresourcevalues
public struct URLResourceKey: Sendable, Hashable {
  public static let fileSizeKey = URLResourceKey()
  public static let isRegularFileKey = URLResourceKey()
}
public struct URLResourceValues {
  public var fileSize: Int? { nil }
  public var isRegularFile: Bool? { nil }
}

// https://developer.apple.com/documentation/foundation/urlcomponents
public struct URLComponents: Sendable, Hashable {
  public init() {}
  public init?(string: String) {}
  public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) {}
  @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
  public init?(string: String, encodingInvalidCharacters: Bool) {}
  public var scheme: String?
  public var host: String?
  public var port: Int?
  public var user: String?
  public var password: String?
  public var percentEncodedHost: String?
  public var percentEncodedPath = ""
  public var percentEncodedQuery: String?
  public var path = ""
  public var query: String?
  public var queryItems: [URLQueryItem]?
  public var fragment: String?
  public var rangeOfPort: Range<String.Index>? { nil }
  public var url: URL? { nil }
  public var string: String? { nil }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
  public var encodedHost: String? {
    get { nil }
    set {}
  }
}
public struct URLQueryItem: Sendable, Hashable {
  public var name: String
  public var value: String?
  public init(name: String, value: String?) { (self.name, self.value) = (name, value) }
}
