import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Texts in the charset of their `Content-Type` (RFC 9110 section 8.3.2).
@Suite(.timeLimit(.minutes(1)))
struct CharsetTests {
  private var (stub, client) = stubAndClient()

  private func text(_ bytes: Data, _ type: String) async -> Result<String, Client.Error> {
    stub.stub(.get, "/x", with: .data(bytes, contentType: type))
    return await client.result(of: Request<String>.get("/x"))
  }

  /// The names are labels of WHATWG Encoding section 4.2, the bytes what Python's codecs write.
  ///
  /// Reports: Alamofire/Alamofire#359, #435 and #1756, AFNetworking/AFNetworking#3677, restsharp/RestSharp#1343,
  /// projectdiscovery/utils#743. The last rows have byte order marks, which take precedence, and an unknown charset.
  /// Foundation on Linux can't convert EUC-JP.
  @Test(arguments: [
    ("windows-1251", "Привет", "z/Do4uXy"),
    ("cp1251", "Привет", "z/Do4uXy"),
    ("WINDOWS-1251", "Привет", "z/Do4uXy"),
    ("windows-1252", "“café” €", "k2NhZumUIIA="),
    ("x-cp1250", "žluť", "nmx1nQ=="),
    ("windows-1253", "αβγ", "4eLj"),
    ("windows-1254", "ığş", "/fD+"),
    ("windows-1255", "שלום", "+ezl7Q=="),
    ("windows-1256", "سلام", "0+HH4w=="),
    ("windows-1257", "ąčę", "4Ojm"),
    ("windows-1258", "ăđơ", "4/D1"),
    ("windows-874", "สวัสดี", "ysfRyrTV"),
    ("gb2312", "你好", "xOO6ww=="),
    ("GBK", "你好", "xOO6ww=="),
    ("gb18030", "你好 𠀀", "xOO6wyCVMoI2"),
    ("Big5", "你好", "p0Gmbg=="),
    ("Shift_JIS", "日本語", "k/qWe4zq"),
    ("x-sjis", "日本語 ①", "k/qWe4zqIIdA"),
    ("ISO-2022-JP", "日本語", "GyRCRnxLXDhsGyhC"),
    ("euc-kr", "안녕", "vsiz5w=="),
    ("ks_c_5601-1987", "안녕", "vsiz5w=="),
    ("us-ascii", "hello", "aGVsbG8="),
    ("utf8", "héllo", "aMOpbGxv"),
    ("UTF-8", "héllo", "aMOpbGxv"),
    ("\"utf-8\"", "héllo", "aMOpbGxv"),
    ("'utf-8'", "héllo", "aMOpbGxv"),
    ("iso-8859-1", "héllo", "aOlsbG8="),
    ("ISO8859-1", "héllo", "aOlsbG8="),
    ("iso_8859-1", "héllo", "aOlsbG8="),
    ("latin1", "héllo", "aOlsbG8="),
    ("iso-8859-2", "žluť", "vmx1uw=="),
    ("iso-8859-3", "ĉĝĥ", "5vi2"),
    ("iso-8859-4", "āčē", "4Oi6"),
    ("iso-8859-5", "Привет", "v+DY0tXi"),
    ("iso-8859-6", "سلام", "0+TH5Q=="),
    ("iso-8859-7", "αβγ", "4eLj"),
    ("iso-8859-8", "שלום", "+ezl7Q=="),
    ("iso-8859-9", "ığş", "/fD+"),
    ("iso-8859-10", "āčđ", "4Oi5"),
    ("iso-8859-13", "ąčę", "4Ojm"),
    ("iso-8859-14", "ŵŷ", "8P4="),
    ("ISO-8859-15", "10 €", "MTAgpA=="),
    ("iso-8859-16", "ăș", "47o="),
    ("koi8-r", "Привет", "8NLJ18XU"),
    ("koi8-u", "Привіт", "8NLJ16bU"),
    ("utf-16", "héllo", "//5oAOkAbABsAG8A"),
    ("utf-16le", "héllo", "aADpAGwAbABvAA=="),
    ("utf-16be", "héllo", "AGgA6QBsAGwAbw=="),
    ("utf-32", "héllo", "//4AAGgAAADpAAAAbAAAAGwAAABvAAAA"),
    ("utf-8", "héllo", "77u/aMOpbGxv"),
    ("windows-1251", "héllo", "77u/aMOpbGxv"),
    ("utf-8", "héllo", "//5oAOkAbABsAG8A"),
    ("utf-16be", "héllo", "//5oAOkAbABsAG8A"),
    ("unknown", "héllo", "aMOpbGxv"),
  ])
  func `a text is read in its charset`(charset: String, text: String, base64: String) async throws {
    let bytes = try #require(Data(base64Encoded: base64))
    #expect(try await self.text(bytes, "text/plain; charset=\(charset)").get() == text)
  }

  @Test(
    arguments: [
      ("utf-8", [0x67, 0xFC]), ("us-ascii", [0xE9]), ("utf-16", [0xFF, 0xFE, 0x68]),
      ("utf-32", [0x68]),
      ("windows-1251", [0xEF, 0xBB, 0xBF, 0xFF]), ("iso-8859-12", [0xFF]), ("iso-8859-99", [0xFF]),
      ("", [0xFF]), ("unknown", [0xFF]), ("cp", [0xFF]), ("utf-7", [0xFF]),
    ] as [(String, [UInt8])])
  func `bytes of another charset are a decoding error`(charset: String, bytes: [UInt8]) async {
    let error = await text(Data(bytes), "text/plain; charset=\(charset)").failure
    #expect(error?.decodingFailure?.reason.hasPrefix("The body is not ") == true)
  }

  @Test func `any bytes in any charset are a text or an error`() async {
    let names = [
      "gbk", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "big5", "utf-16", "utf-32", "koi8-u",
    ]
    var generator = SeededGenerator(seed: Fuzz.seed())
    for _ in 0..<Fuzz.runs(2_000) {
      let bytes = (0..<generator.pick(0...12)).map { _ in UInt8(generator.pick(0...255)) }
      _ = await text(Data(bytes), "text/plain; charset=\(generator.pick(names))")
    }
    let long = "text/plain; charset=\(String(repeating: "é8", count: 10_000))"
    #expect(await text(Data("a".utf8), long).failure == nil)
  }
}
