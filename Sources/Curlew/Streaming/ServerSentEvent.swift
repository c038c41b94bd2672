/// An event of a server-sent event stream (WHATWG HTML section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
  /// The type, from the `event` field; `message` for an event without this field.
  public var type: String
  /// The values of the event's `data` fields, joined with LF.
  public var data: String
  /// The last event ID: the value of the newest `id` field, of this or an earlier event; empty if
  /// there was none.
  ///
  /// A program that stores the ID can resume the stream after a restart: see
  /// ``EventStreamPolicy/lastEventID``.
  public var id: String

  /// Creates an event.
  public init(type: String = "message", data: String, id: String = "") {
    self.type = type
    self.data = data
    self.id = id
  }
}
