import Curlew
import Foundation
import HTTPTypes

/// The decoded parts of a HAR 1.2 file.
///
/// Values that replay does not need are decoded with ``Optionally``: an invalid value counts as missing. Each entry is
/// decoded by itself.
struct HARFile: Decodable {
  let log: Log

  struct Log: Decodable {
    let version: Optionally<String>?
    let comment: Optionally<String>?
    let entries: [Attempt]
  }

  /// An entry or the error of its decoding, and the names of its request, if they can be decoded.
  struct Attempt: Decodable {
    struct Names: Decodable {
      let request: Request

      struct Request: Decodable {
        let method: String
        let url: String
      }
    }

    let entry: Result<Entry, any Error>
    let names: Names.Request?

    init(from decoder: any Decoder) throws {
      entry = Result { try Entry(from: decoder) }
      names = try? Names(from: decoder).request
    }
  }

  struct Entry: Decodable {
    let request: Request
    let response: Response
    let startedDateTime: Optionally<String>?
    /// The milliseconds of each stage.
    let timings: Optionally<[String: Optionally<Double>]>?
    let comment: Optionally<String>?
  }

  struct Request: Decodable {
    let method: String
    let url: String
    let headers: [Optionally<Header>]?
    let postData: PostData?
    let bodySize: Optionally<Number>?
  }

  struct Response: Decodable {
    let status: Number
    let statusText: Optionally<String>?
    let httpVersion: Optionally<String>?
    let headers: [Optionally<Header>]?
    let content: Content?
    let redirectURL: Optionally<String>?
    /// Chrome's field for failed requests.
    let _error: Optionally<String>?
    /// Playwright's field for failed requests.
    let _failureText: Optionally<String>?
  }

  struct Header: Decodable {
    let name: String
    let value: Optionally<Text>?
  }

  struct PostData: Decodable {
    let mimeType: Optionally<String>?
    let text: String?
    /// The fields of a form, in place of the text.
    let params: [Parameter]?
    /// `base64` for a binary body, which HAR 1.2 does not support.
    let _encoding: Optionally<String>?
    let _file: String?

    struct Parameter: Decodable {
      let name: String
      let value: Optionally<Text>?
      let fileName: Optionally<String>?
      let contentType: Optionally<String>?
    }
  }

  struct Content: Decodable {
    let text: String?
    let encoding: String?
    let size: Optionally<Number>?
    /// The name of the file with the body, beside the recording: Playwright's mode `attach`.
    let _file: String?
  }

  /// A value that is `nil` if it can't be decoded.
  struct Optionally<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
  }

  /// An integer, which some tools write as a string.
  struct Number: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value =
        try (try? container.decode(String.self)).flatMap { Int($0) } ?? container.decode(Int.self)
    }
  }

  /// A text, which some tools write as a number.
  struct Text: Decodable {
    let value: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value =
        try (try? container.decode(String.self)) ?? "\(container.decode(Decimal.self))"
    }
  }
}
