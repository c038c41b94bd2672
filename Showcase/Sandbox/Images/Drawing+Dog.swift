import Foundation

extension Drawing {
  /// Draws a dog's head from the breed's features: ears, fur, colours, markings, muzzle and size.
  static func dog(_ breed: Breed) -> Drawing {
    var drawing = Drawing(120, 120, seed: stableHash(breed.name.utf8))
    let look = breed.look
    let isLight = ["#f6f2ea", "#ecdcbc"].contains(look.colors[0])
    drawing.rectangle(0, 0, 120, 120, isLight ? drawing.palette.deep : drawing.palette.pale)
    // A mastiff fills the picture; a toy dog fills two thirds.
    let scale = 70 + min(breed.weight[1], 60) * 35 / 60
    drawing.group(at: scale) { $0.head(look) }
    return drawing
  }

  private mutating func head(_ look: Breed.Look) {
    let (coat, mark) = (look.colors[0], look.colors[1])
    path("M16 140Q14 92 60 90Q106 92 104 140z", coat)
    if look.pattern == .bib || look.pattern == .blaze || look.pattern == .cheeks {
      path("M40 140Q42 98 60 96Q78 98 80 140z", mark)
    }
    path("M36 92Q60 108 84 92L85 98Q60 115 35 98z", palette.bright)
    circle(60, 108, 5, palette.pale)
    let hasDarkEars = [.mask, .spots, .patch].contains(look.pattern)
    let earColor = hasDarkEars ? mark : coat
    if [.drop, .long].contains(look.ears) {
      fur(look, coat)
      ears(look, earColor)
    } else {
      ears(look, earColor)
      fur(look, coat)
    }
    markings(look, mark)
    face(look, mark)
  }

