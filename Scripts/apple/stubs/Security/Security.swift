public import Foundation

// https://developer.apple.com/documentation/corefoundation. Core Foundation's types are stubbed by the Swift types that they
// are cast to and from, because there are no such casts without the runtime of Objective-C.
public typealias CFData = Data
public typealias CFArray = [Any]
public typealias CFError = NSError
public typealias CFAllocator = Never
public typealias OSStatus = Int32

// https://developer.apple.com/documentation/security/certificates
public final class SecCertificate {}
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data() }

// https://developer.apple.com/documentation/security/trust
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus { 0 }
public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }
