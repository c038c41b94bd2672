import HTTPTypes
import NIOCore
import NIOHTTP1

// AsyncHTTPClient drops trailer fields (`HTTPRequestStateMachine.receivedHTTPResponsePart`). So they are passed to
// `Transfer` in a body part without readable bytes: before its reader index.
extension ByteBuffer {
  /// Creates the part for trailer fields (RFC 9110 section 6.5).
  init(trailers: HTTPHeaders) {
    self.init()
    for (name, value) in trailers {
      writeNullTerminatedString(name)
      writeNullTerminatedString(value)
    }
    moveReaderIndex(to: writerIndex)
  }

  /// The trailer fields of such a part; `nil` for an empty part.
  var trailers: HTTPFields? {
    var bytes = self
    bytes.moveReaderIndex(to: 0)
    guard bytes.readableBytes > 0 else { return nil }
    var fields = HTTPFields()
    while let name = bytes.readNullTerminatedString(), let value = bytes.readNullTerminatedString()
    {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return fields
  }
}
