/// The images that responses link to, as SVG: patterns of `drawings.json`, filled with the colors of
/// a palette and with random positions.
enum Drawing {
  private struct File: Decodable, Sendable {
    /// A part of a dog's picture.
    struct Layer: Decodable, Sendable {
      /// The features that a breed must have, such as `hanging curly`, in alternatives; nil for all
      /// breeds.
      let `for`: [String]?
      let draw: String
    }

    /// Two matching colors, and a pale color for text on the deep color.
    let palettes: [[String: String]]
    let lists: [String: [String]]
    /// The layers from the back to the front.
    let dog: [Layer]
  }

  private static let file = decodeResource(PackageResources.drawings_json, as: File.self)

  /// Draws an account's avatar: five by five dots, the left half mirrored.
  static func avatar(_ id: Int) -> String {
    let choices = Choices("avatar \(id)")
    let colors = choices.pick("ground", of: [["<deep>", "<bright>"], ["<bright>", "<deep>"]])
    let middle = 8
    let dots = (0..<15).filter { $0 == middle || choices.number("dot \($0)", below: 3) > 0 }
      .map { dot in
        let isPale = dot == middle || choices.number("color \(dot)", below: 4) == 0
        let (x, y) = (14 + dot % 3 * 13, 14 + dot / 3 * 13)
        return [x, 80 - x].map {
          #"<circle cx="\#($0)" cy="\#(y)" r="6" fill="\#(isPale ? "<pale>" : colors[1])"/>"#
        }.joined()
      }
    return svg(
      #"<rect width="80" height="80" fill="\#(colors[0])"/>"# + dots.joined(), choices,
      size: (80, 80))
  }

  /// Draws a movie's poster, an abstract picture, in a size in pixels.
  static func poster(_ id: Int, width: Int, height: Int) -> String {
    svg("<poster>", Choices("poster \(id)"), size: (width, height), box: (200, 300))
  }

  /// Draws a movie's wide image: the middle of its poster.
  static func backdrop(_ id: Int, width: Int) -> String {
    svg(
      #"<g transform="translate(0 -150) scale(1.6)"><poster></g>"#, Choices("poster \(id)"),
      size: (width, width * 9 / 16), box: (320, 180))
  }

  /// Draws a dog's head.
  static func dog(_ breed: Breed) -> String {
    let look = Set(breed.look.split(separator: " "))
    let layers = file.dog.filter {
      $0.for?.contains { look.isSuperset(of: $0.split(separator: " ")) } ?? true
    }
    let isLight = ["#f6f2ea", "#ecdcbc"].contains(breed.colors[0])
    // A mastiff fills the picture; a toy dog fills two thirds.
    let scale = Double(70 + min(breed.weight[1], 60) * 35 / 60) / 100
    return svg(
      #"<rect width="120" height="120" fill="\#(isLight ? "<deep>" : "<pale>")"/>"#
        + #"<g transform="translate(60 124) scale(\#(scale)) translate(-60 -124)">"#
        + layers.map(\.draw).joined() + "</g>",
      Choices(breed.name), size: (120, 120),
      colors: ["coat": breed.colors[0], "mark": breed.colors[1], "ear": breed.colors[2]])
  }

  /// Returns a filled pattern in a displayed size, and in its own units (`box`) if they differ.
  private static func svg(
    _ pattern: String, _ choices: Choices, size: (width: Int, height: Int),
    box: (width: Int, height: Int)? = nil, colors: [String: String] = [:]
  ) -> String {
    let colors = choices.pick("palette", of: file.palettes).merging(colors) { $1 }
    let content = choices.filled(
      pattern, from: file.lists.merging(colors.mapValues { [$0] }) { $1 })
    let box = box ?? size
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)" \
      viewBox="0 0 \(box.width) \(box.height)">\(content)</svg>
      """
  }
}
