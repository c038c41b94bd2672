import Curlew
import Foundation
import HTTPTypes

extension HARFile.Entry {
  /// The reason why an entry with valid JSON can't be replayed.
  struct Malformed: Error {
    let reason: String
  }

  /// Returns the exchange, with the bodies that are attached as files of a folder.
  func exchange(in folder: HARFolder) throws(Malformed) -> HAR.Entry {
    guard let method = HTTPRequest.Method(rawValue: request.method) else {
      throw Malformed(reason: "its request.method \"\(request.method)\" is not a method")
    }
    guard let colon = request.url.firstIndex(of: ":"), colon != request.url.startIndex else {
      let url = Redaction().redacting(url: request.url)
      throw Malformed(
        reason: url.isEmpty ? "its request.url is empty" : "its request.url \"\(url)\" is not a URL"
      )
    }
    // Browsers also save data:, blob: and extension URLs.
    guard ["http", "https"].contains(request.url[..<colon].lowercased()) else {
      throw Malformed(reason: "its request.url is not an http or https URL")
    }
    var entry = HAR.Entry(
      method, request.url, headerFields: HTTPFields(request.headers),
      response: try response.sample(to: method, in: folder))
    entry.comment = comment?.value
    if let postData = request.postData {
      entry.body = try postData.body(in: folder)
      if entry.body == nil, postData.params?.isEmpty == false {
        let reason = "The request's body is not recorded: it is a form with files."
        entry.comment = [entry.comment, reason].compactMap(\.self).joined(separator: " ")
      }
    }
    entry.bodySize = Self.size(request.bodySize, besides: entry.body ?? Data())
    entry.responseSize = Self.size(response.content?.size, besides: entry.response.body)
    entry.httpVersion = response.httpVersion?.value.flatMap { Self.version($0) }
    entry.startedAt = startedDateTime?.value.flatMap { HARDate.date(from: $0) }
    let times = timings?.value ?? [:]
    entry.timings = HAR.Timings(
      blocked: Self.duration(times["blocked"]), connect: Self.duration(times["connect"]),
      send: Self.duration(times["send"]), wait: Self.duration(times["wait"]),
      receive: Self.duration(times["receive"]))
    entry.failure = response.failure
    return entry
  }

  /// Returns a number of milliseconds as a duration; `nil` for -1, which means unknown.
  private static func duration(_ milliseconds: HARFile.Optionally<Double>?) -> Duration? {
    guard let value = milliseconds?.value, (0...1e12).contains(value) else { return nil }
    return .microseconds(Int64((value * 1_000).rounded()))
  }

  /// Returns the body's full size if only a part was recorded.
  private static func size(
    _ size: HARFile.Optionally<HARFile.Number>??, besides body: Data
  ) -> Int? {
    (size ?? nil)?.value.flatMap { $0.value > body.count ? $0.value : nil }
  }

  /// Returns `1.1` for `HTTP/1.1`, and `2` for `h2` and `http/2.0`.
  private static func version(_ text: String) -> String? {
    let name = text.lowercased()
    let number = name.trimmingPrefix(name.hasPrefix("http/") ? "http/" : "h")
    let digits = number.split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = digits.count <= 2 && digits.allSatisfy { $0.utf8.count == 1 && "0"..."9" ~= $0 }
    return isNumber ? String(["2.0", "3.0"].contains(number) ? number.prefix(1) : number) : nil
  }
}

extension HARFile.Response {
  fileprivate var failure: String? {
    [_error, _failureText].lazy.compactMap { $0?.value }.first { !$0.isEmpty }
  }

  fileprivate func sample(
    to method: HTTPRequest.Method, in folder: HARFolder
  ) throws(HARFile.Entry.Malformed) -> Sample {
    let status = status.value
    // Browsers save 0 for requests without a response, Playwright -1.
    guard status > 0 else {
      throw .init(reason: "it has no response" + (failure.map { ": \($0)" } ?? ""))
    }
    guard 100...999 ~= status else {
      throw .init(reason: "its response.status \(status) is not an HTTP status")
    }
    var fields = HTTPFields(headers)
    if 300...399 ~= status, fields[.location] == nil, let url = redirectURL?.value, !url.isEmpty {
      fields[.location] = url
    }
    let body = try content?.body(in: folder)
    if failure == nil, body?.isEmpty ?? true, isMissingContent(method, fields) {
      throw .init(reason: "its response.content was not recorded")
    }
    return Sample(
      status: HTTPResponse.Status(code: status, reasonPhrase: statusText?.value ?? ""),
      headerFields: fields, body: body ?? Data())
  }

  /// Returns whether a response without recorded content had some, or may have had some.
  ///
  /// Other statuses than 2xx are useful without their content, and have seldom any.
  private func isMissingContent(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
    guard 200...299 ~= status.value, ![204, 205].contains(status.value), method != .head else {
      return false
    }
    let size = content?.size?.value?.value ?? fields[.contentLength].flatMap { Int($0) } ?? 0
    // The size -1 is unknown.
    return size > 0 || size < 0 && content?.text == nil
  }
}

extension HTTPFields {
  /// Creates header fields from recorded headers, without HTTP/2 pseudo-header fields.
  fileprivate init(_ headers: [HARFile.Optionally<HARFile.Header>]?) {
    self.init()
    for header in (headers ?? []).compactMap(\.value) {
      guard let name = HTTPField.Name(header.name) else { continue }
      let text = header.value.map { $0.value?.value } ?? ""
      // Firefox joins repeated fields with newlines.
      for value in text?.split(separator: "\n", omittingEmptySubsequences: false) ?? [] {
        append(HTTPField(name: name, value: value.trimmingCharacters(in: .whitespaces)))
      }
    }
  }
}
