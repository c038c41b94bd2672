import Foundation
import HTTPTypes

/// The parts of a HAR 1.2 file that are replayed.
struct HARFile: Decodable {
  let log: Log

  struct Log: Decodable {
    let version: String?
    let entries: [Entry]

    enum CodingKeys: CodingKey { case version, entries }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      // Some tools write a number.
      version =
        (try? fields.decodeIfPresent(String.self, forKey: .version))
        ?? (try? fields.decodeIfPresent(Double.self, forKey: .version)).map { "\($0)" }
      entries = try fields.decode([Entry].self, forKey: .entries)
    }
  }

  struct Entry: Decodable {
    let request: Request
    let response: Response
  }

  struct Request: Decodable {
    let method: String
    let url: String
    let headers: [Header]?
    let postData: PostData?
  }

  struct Response: Decodable {
    let status: Int
    let headers: [Header]?
    let content: Content?
    let redirectURL: String?
  }

  struct Header: Decodable {
    let name: String?
    let value: String?
  }

  struct PostData: Decodable {
    let text: String?
    let params: [Header]?
  }

  struct Content: Decodable {
    let mimeType: String?
    let text: String?
    let encoding: String?
  }
}

extension HARFile.Entry {
  /// The reason why an entry with valid JSON is malformed.
  struct Malformed: Error {
    let reason: String
  }

  /// The exchange; `nil` where there is nothing to replay.
  func exchange() throws(Malformed) -> HAR.Entry? {
    guard let method = HTTPRequest.Method(rawValue: request.method) else {
      throw Malformed(reason: "its request.method \"\(request.method)\" is not a method")
    }
    guard let colon = request.url.firstIndex(of: ":"), colon != request.url.startIndex else {
      let url = request.url
      throw Malformed(
        reason: url.isEmpty ? "its request.url is empty" : "its request.url \"\(url)\" is not a URL"
      )
    }
    // Browsers also save data:, blob: and extensions' URLs, and status 0 for requests without a response.
    guard ["http", "https"].contains(request.url[..<colon].lowercased()), response.status > 0
    else { return nil }
    return HAR.Entry(
      method, request.url, headerFields: HTTPFields(request.headers), body: request.postData?.body,
      response: try response.sample())
  }
}

extension HARFile.Response {
  fileprivate func sample() throws(HARFile.Entry.Malformed) -> Sample {
    guard 100...599 ~= status else {
      throw .init(reason: "its response.status \(status) is not an HTTP status")
    }
    var fields = HTTPFields(headers)
    if 300...399 ~= status, fields[.location] == nil, let redirectURL, !redirectURL.isEmpty {
      fields[.location] = redirectURL
    }
    return Sample(
      status: HTTPResponse.Status(code: status), headerFields: fields,
      body: try content?.body() ?? Data())
  }
}

extension HARFile.Content {
  fileprivate func body() throws(HARFile.Entry.Malformed) -> Data {
    guard let text else { return Data() }
    switch encoding?.lowercased() ?? "" {
    case "", "utf-8", "utf8":
      return Data(text.utf8)
    case "base64":
      let digits = text.filter { !$0.isWhitespace }
      guard let data = Data(base64Encoded: digits) else {
        throw .init(reason: "its response.content.text is not base64, as its encoding says")
      }
      return data
    case let other:
      throw .init(reason: "its response.content.encoding \"\(other)\" is not known, only base64 is")
    }
  }
}

extension HARFile.PostData {
  /// The bytes; encoded from the form's fields if there is no text.
  fileprivate var body: Data? {
    if let text, !text.isEmpty { return Data(text.utf8) }
    guard let params, !params.isEmpty else { return nil }
    let items = params.map { Query.Item($0.name ?? "", $0.value ?? "") }
    return Data(Query(items).encoded.replacing("%20", with: "+").utf8)
  }
}

extension HTTPFields {
  /// Creates fields from recorded ones, without HTTP/2's pseudo-header fields.
  fileprivate init(_ headers: [HARFile.Header]?) {
    self.init()
    for header in headers ?? [] {
      guard let name = header.name.flatMap({ HTTPField.Name($0) }) else { continue }
      // Firefox joins the lines of repeated fields.
      for value in (header.value ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
        append(HTTPField(name: name, value: value.trimmingCharacters(in: .whitespaces)))
      }
    }
  }
}