  private mutating func ears(_ look: Breed.Look, _ color: String) {
    for side in ["", #" transform="translate(120 0) scale(-1 1)""#] {
      func add(_ path: String, _ fill: String, opacity: String = "1") {
        self.add(#"<path d="\#(path)" fill="\#(fill)" opacity="\#(opacity)"\#(side)/>"#)
      }
      switch look.ears {
      case .prick:
        add("M31 54Q26 26 33 13Q48 20 57 40z", color)
        add("M36 45Q33 30 36 22Q44 28 50 38z", "#d98c86", opacity: "0.55")
      case .bat:
        add("M36 58Q4 38 14 9Q44 12 58 40z", color)
        add("M35 48Q16 36 20 17Q39 22 51 38z", "#d98c86", opacity: "0.55")
      case .fold:
        add("M33 50Q24 28 40 25L58 36z", color)
        for (fill, opacity) in [(color, "1"), ("#000", "0.2")] {
          add("M26 53Q24 27 41 25Q46 39 37 52Q31 57 26 53z", fill, opacity: opacity)
        }
      case .drop:
        add("M42 31Q22 24 19 48Q16 70 27 76Q39 70 40 46z", color)
        add("M40 35Q31 50 27 76Q39 70 40 46z", "#000", opacity: "0.14")
      case .long:
        add("M42 32Q18 28 16 60Q12 98 25 103Q41 98 39 48z", color)
        add("M40 36Q30 60 25 103Q41 98 39 48z", "#000", opacity: "0.14")
        if look.fur == .curly || look.fur == .shaggy {
          for y in stride(from: 42, through: 96, by: 9) {
            let x = side.isEmpty ? 23 : 97
            circle(x + (y % 2) * (side.isEmpty ? -3 : 3), y, 8, color)
          }
        }
      }
    }
  }

  /// Draws the head and the fur around it.
  private mutating func fur(_ look: Breed.Look, _ color: String) {
    switch look.fur {
    case .fluffy:
      ruff(of: 22, radius: 39, depth: 6, color)
    case .shaggy:
      ruff(of: 15, radius: 37, depth: 9, color)
    case .curly:
      for (x, y, radius) in [
        (42, 30, 11), (54, 23, 12), (67, 23, 12), (78, 30, 11), (36, 42, 9), (84, 42, 9),
        (36, 84, 8), (84, 84, 8),
      ] { circle(x, y, radius, color) }
    case .smooth, .wrinkled, .wire, .corded: break
    }
    path("M60 28Q88 28 88 58Q88 80 76 90Q60 99 44 90Q32 80 32 58Q32 28 60 28z", color)
  }

  /// Draws a star with many points and rounded corners.
  private mutating func ruff(of points: Int, radius: Int, depth: Int, _ color: String) {
    let corners = (0..<points * 2).map { index in
      let angle = Double(index) / Double(points) * .pi
      let length = Double(index % 2 == 0 ? radius : radius - depth)
      return "\(Int(60 + length * cos(angle))) \(Int(63 - length * sin(angle)))"
    }
    add(
      #"<path d="M\#(corners.joined(separator: "L"))z" fill="\#(color)" stroke="\#(color)" "#
        + #"stroke-width="5" stroke-linejoin="round"/>"#)
  }

  private mutating func markings(_ look: Breed.Look, _ mark: String) {
    switch look.pattern {
    case .plain: break
    case .spots:
      for (x, y, radius) in [
        (44, 40, 4), (56, 34, 3), (73, 38, 5), (80, 52, 3), (40, 54, 3), (66, 46, 2), (79, 68, 4),
        (42, 72, 3), (52, 48, 2), (30, 112, 5), (46, 118, 3), (84, 110, 4), (92, 118, 4),
      ] { circle(x, y, radius, mark) }
    case .blaze:
      path("M55 28H65Q63 50 72 62Q80 76 70 92Q60 97 50 92Q40 76 48 62Q57 50 55 28z", mark)
    case .mask:
      path("M42 60Q46 52 54 62H66Q74 52 78 60Q86 78 74 90Q60 98 46 90Q34 78 42 60z", mark)
    case .points:
      circle(49, 47, 4, mark)
      circle(71, 47, 4, mark)
      path("M60 70Q72 66 80 78Q80 88 70 93H50Q40 88 40 78Q48 66 60 70z", mark)
    case .patch:
      path("M34 44Q36 32 52 32Q62 40 58 56Q52 68 38 64Q31 56 34 44z", mark)
    case .saddle: path("M60 28Q88 28 88 56Q78 40 60 50Q42 40 32 56Q32 28 60 28z", mark)
    case .cheeks:
      path("M34 66Q44 52 53 66Q60 50 67 66Q76 52 86 66Q84 84 74 91Q60 98 46 91Q36 84 34 66z", mark)
      circle(49, 48, 3, mark)
      circle(71, 48, 3, mark)
    case .bib: path("M60 64Q78 64 78 80Q76 92 60 95Q44 92 42 80Q42 64 60 64z", mark)
    }
  }

  private mutating func face(_ look: Breed.Look, _ mark: String) {
    let (ink, isShort) = ("#1c1a1d", look.muzzle == .short)
    let nose = isShort ? 68 : look.muzzle == .medium ? 74 : 80
    // A lighter muzzle keeps the nose and the mouth visible on any coat.
    let width = isShort ? 17 : look.muzzle == .medium ? 14 : 11
    ellipse(60, nose + 6, width, isShort ? 11 : 13, "#fff", opacity: "0.16")
    if look.fur == .corded || look.fur == .shaggy {
      fringe(look)
    }
    for x in [48, 72] {
      circle(x, 57, 5, "#fff", opacity: "0.35")
      circle(x, 57, 4, ink)
      circle(x + 1, 56, 1, "#fff")
    }
    if look.fur == .wire {
      path("M40 52L56 46L54 54zM80 52L64 46L66 54z", mark)
      path("M44 78L40 98L48 92L52 102L60 94L68 102L72 92L80 98L76 78Q60 90 44 78z", mark)
    }
    if look.fur == .wrinkled {
      for y in [36, 42, 48] {
        line("M44 \(y)Q52 \(y - 5) 60 \(y)Q68 \(y - 5) 76 \(y)", "#000", opacity: "0.3")
      }
    }
    ellipse(60, nose, isShort ? 7 : 6, 5, ink)
    ellipse(58, nose - 2, 2, 1, "#fff", opacity: "0.5")
    let (lip, chin) = (nose + 8, nose + 13)
    line("M60 \(nose + 4)V\(lip)M50 \(lip)Q55 \(chin) 60 \(lip)Q65 \(chin) 70 \(lip)", ink)
  }

  /// Draws the cords or the long hair over the forehead.
  private mutating func fringe(_ look: Breed.Look) {
    let color = look.pattern == .saddle ? look.colors[1] : look.colors[0]
    if look.fur == .shaggy {
      return path(
        "M34 56Q34 26 60 26Q86 26 86 56L78 46L74 52L66 42L60 50L54 42L46 52L42 46z", color)
    }
    for (index, x) in stride(from: 26, through: 90, by: 6).enumerated() {
      let isMiddle = (46...72).contains(x)
      let top = isMiddle ? 24 : 32
      let end = isMiddle ? 50 + index % 2 * 4 : 88 + index % 3 * 8
      add(
        #"<rect x="\#(x)" y="\#(top)" width="5" height="\#(end - 30)" rx="2" fill="\#(color)" "#
          + ##"stroke="#000" stroke-opacity="0.15"/>"##)
    }
  }
}

extension Drawing {
  private mutating func ellipse(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ fill: String, opacity: String = "1"
  ) {
    add(
      #"<ellipse cx="\#(x)" cy="\#(y)" rx="\#(width)" ry="\#(height)" fill="\#(fill)" "#
        + #"opacity="\#(opacity)"/>"#)
  }

  private mutating func line(_ path: String, _ color: String, opacity: String = "1") {
    add(
      #"<path d="\#(path)" fill="none" stroke="\#(color)" stroke-width="2" "#
        + #"stroke-linecap="round" opacity="\#(opacity)"/>"#)
  }

  /// Draws elements scaled by a percentage, relative to the middle of the lower edge.
  private mutating func group(at percent: Int, _ draw: (inout Drawing) -> Void) {
    let scale = "\(percent / 100).\(percent % 100 < 10 ? "0" : "")\(percent % 100)"
    add(#"<g transform="translate(60 124) scale(\#(scale)) translate(-60 -124)">"#)
    draw(&self)
    add("</g>")
  }
}
