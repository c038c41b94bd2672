#if canImport(Security)
  import CryptoKit
  import Foundation
  import Security

  extension ServerTrust {
    /// Evaluates a server's certificate; returns `nil` to leave the evaluation to the system.
    ///
    /// It may use the network for intermediate certificates and revocations: don't call it on the
    /// main actor.
    func evaluation(
      of challenge: URLAuthenticationChallenge
    ) -> Result<URLCredential, Client.TransportFailure>? {
      let space = challenge.protectionSpace
      guard self != ServerTrust(),
        space.authenticationMethod == NSURLAuthenticationMethodServerTrust,
        let trust = space.serverTrust
      else { return nil }
      if let certificates = roots.certificates {
        let anchors = certificates.list.compactMap {
          SecCertificateCreateWithData(nil, $0 as CFData)
        }
        SecTrustSetAnchorCertificates(trust, anchors as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, roots.replaceSystemRoots)
      }
      var error: CFError?
      guard SecTrustEvaluateWithError(trust, &error) else {
        let reason = error.map { ": \($0.localizedDescription)" } ?? ""
        return .failure(.untrusted("the certificate is not accepted\(reason)"))
      }
      let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
      let certificate = chain?.first.map { SecCertificateCopyData($0) as Data }
      let rejection = rejection(of: certificate) { Data(SHA256.hash(data: $0)) }
      return rejection.map { .failure($0) } ?? .success(URLCredential(trust: trust))
    }
  }

  extension TransferMetrics {
    /// Creates the metrics of the last network exchange; `nil` if there was none.
    init?(_ metrics: URLSessionTaskMetrics) {
      guard
        let exchange = metrics.transactionMetrics.last(where: {
          $0.resourceFetchType == .networkLoad
        })
      else { return nil }
      var times = Times()
      times.nameLookup = (exchange.domainLookupStartDate, exchange.domainLookupEndDate)
      times.connect = (exchange.connectStartDate, exchange.connectEndDate)
      times.tls = (exchange.secureConnectionStartDate, exchange.secureConnectionEndDate)
      times.requestEnd = exchange.requestEndDate
      times.response = (exchange.responseStartDate, exchange.responseEndDate)
      self.init(
        networkProtocol: exchange.networkProtocolName,
        isConnectionReused: exchange.isReusedConnection, times)
    }
  }
#endif
