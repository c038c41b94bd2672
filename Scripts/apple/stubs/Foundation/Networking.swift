// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Sendable, Hashable {
  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy,
    timeoutInterval: TimeInterval = 60
  ) {}
  public var url: URL?
  public var httpMethod: String?
  public var httpBody: Data?
  public var httpShouldHandleCookies = true
  public var timeoutInterval: TimeInterval {
    get { 0 }
    set {}
  }
  public var allHTTPHeaderFields: [String: String]?
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
  public func value(forHTTPHeaderField field: String) -> String? { nil }
  public typealias CachePolicy = NSURLRequest.CachePolicy
}
open class NSURLRequest: NSObject {
  public enum CachePolicy: UInt, Sendable {
    case useProtocolCachePolicy = 0
    case reloadIgnoringLocalCacheData = 1
    case reloadRevalidatingCacheData = 5
  }
}

// https://developer.apple.com/documentation/foundation/urlresponse
open class URLResponse: NSObject, @unchecked Sendable {
  open var expectedContentLength: Int64 { 0 }
  open var url: URL? { nil }
}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  open var statusCode: Int { 0 }
  open var allHeaderFields: [AnyHashable: Any] { [:] }
  open func value(forHTTPHeaderField field: String) -> String? { nil }
  open class func localizedString(forStatusCode statusCode: Int) -> String { "" }
}

// https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
  public init(configuration: URLSessionConfiguration) {}
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {}
  open class var shared: URLSession { fatalError() }
  open var configuration: URLSessionConfiguration { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *) @concurrent
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
  open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    fatalError()
  }
  open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    fatalError()
  }
  open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    fatalError()
  }
  open func finishTasksAndInvalidate() {}
  open func invalidateAndCancel() {}
  public enum AuthChallengeDisposition: Int, Sendable {
    case useCredential = 0
    case performDefaultHandling = 1
    case cancelAuthenticationChallenge = 2
    case rejectProtectionSpace = 3
  }
  public enum ResponseDisposition: Int, Sendable {
    case cancel = 0
    case allow = 1
    case becomeDownload = 2
    case becomeStream = 3
  }
}

// https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
  open var taskIdentifier: Int { 0 }
  open var originalRequest: URLRequest? { nil }
  open var currentRequest: URLRequest? { nil }
  open var response: URLResponse? { nil }
  open func resume() {}
  open func suspend() {}
  open func cancel() {}
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class var `default`: URLSessionConfiguration { fatalError() }
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var httpCookieStorage: HTTPCookieStorage?
  open var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.always
  open var httpShouldSetCookies = true
  open var urlCache: URLCache?
  open var requestCachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
  open var urlCredentialStorage: URLCredentialStorage?
  open var timeoutIntervalForRequest: TimeInterval = 60
  open var timeoutIntervalForResource: TimeInterval = 0
  open var httpMaximumConnectionsPerHost = 6
  open var connectionProxyDictionary: [AnyHashable: Any]?
}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class HTTPCookie: NSObject, @unchecked Sendable {
  public enum AcceptPolicy: UInt, Sendable {
    case always = 0
    case never = 1
    case onlyFromMainDocumentDomain = 2
  }
}
open class URLCache: NSObject, @unchecked Sendable {}
open class URLCredentialStorage: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {
  public enum Persistence: UInt, Sendable {
    case none = 0
    case forSession = 1
    case permanent = 2
    case synchronizable = 3
  }
  public init(trust: SecTrust) {}
  public init(user: String, password: String, persistence: URLCredential.Persistence) {}
}
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  open var previousFailureCount: Int { 0 }
  open var protectionSpace: URLProtectionSpace { fatalError() }
}
open class URLProtectionSpace: NSObject, @unchecked Sendable {
  open var authenticationMethod: String { "" }
  open func isProxy() -> Bool { false }
  open var serverTrust: SecTrust? { nil }
}
public let NSURLAuthenticationMethodServerTrust = ""
// From the Security framework.
public final class SecTrust {}

// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
  open var transactionMetrics: [URLSessionTaskTransactionMetrics] { [] }
  public enum ResourceFetchType: Int, Sendable {
    case unknown = 0
    case networkLoad = 1
    case serverPush = 2
    case localCache = 3
  }
}
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
  open var networkProtocolName: String? { nil }
  open var isReusedConnection: Bool { false }
  open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { .unknown }
  open var domainLookupStartDate: Date? { nil }
  open var domainLookupEndDate: Date? { nil }
  open var connectStartDate: Date? { nil }
  open var connectEndDate: Date? { nil }
  open var secureConnectionStartDate: Date? { nil }
  open var secureConnectionEndDate: Date? { nil }
  open var requestEndDate: Date? { nil }
  open var responseStartDate: Date? { nil }
  open var responseEndDate: Date? { nil }
}

// https://developer.apple.com/documentation/foundation/stream
open class Stream: NSObject {
  open class func getBoundStreams(
    withBufferSize bufferSize: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
    outputStream: UnsafeMutablePointer<OutputStream?>?
  ) {}
  open func open() {}
  open func close() {}
}
open class InputStream: Stream {}
open class OutputStream: Stream {
  open func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int { 0 }
}

// https://developer.apple.com/documentation/foundation/urlsessiondelegate and the protocols that refine it
public protocol URLSessionDelegate: NSObject, Sendable {}
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didFinishCollecting metrics: URLSessionTaskMetrics)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

// https://developer.apple.com/documentation/foundation/urlerror
public struct URLError: Error, Sendable, Hashable {
  public init(_ code: Code, userInfo: [String: Any] = [:]) { self.code = code }
  public let code: Code
  public var localizedDescription: String { "" }
  public var userInfo: [String: Any] { [:] }
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
  }
}
extension URLError.Code {
  public static var badURL: URLError.Code { URLError.Code(rawValue: -1000) }
  public static var timedOut: URLError.Code { URLError.Code(rawValue: -1001) }
  public static var unsupportedURL: URLError.Code { URLError.Code(rawValue: -1002) }
  public static var cannotFindHost: URLError.Code { URLError.Code(rawValue: -1003) }
  public static var cannotConnectToHost: URLError.Code { URLError.Code(rawValue: -1004) }
  public static var networkConnectionLost: URLError.Code { URLError.Code(rawValue: -1005) }
  public static var dnsLookupFailed: URLError.Code { URLError.Code(rawValue: -1006) }
  public static var notConnectedToInternet: URLError.Code { URLError.Code(rawValue: -1009) }
  public static var badServerResponse: URLError.Code { URLError.Code(rawValue: -1011) }
  public static var zeroByteResource: URLError.Code { URLError.Code(rawValue: -1014) }
  public static var cannotDecodeRawData: URLError.Code { URLError.Code(rawValue: -1015) }
  public static var cannotDecodeContentData: URLError.Code { URLError.Code(rawValue: -1016) }
  public static var cannotParseResponse: URLError.Code { URLError.Code(rawValue: -1017) }
  public static var internationalRoamingOff: URLError.Code { URLError.Code(rawValue: -1018) }
  public static var callIsActive: URLError.Code { URLError.Code(rawValue: -1019) }
  public static var dataNotAllowed: URLError.Code { URLError.Code(rawValue: -1020) }
  public static var appTransportSecurityRequiresSecureConnection: URLError.Code {
    URLError.Code(rawValue: -1022)
  }
  public static var secureConnectionFailed: URLError.Code { URLError.Code(rawValue: -1200) }
  public static var serverCertificateHasBadDate: URLError.Code { URLError.Code(rawValue: -1201) }
  public static var serverCertificateUntrusted: URLError.Code { URLError.Code(rawValue: -1202) }
  public static var serverCertificateHasUnknownRoot: URLError.Code {
    URLError.Code(rawValue: -1203)
  }
  public static var serverCertificateNotYetValid: URLError.Code { URLError.Code(rawValue: -1204) }
  public static var clientCertificateRejected: URLError.Code { URLError.Code(rawValue: -1205) }
  public static var clientCertificateRequired: URLError.Code { URLError.Code(rawValue: -1206) }
  public static var unknown: URLError.Code { URLError.Code(rawValue: -1) }
}
