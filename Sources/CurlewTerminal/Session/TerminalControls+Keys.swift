extension TerminalControls {
  /// Handles a key, and returns the commands for the screen or the program.
  mutating func press(_ key: TerminalKey, in view: ViewContent) -> [TerminalCommand] {
    settle(in: view)
    let before = focus
    hasSubmitted = false
    let commands = handle(key, in: view)
    guard case .field(let index) = before, focus != before, view.fields.indices.contains(index),
      let left = view.fields[index].left
    else { return commands }
    return [left] + commands
  }

  private mutating func handle(_ key: TerminalKey, in view: ViewContent) -> [TerminalCommand] {
    switch (key, focus) {
    case (.click(let line, let column), _): return click(line, column, in: view)
    case (.wheel(let step), .text): textOffset = max(0, textOffset + step)
    case (.wheel(let step), _): select(row + step, in: view)
    case (.control("c"), _), (.alt(.control("c")), _): return [.quit]
    case (.control("z"), _): return [.suspend]
    case (.control("l"), _): return [.redraw]
    case (.escape, _): return escape(in: view)
    case (.tab, _): moveFocus(by: 1, in: view)
    case (.backtab, _): moveFocus(by: -1, in: view)
    case (_, .field(let index)): return edit(index, key, in: view)
    case (.left, .choice(let index)): return choose(index, by: -1, in: view)
    case (.right, .choice(let index)): return choose(index, by: 1, in: view)
    case (.up, .choice): moveFocus(by: -1, in: view)
    case (.down, .choice), (.enter, .choice): moveFocus(by: 1, in: view)
    case (.text(let text), _):
      // Fast typing and scripts may deliver several letters at once.
      for (index, letter) in text.enumerated() {
        let commands = press(letter, in: view)
        if case .field = focus, index + 1 < text.count {
          return commands + press(.text(String(text.dropFirst(index + 1))), in: view)
        }
        if !commands.isEmpty { return commands }
      }
    case (_, .text): textOffset = scrolled(textOffset, by: key, textCount) ?? textOffset
    case (.enter, .list): return open(in: view)
    case (.up, .list) where row == 0 && !view.fields.isEmpty:
      move(to: .field(view.fields.count - 1), in: view)
    case (_, .list): if let row = scrolled(row, by: key, rowCount) { select(row, in: view) }
    case (_, .choice): break
    }
    return []
  }

  private mutating func press(_ letter: Character, in view: ViewContent) -> [TerminalCommand] {
    if let command = view.command(for: letter, at: selection(in: view)) { return [command] }
    switch letter {
    case "q": return [.quit]
    case "?": return [.show(Text(title: "Keys", facts: keys(in: view)))]
    case "/": if !view.fields.isEmpty { move(to: .field(0), in: view) }
    default: if let key = Self.keys[letter] { return press(key, in: view) }
    }
    return []
  }

  /// The letters that stand for keys, as in `vi` and `less`.
  private static let keys: [Character: TerminalKey] = [
    "j": .down, "k": .up, "g": .home, "G": .end, " ": .pageDown,
  ]

  /// Returns the position of a row or a line after a key, which may be after the last one; `nil` for other keys.
  private func scrolled(_ position: Int, by key: TerminalKey, _ visible: Int) -> Int? {
    switch key {
    case .up: max(0, position - 1)
    case .down: position + 1
    case .pageUp: max(0, position - max(1, visible - 1))
    case .pageDown: position + max(1, visible - 1)
    case .home: 0
    // The number of lines is known when the frame is drawn.
    case .end: .max / 2
    default: nil
    }
  }

  private func choose(_ index: Int, by step: Int, in view: ViewContent) -> [TerminalCommand] {
    let choice = view.choices[index]
    guard !choice.titles.isEmpty else { return [] }
    return [choice.choose((choice.chosen + step + choice.titles.count) % choice.titles.count)]
  }

  /// Returns the command that opens the selected row.
  private func open(in view: ViewContent) -> [TerminalCommand] {
    guard let index = selection(in: view), let command = view.list?.open(index) else { return [] }
    return [command]
  }

  /// Moves the focus to a field, or selects a row; opens the selected row.
  private mutating func click(
    _ line: Int, _ column: Int, in view: ViewContent
  ) -> [TerminalCommand] {
    if targets.indices.contains(line), let target = targets[line] {
      move(to: target, in: view)
      return []
    }
    let isInList = rowLines.contains(line) && column < splitColumn ?? .max
    guard isInList, let list = view.list else {
      if text(in: view) != nil { focus = .text }
      return []
    }
    let index = rowOffset + line - rowLines.lowerBound
    guard index < list.count else { return [] }
    if index == row, focus == .list { return open(in: view) }
    select(index, in: view)
    focus = .list
    return []
  }

  /// Edits a field.
  private mutating func edit(
    _ index: Int, _ key: TerminalKey, in view: ViewContent
  ) -> [TerminalCommand] {
    let field = view.fields[index]
    let before = field.text.prefix(caret)
    let after = field.text.dropFirst(caret)
    func change(_ start: some StringProtocol, _ end: some StringProtocol) -> [TerminalCommand] {
      let text = String(start) + end
      // A typed combining mark may have merged with the previous character.
      caret = text.count - end.count
      return text == field.text ? [] : [field.change(text)]
    }
    func insert(_ text: String) -> [TerminalCommand] {
      change(before + text.prefix(max(0, field.limit - field.text.count)), after)
    }
    var wordStart: Int { before.reversed().drop { $0 == " " }.drop { $0 != " " }.count }
    var wordEnd: Int {
      field.text.count - after.drop { $0 == " " }.drop { $0 != " " }.count
    }
    switch key {
    case .text(let text): return insert(text)
    // A field has one line.
    case .paste(let text): return insert(String(text.map { $0.isNewline ? " " : $0 }))
    case .backspace: return change(before.dropLast(), after)
    case .delete: return change(before, after.dropFirst())
    case .control("u"): return change("", after)
    case .control("k"): return change(before, "")
    case .control("w"), .alt(.backspace): return change(before.prefix(wordStart), after)
    case .alt(.text("d")), .alt(.delete): return change(before, field.text.dropFirst(wordEnd))
    case .alt(.text("b")), .alt(.left): caret = wordStart
    case .alt(.text("f")), .alt(.right): caret = wordEnd
    case .left: caret = max(0, caret - 1)
    case .right: caret = min(field.text.count, caret + 1)
    case .home: caret = 0
    case .end: caret = field.text.count
    case .up: if index > 0 { move(to: .field(index - 1), in: view) }
    case .down:
      if index + 1 < view.fields.count {
        move(to: .field(index + 1), in: view)
      } else if (view.list?.count ?? 0) > 0 {
        focus = .list
        settle(in: view)
      }
    case .enter:
      hasSubmitted = view.submit != nil
      return [view.submit].compactMap(\.self)
    default: break
    }
    return []
  }
}
