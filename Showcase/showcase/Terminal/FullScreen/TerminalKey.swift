/// A key, or a text, that a user of a terminal has pressed.
package enum TerminalKey: Equatable, Sendable {
  /// Characters as they were typed.
  case text(String)
  /// A text that was pasted, which may have several lines.
  case paste(String)
  case enter, escape, backspace, delete
  case tab, backtab
  case up, down, left, right
  case home, end, pageUp, pageDown
  /// A letter, in lower case, together with Control.
  case control(Character)

  /// The key of a byte below 0x20, or of 0x7F; `nil` for one that means nothing here.
  init?(control byte: UInt8) {
    switch byte {
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .enter
    case 0x08, 0x7F: self = .backspace
    // As in a shell: A and E go to the ends of the line, B and F one character, D deletes.
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

  /// The key of a control sequence (ECMA-48); `nil` for one that means nothing here.
  ///
  /// - Parameters:
  ///   - final: The sequence's last byte.
  ///   - parameters: The text before it; Shift and Control in it make no difference.
  init?(sequence final: UInt8, _ parameters: String = "") {
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
}
