import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The credentials that a challenge gets, with those of the RFCs and of a program in Python.
@Suite(.timeLimit(.minutes(1)))
struct DigestVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let challenge: String
    var user = "Mufasa"
    var password = "Circle of Life"
    var clientNonce = Self.clientNonce
    var path = "/dir/index.html"
    var body: String?
    let expected: String

    static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    static let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    static let realm = "http-auth@example.org"
    static let usual = """
      username="Mufasa", realm="\(realm)", uri="/dir/index.html"
      """

    static func rfc7616(_ algorithm: String, _ response: String) -> Vector {
      Vector(
        testDescription: "RFC 7616 section 3.9.1, \(algorithm)",
        challenge: """
          Digest realm="\(realm)", qop="auth, auth-int", algorithm=\(algorithm), nonce="\(nonce)", \
          opaque="\(opaque)"
          """,
        expected: """
          Digest \(usual), algorithm=\(algorithm), nonce="\(nonce)", nc=00000001, \
          cnonce="\(clientNonce)", qop=auth, response="\(response)", opaque="\(opaque)"
          """)
    }
  }

  static let vectors: [Vector] = [
    .rfc7616("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    .rfc7616("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    .rfc7616("SHA-256-sess", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
    .rfc7616("md5-SESS", "e783283f46242139c486a698fec7211d"),
    Vector(
      testDescription: "RFC 7616 section 3.9.2, with SHA-256 (computed with Python)",
      challenge: """
        Digest realm="api@example.org", qop="auth", algorithm=SHA-256, \
        nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
        opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true
        """,
      user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?",
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", path: "/doe.json",
      expected: """
        Digest username="5a1a8a47df5c298551b9b42ba9b05835174a5bd7d511ff7fe9191d8e946fc4e7", \
        realm="api@example.org", uri="/doe.json", algorithm=SHA-256, \
        nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", nc=00000001, \
        cnonce="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", qop=auth, \
        response="b6d5cb9c3000ea2385250005e294d7132b260b8fd08940d2377373493cee8cc4", \
        opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", userhash=true
        """),
    Vector(
      testDescription: "RFC 2617 section 3.5",
      challenge: """
        Digest realm="testrealm@host.com", qop="auth,auth-int", \
        nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"
        """,
      password: "Circle Of Life", clientNonce: "0a4f113b",
      expected: """
        Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
        nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", nc=00000001, cnonce="0a4f113b", qop=auth, \
        response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"
        """),
    Vector(
      testDescription: "RFC 2069 section 2.4, with its erratum",
      challenge: """
        Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"
        """,
      password: "CircleOfLife",
      expected: """
        Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
        nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", response="1949323746fe6a43ef61f9606e7febea"
        """),
    Vector(
      testDescription: "the body is protected, too",
      challenge:
        #"Digest realm="\#(Vector.realm)",qop=auth-int,algorithm=SHA-256,nonce="\#(Vector.nonce)""#,
      body: "hello",
      expected: """
        Digest \(Vector.usual), algorithm=SHA-256, nonce="\(Vector.nonce)", nc=00000001, \
        cnonce="\(Vector.clientNonce)", qop=auth-int, \
        response="c98b95dbdb463c4483e324bced57d591946a6f84098142757b1333c52c47d62e"
        """),
    Vector(
      testDescription: "quotes and backslashes",
      challenge: #"DIGEST Realm = "r \"q\" \\s" , QOP="auth", algorithm="SHA-256", nonce="n\"1""#,
      user: #"a"b\c"#,
      expected: #"""
        Digest username="a\"b\\c", realm="r \"q\" \\s", uri="/dir/index.html", algorithm=SHA-256, \#
        nonce="n\"1", nc=00000001, cnonce="\#(Vector.clientNonce)", qop=auth, \#
        response="323464dc1495637941530dd021690f79e5ac69e9a33399516ff2eac811051851"
        """#),
    Vector(
      testDescription: "a name in UTF-8, normalized (RFC 8187)",
      challenge: """
        Digest realm="\(Vector.realm)", qop="auth", algorithm=SHA-256, nonce="\(Vector.nonce)", \
        charset=UTF-8
        """,
      user: "Ja\u{308}s\u{F8}n",
      expected: """
        Digest username*=UTF-8''J%C3%A4s%C3%B8n, realm="\(Vector.realm)", uri="/dir/index.html", \
        algorithm=SHA-256, nonce="\(Vector.nonce)", nc=00000001, cnonce="\(Vector.clientNonce)", \
        qop=auth, response="0362c9a02695a59abd0d031c43c8c9496c69848f102eaa949a4784df15d776fa"
        """),
  ]

  @Test(arguments: vectors)
  func `credentials are those of the RF cs`(vector: Vector) async throws {
    let stub = StubTransport()
    let client = Client.stubbed(by: stub) {
      $0.middleware = [
        .digestAuthentication(user: vector.user, password: vector.password) {
          vector.clientNonce
        }
      ]
    }
    let method: HTTPRequest.Method = vector.body == nil ? .get : .post
    stub.stub(
      method, "/**", with: .status(.unauthorized, [.wwwAuthenticate: vector.challenge]),
      .status(.ok))
    let body = vector.body.map { RequestBody.data(Data($0.utf8)) } ?? .none
    try await client.send(
      Request<Void>(method, "\(raw: vector.path)", body: body, decoding: .discarded))
    #expect(stub.requests.map { $0.head.headerFields[.authorization] } == [nil, vector.expected])
  }
}
