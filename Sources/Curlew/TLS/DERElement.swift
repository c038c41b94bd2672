import Foundation

/// An element of a certificate (X.690): a tag, a length and the content.
struct DERElement {
  private static let sequence: UInt8 = 0x30

  let tag: UInt8
  /// The element with its tag and length.
  let bytes: Data
  let content: Data

  /// Parses the first element of some bytes, and removes it; returns `nil` if the bytes are malformed.
  private init?(removingFirstOf data: inout Data) {
    var rest = data
    // Certificates have no tags of several bytes, and DER has no indefinite lengths.
    guard let tag = rest.popFirst(), tag & 0x1F != 0x1F, let first = rest.popFirst() else {
      return nil
    }
    var length = Int(first)
    if first >= 0x80 {
      guard 1...4 ~= first & 0x7F, rest.count >= first & 0x7F else { return nil }
      length = 0
      for _ in 0..<(first & 0x7F) { length = length << 8 | Int(rest.removeFirst()) }
    }
    guard rest.count >= length else { return nil }
    (self.tag, content) = (tag, rest.prefix(length))
    bytes = data.prefix(upTo: content.endIndex)
    data = rest.dropFirst(length)
  }

  /// The elements of the content; `nil` if it is malformed.
  private var elements: [DERElement]? {
    var (rest, elements) = (content, [DERElement]())
    while !rest.isEmpty {
      guard let element = DERElement(removingFirstOf: &rest) else { return nil }
      elements.append(element)
    }
    return elements
  }

  /// Returns the SubjectPublicKeyInfo of a certificate (RFC 5280 section 4.1), with a key of any kind;
  /// `nil` if the certificate is malformed.
  static func publicKey(ofCertificate certificate: Data) -> Data? {
    var rest = certificate
    guard let whole = DERElement(removingFirstOf: &rest), rest.isEmpty, whole.tag == sequence,
      let parts = whole.elements, parts.count == 3, parts[0].tag == sequence,
      var fields = parts[0].elements
    else { return nil }
    // The version, which is omitted for version 1.
    if fields.first?.tag == 0xA0 { fields.removeFirst() }
    // The serial number, signature algorithm, issuer, validity, subject and key.
    let tags: [UInt8] = [0x02, sequence, sequence, sequence, sequence, sequence]
    guard fields.prefix(tags.count).map(\.tag) == tags else { return nil }
    return Data(fields[5].bytes)
  }
}
