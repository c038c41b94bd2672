extension Browser {
  /// Emulates a preference for `light` or `dark`, and for reduced motion.
  func prefer(_ scheme: String) async throws {
    struct Media: Encodable {
      let features: [[String: String]]
    }
    let features = [
      ["name": "prefers-color-scheme", "value": scheme],
      ["name": "prefers-reduced-motion", "value": "reduce"],
    ]
    try await devTools("Emulation.setEmulatedMedia", Media(features: features))
  }
}
