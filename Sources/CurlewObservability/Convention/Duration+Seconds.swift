extension Duration {
  /// The duration in seconds.
  var seconds: Double { self / .seconds(1) }

  /// The duration in seconds with three decimal places: `0.250`.
  var rounded: String {
    let (seconds, attoseconds) = components
    return "\(seconds).\("\(1000 + abs(attoseconds) / 1_000_000_000_000_000)".dropFirst())"
  }
}
