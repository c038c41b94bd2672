import Curlew
import HTTPTypes

extension WireRequest {
  /// The request in the form that stubs match and respond to.
  var outgoing: OutgoingRequest {
    let method = HTTPRequest.Method(method) ?? .get
    var headerFields = HTTPFields()
    for field in fields {
      guard let name = HTTPField.Name(field.name) else { continue }
      headerFields.append(HTTPField(name: name, value: field.value))
    }
    return OutgoingRequest(
      head: HTTPRequest(
        method: method, scheme: "http", authority: self["Host"], path: target,
        headerFields: headerFields),
      body: body.isEmpty ? nil : OutgoingBody(body),
      endpoint: Request<Void>(method, "\(raw: path)", decoding: .discarded))
  }
}
