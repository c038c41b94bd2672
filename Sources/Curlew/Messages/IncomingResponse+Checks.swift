import HTTPTypes

extension IncomingResponse {
  /// Merges repeated fields, and rejects a response whose fields contradict each other, or whose content is a part that the
  /// request did not ask for.
  mutating func check(for request: HTTPRequest) throws(Client.TransportFailure) {
    if let name = head.headerFields.mergeEqualLines() {
      throw Client.TransportFailure(
        .protocolError, reason: "the response has several \(name) fields with different values")
    }
    guard head.status == .partialContent || head.status == .ok, request.method != .head,
      head.status == .partialContent
        || head.headerFields.contains(where: { $0.name == .contentRange }),
      !request.headerFields.contains(.range)
    else { return }
    // In a 200 the field has no meaning (RFC 9110 section 14.4), but servers that send it send only that part.
    let range = head.headerFields.contentRange
    guard range?.isWhole == false || range == nil && head.status == .partialContent else { return }
    throw Client.TransportFailure(
      .protocolError,
      reason:
        "the response is only a part (\(head.headerFields[.contentRange] ?? "206")), but the whole was requested"
    )
  }
}
