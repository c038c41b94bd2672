/// A pressed key, a typed or pasted text, or an action of the mouse.
public indirect enum TerminalKey: Equatable, Sendable {
  /// Typed characters.
  case text(String)
  /// A pasted text, which may contain several lines.
  case paste(String)
  /// Keys that have a name; `backtab` is Shift-Tab.
  case enter, escape, backspace, delete, tab, backtab
  /// Keys that move the caret, the selection or the text.
  case up, down, left, right, home, end, pageUp, pageDown
  /// A letter in lower case, pressed together with Control.
  case control(Character)
  /// A key pressed together with Alt.
  case alt(TerminalKey)
  /// A click at a line and a column of the window, which begin with 0.
  case click(line: Int, column: Int)
  /// A movement of the mouse's wheel by a number of lines, negative towards the beginning.
  case wheel(Int)

  /// Creates the key for a control byte, below 0x20 or 0x7F; returns `nil` for an unsupported byte.
  init?(control byte: UInt8) {
    switch byte {
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .enter
    case 0x08, 0x7F: self = .backspace
    // As in a shell: A and E move to the ends of the line, B and F by one character; D deletes.
    case 0x01: self = .home
    case 0x05: self = .end
    case 0x02: self = .left
    case 0x06: self = .right
    case 0x04: self = .delete
    case 0x0E: self = .down
    case 0x10: self = .up
    case 0x03...0x1A: self = .control(Character(Unicode.Scalar(byte + 0x60)))
    default: return nil
    }
  }

  /// Creates the key for a control sequence (ECMA-48); returns `nil` for an unsupported sequence.
  ///
  /// - Parameters:
  ///   - final: The final byte of the sequence.
  ///   - parameters: The parameters; modifiers such as Shift and Control are ignored, except Alt.
  init?(sequence final: UInt8, _ parameters: String = "") {
    if parameters.first == "<" {
      self.init(mouse: parameters.dropFirst(), isPressed: final == UInt8(ascii: "M"))
      return
    }
    // 1, and the sum of 1 for Shift, 2 for Alt, and so on.
    if let modifiers = parameters.split(separator: ";").dropFirst().first.flatMap({ UInt8($0) }),
      (modifiers &- 1) & 2 != 0
    {
      let parameter = String(parameters.prefix { $0 != ";" })
      guard let key = Self(sequence: final, parameter) else { return nil }
      self = .alt(key)
      return
    }
    switch (Character(Unicode.Scalar(final)), parameters.prefix { $0 != ";" }) {
    case ("A", _): self = .up
    case ("B", _): self = .down
    case ("C", _): self = .right
    case ("D", _): self = .left
    case ("H", _), ("~", "1"), ("~", "7"): self = .home
    case ("F", _), ("~", "4"), ("~", "8"): self = .end
    case ("Z", _): self = .backtab
    case ("M", _) where parameters.isEmpty: self = .enter
    case ("~", "3"): self = .delete
    case ("~", "5"): self = .pageUp
    case ("~", "6"): self = .pageDown
    default: return nil
    }
  }

  /// Creates the key for an action of the mouse (xterm's mode 1006); returns `nil` for other buttons and a release.
  private init?(mouse parameters: Substring, isPressed: Bool) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    guard isPressed, numbers.count == 3, let button = numbers.first else { return nil }
    switch button {
    case 0: self = .click(line: numbers[2] - 1, column: numbers[1] - 1)
    case 64: self = .wheel(-3)
    case 65: self = .wheel(3)
    default: return nil
    }
  }
}
