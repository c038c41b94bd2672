/// A type whose description is also shown in the debugger and in mirrors, so that they show no secrets.
protocol Described: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension Described {
  /// The description.
  public var debugDescription: String { description }

  /// A mirror of the description.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}

/// A type whose mirror shows only some of its properties, with secret values masked.
protocol Mirrored: CustomReflectable {
  var mirrorChildren: KeyValuePairs<String, Any> { get }
}

extension Mirrored {
  /// A mirror that shows no secrets.
  public var customMirror: Mirror {
    Mirror(self, children: mirrorChildren, displayStyle: .struct)
  }
}
