import HTTPTypes

extension Sample {
  /// The sample as a transport returns it.
  package var response: IncomingResponse {
    IncomingResponse(
      head: HTTPResponse(status: status, headerFields: headerFields), body: ResponseBody(body))
  }
}
