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

  /// Creates the key for a control sequence (ECMA-48) with its final byte; returns `nil` for an unsupported sequence.
  init?(sequence final: UInt8, _ parameters: String) {
    let numbers = parameters.trimmingPrefix("<").split(separator: ";").map { UInt16($0) ?? 0 }
    let key: TerminalKey
    switch (Character(Unicode.Scalar(final)), numbers.first ?? 0) {
    // A press of the mouse's buttons (xterm's mode 1006), at a column and a line that begin with 1.
    case ("M", let button) where parameters.hasPrefix("<") && numbers.count == 3:
      let (column, line) = (Int(numbers[1]) - 1, Int(numbers[2]) - 1)
      guard [0, 64, 65].contains(button), line >= 0, column >= 0 else { return nil }
      self = button == 0 ? .click(line: line, column: column) : .wheel(button == 64 ? -3 : 3)
      return
    case ("A", _): key = .up
    case ("B", _): key = .down
    case ("C", _): key = .right
    case ("D", _): key = .left
    case ("H", _), ("~", 1), ("~", 7): key = .home
    case ("F", _), ("~", 4), ("~", 8): key = .end
    case ("Z", _): key = .backtab
    case ("M", _) where parameters.isEmpty: key = .enter
    case ("~", 3): key = .delete
    case ("~", 5): key = .pageUp
    case ("~", 6): key = .pageDown
    default: return nil
    }
    // The second number is the sum of 1, 1 for Shift, 2 for Alt, and so on; only Alt makes a difference.
    self = numbers.count > 1 && (numbers[1] &- 1) & 2 != 0 ? .alt(key) : key
  }
}
