@_exported public import Darwin
@_exported public import Dispatch

// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
open class NSObject: Hashable, CustomStringConvertible {
  public init() {}
  open func copy() -> Any { self }
  public static func == (lhs: NSObject, rhs: NSObject) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) {}
  open var description: String { "" }
}

// https://developer.apple.com/documentation/corefoundation. Its types are stubbed by the Swift types that they bridge
// to, because bridging casts need the Objective-C runtime.
public typealias CFData = Data
public typealias CFArray = [Any]
public typealias CFDictionary = [String: Any]
public typealias CFString = String
public typealias CFTypeRef = Any
public typealias CFError = NSError
public typealias CFAllocator = Never

// https://developer.apple.com/documentation/corefoundation/cgfloat and coregraphics/cgimage. CGFloat converts to and
// from Double implicitly.
public typealias CGFloat = Double
public final class CGImage: Sendable {}

// https://developer.apple.com/documentation/foundation/nserror
open class NSError: NSObject, @unchecked Sendable, Error {
  public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil) {}
  open var domain: String { "" }
  open var code: Int { 0 }
  open var userInfo: [String: Any] { [:] }
  open var localizedDescription: String { "" }
}
public let NSPOSIXErrorDomain = ""
public let NSUnderlyingErrorKey = ""
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}
extension Error {
  public var localizedDescription: String { "" }
}

// https://developer.apple.com/documentation/foundation/cocoaerror
public struct CocoaError: Error, Sendable, Hashable {
  public let errorCode: Int
  public var code: Code { Code(rawValue: errorCode) }
  public var underlying: (any Error)? { nil }
  public var userInfo: [String: Any] { [:] }
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
  }
}
extension CocoaError {
  public static var fileReadNoSuchFile: CocoaError.Code { .fileReadNoSuchFile }
  public static var fileReadNoPermission: CocoaError.Code { .fileReadNoPermission }
}
// The implementation of `_ErrorCodeProtocol`.
public func ~= (match: CocoaError.Code, error: any Error) -> Bool { false }
extension CocoaError.Code {
  public static var fileNoSuchFile: CocoaError.Code { CocoaError.Code(rawValue: 4) }
  public static var fileReadNoSuchFile: CocoaError.Code { CocoaError.Code(rawValue: 260) }
  public static var fileReadNoPermission: CocoaError.Code { CocoaError.Code(rawValue: 257) }
  public static var fileReadInvalidFileName: CocoaError.Code { CocoaError.Code(rawValue: 258) }
  public static var fileReadTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 263) }
  public static var fileWriteNoPermission: CocoaError.Code { CocoaError.Code(rawValue: 513) }
  public static var fileWriteInvalidFileName: CocoaError.Code { CocoaError.Code(rawValue: 514) }
  public static var fileWriteFileExists: CocoaError.Code { CocoaError.Code(rawValue: 516) }
  public static var fileWriteOutOfSpace: CocoaError.Code { CocoaError.Code(rawValue: 640) }
  public static var fileWriteVolumeReadOnly: CocoaError.Code { CocoaError.Code(rawValue: 642) }
}
// https://developer.apple.com/documentation/foundation/posixerror
public struct POSIXError: Error, Sendable, Hashable {
  public init(_ code: POSIXErrorCode, userInfo: [String: Any] = [:]) { self.code = code }
  public let code: POSIXErrorCode
  public typealias Code = POSIXErrorCode
}
public enum POSIXErrorCode: Int32, Sendable {
  case EPERM = 1
  case ENOENT = 2
  case EIO = 5
  case EACCES = 13
  case EEXIST = 17
  case ENOTDIR = 20
  case EISDIR = 21
  case EFBIG = 27
  case ENOSPC = 28
  case EROFS = 30
  case ENETDOWN = 50
  case ENETUNREACH = 51
  case ECONNABORTED = 53
  case ECONNRESET = 54
  case ENOTCONN = 57
  case ETIMEDOUT = 60
  case ECONNREFUSED = 61
  case ENAMETOOLONG = 63
  case EHOSTDOWN = 64
  case EHOSTUNREACH = 65
  case EDQUOT = 69
  case EPIPE = 32
}

// https://developer.apple.com/documentation/foundation/nsnumber
open class NSNumber: NSObject, @unchecked Sendable {
  open var objCType: UnsafePointer<CChar> { fatalError() }
  open var boolValue: Bool { false }
  open var doubleValue: Double { 0 }
  open var int64Value: Int64 { 0 }
  open var stringValue: String { "" }
}

