import HTTPTypes

extension Sample {
  /// The sample as a transport's response.
  public var response: IncomingResponse {
    IncomingResponse(
      head: HTTPResponse(status: status, headerFields: headerFields), body: ResponseBody(body))
  }
}
