import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session with its delegate; invalidates the session when it is released.
final class URLSessionConnection: Sendable {
  /// One week, in seconds: `URLSession` has no value for no timeout.
  static let noTimeout: TimeInterval = 7 * 24 * 60 * 60

  private let configuration: URLSessionConfiguration
  private let trust: ServerTrust
  private let session: URLSession
  /// The maximum number of concurrent requests to a host.
  ///
  /// On Apple's systems, the requests share fewer connections (HTTP/2).
  var requestsPerHost: Int { max(configuration.httpMaximumConnectionsPerHost, 64) }
  private let delegate: Delegate

  /// - Parameter proxy: The proxy whose challenges are answered, on Apple's systems; `nil` for none.
  init(
    _ original: URLSessionConfiguration, _ trust: ServerTrust, through proxy: ProxyServer? = nil
  ) {
    (self.trust, delegate) = (trust, Delegate(trust, proxy))
    let configuration = original.copy() as? URLSessionConfiguration ?? .ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    configuration.timeoutIntervalForRequest = Self.noTimeout
    configuration.timeoutIntervalForResource = Self.noTimeout
    #if canImport(FoundationNetworking)
      // Without HTTP/2, six connections are too few for servers. Apple's default suits its devices with HTTP/2 and
      // HTTP/3.
      configuration.httpMaximumConnectionsPerHost = max(
        configuration.httpMaximumConnectionsPerHost, 64)
      let queue: OperationQueue? = ImmediateQueue()
    #else
      let queue: OperationQueue? = nil
    #endif
    self.configuration = configuration
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  #if canImport(FoundationNetworking)
    /// Returns a new session with the same configuration, which shares no connection with this session.
    func successor() -> URLSessionConnection { URLSessionConnection(configuration, trust) }
  #else
    /// Returns a new session with the same configuration, except for its proxy; `nil` for none.
    func successor(through proxy: ProxyServer?) -> URLSessionConnection {
      let changed = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
      changed.setProxy(proxy)
      return URLSessionConnection(changed, trust, through: proxy)
    }
  #endif

  deinit {
    // A session retains its delegate until it is invalidated.
    session.finishTasksAndInvalidate()
  }

  /// Sends a request and returns when the head of the response has arrived.
  ///
  /// - Parameters:
  ///   - slot: The slot to hold until the transfer ends.
  ///   - proxy: The proxy that the session uses, if it is known.
  func send(
    _ request: OutgoingRequest, upTo limit: Int, _ slot: RequestQueue.Slot,
    through proxy: ProxyServer?
  ) async throws -> IncomingResponse {
    if request.head.scheme != "https", let rejection = trust.rejectionOfPlainHTTP {
      throw rejection
    }
    var upload: URLSessionUpload?
    if let body = request.body, body.data == nil || body.isObserved {
      upload = try await URLSessionUpload(body)
    }
    let urlRequest = try URLRequest(request)
    let task = upload?.task(for: urlRequest, in: session) ?? session.dataTask(with: urlRequest)
    #if canImport(FoundationNetworking)
      let hasTunnel = proxy != nil && request.head.scheme == "https"
    #else
      let hasTunnel = false
    #endif
    let transfer = URLSessionTransfer(task, of: session, limit: limit, slot, hasTunnel: hasTunnel)
    upload?.onEnd(
      failed: { [weak transfer] in transfer?.end($0) },
      sent: {
        request.setSending(false)
        request.startLimit(.firstByte)
      })
    delegate.add(transfer, request, upload)
    request.stopOnTimeout(transfer)
    // `URLSession` does not report when it is connected.
    request.setSending(upload != nil)
    request.startLimit(upload == nil ? .firstByte : .idle)
    return try await transfer.head()
  }

  /// Forwards a session's callbacks to their transfers.
  private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Entry: Sendable {
      let transfer: URLSessionTransfer
      let request: OutgoingRequest
      let upload: URLSessionUpload?
    }

    private let trust: ServerTrust
    private let proxy: ProxyServer?
    private let transfers = Mutex<[Int: Entry]>([:])

    init(_ trust: ServerTrust, _ proxy: ProxyServer?) { (self.trust, self.proxy) = (trust, proxy) }

    func add(
      _ transfer: URLSessionTransfer, _ request: OutgoingRequest, _ upload: URLSessionUpload?
    ) {
      let entry = Entry(transfer: transfer, request: request, upload: upload)
      transfers.withLock { $0[transfer.task.taskIdentifier] = entry }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      guard let entry = entry(of: task), let upload = entry.upload, task.response == nil
      else { return }
      let isSent = upload.sent(Int(bytesSent))
      entry.request.setSending(!isSent)
      entry.request.startLimit(isSent ? .firstByte : .idle)
    }

    private func entry(of task: URLSessionTask) -> Entry? {
      transfers.withLock { $0[task.taskIdentifier] }
    }

    private func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
      entry(of: task)?.transfer
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      #if canImport(FoundationNetworking)
        // On Linux the challenge comes after the 401 and its body, whose end would never be reported;
        // elsewhere it comes before them. The completion handler can't be called: it would wait for its
        // own thread.
        transfer(of: task)?.end(nil)
      #else
        if let credential = proxy?.credential(for: challenge) {
          return completionHandler(.useCredential, credential)
        }
        switch trust.evaluation(of: challenge) {
        case nil: completionHandler(.performDefaultHandling, nil)
        case .success(let credential): completionHandler(.useCredential, credential)
        case .failure(let rejection):
          // Before the cancellation, because the session's error would hide the reason.
          transfer(of: task)?.end(rejection)
          completionHandler(.cancelAuthenticationChallenge, nil)
        }
      #endif
    }

    #if !canImport(FoundationNetworking)
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
      ) {
        guard let upload = entry(of: task)?.upload, let stream = URLSessionStream(),
          upload.start(into: stream)
        else { return completionHandler(nil) }
        completionHandler(stream.input)
      }

      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
      ) {
        guard let entry = entry(of: task), let metrics = TransferMetrics(metrics) else { return }
        entry.request.report(metrics)
      }
    #endif

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      transfer(of: dataTask)?.receive(response)
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfer(of: dataTask)?.receive(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let entry = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      entry?.upload?.stop()
      entry?.transfer.complete(error)
    }
  }
}