// https://developer.apple.com/documentation/foundation/operationqueue
open class OperationQueue: NSObject, @unchecked Sendable { public class var main: OperationQueue { fatalError() } }

// https://developer.apple.com/documentation/foundation/processinfo
open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { ProcessInfo() }
  open var environment: [String: String] { [:] }
  open var systemUptime: TimeInterval { 0 }
}

// https://developer.apple.com/documentation/foundation/bundle
open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { Bundle() }
  open var preferredLocalizations: [String] { [] }
  open func object(forInfoDictionaryKey key: String) -> Any? { nil }
}

// https://developer.apple.com/documentation/foundation/filemanager
open class FileManager: NSObject, @unchecked Sendable {
  open class var `default`: FileManager { FileManager() }
  public enum SearchPathDirectory: UInt, Sendable { case applicationSupportDirectory = 14 }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = Self(rawValue: 1)
  }
  open func urls(for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask) -> [URL] { [] }
  open var temporaryDirectory: URL { URL(filePath: "") }
  open func fileExists(atPath path: String) -> Bool { false }
  open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool {
    false
  }
  open func createFile(
    atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil
  ) -> Bool { false }
  open func createDirectory(
    at url: URL, withIntermediateDirectories createIntermediates: Bool,
    attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  open func removeItem(at URL: URL) throws {}
  open func removeItem(atPath path: String) throws {}
  open func destinationOfSymbolicLink(atPath path: String) throws -> String { "" }
  open func moveItem(at srcURL: URL, to dstURL: URL) throws {}
  open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws
  {}
  open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
}
public struct ObjCBool: Sendable, ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) {}
  public var boolValue: Bool { false }
}
public struct FileAttributeKey: Sendable, Hashable {
  public static let size = FileAttributeKey()
  public static let type = FileAttributeKey()
  public static let posixPermissions = FileAttributeKey()
}
public struct FileAttributeType: Sendable, Hashable {
  public static let typeRegular = FileAttributeType()
  public static let typeDirectory = FileAttributeType()
}

// https://developer.apple.com/documentation/foundation/filehandle
open class FileHandle: NSObject, @unchecked Sendable {
  public init(fileDescriptor fd: Int32, closeOnDealloc closeopt: Bool) {}
  public convenience init(forReadingFrom url: URL) throws {
    self.init(fileDescriptor: 0, closeOnDealloc: true)
  }
  public convenience init(forWritingTo url: URL) throws {
    self.init(fileDescriptor: 0, closeOnDealloc: true)
  }
  open class var standardError: FileHandle { FileHandle(fileDescriptor: 2, closeOnDealloc: false) }
  open var fileDescriptor: Int32 { 0 }
  public func read(upToCount count: Int) throws -> Data? { nil }
  public func readToEnd() throws -> Data? { nil }
  public func write<T: Sequence>(contentsOf data: T) throws where T.Element == UInt8 {}
  open func write(_ data: Data) {}
  open func offset() throws -> UInt64 { 0 }
  open func seekToEnd() throws -> UInt64 { 0 }
  open func seek(toOffset offset: UInt64) throws {}
  open func truncate(atOffset offset: UInt64) throws {}
  open func synchronize() throws {}
  open func close() throws {}
}
// The implementation of `error as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { NSError(domain: "", code: 0) }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { error! }

// https://developer.apple.com/documentation/foundation/userdefaults
open class UserDefaults: NSObject, @unchecked Sendable {
  public class var standard: UserDefaults { fatalError() }
  open func bool(forKey defaultName: String) -> Bool { false }
}

// https://developer.apple.com/documentation/foundation/notificationcenter
public protocol NSObjectProtocol: AnyObject {}
extension NSObject: NSObjectProtocol {}
open class NSNotification: NSObject {
  public struct Name: Hashable, Sendable {}
}
public struct Notification { public typealias Name = NSNotification.Name }
@available(*, unavailable)
extension Notification: Sendable {}
open class NotificationCenter: NSObject, @unchecked Sendable {
  public class var `default`: NotificationCenter { fatalError() }
  open func addObserver(
    forName name: NSNotification.Name?, object obj: Any?, queue: OperationQueue?,
    using block: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol { fatalError() }
  open func removeObserver(_ observer: Any) {}
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher { fatalError() }
  // https://developer.apple.com/documentation/foundation/notificationcenter/publisher
  public struct Publisher {}
}

// https://developer.apple.com/documentation/foundation/thread
open class Thread: NSObject, @unchecked Sendable {
  @preconcurrency
  open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
}
