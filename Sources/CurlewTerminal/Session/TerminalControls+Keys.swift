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
    case (_, .text): if let step = step(key, textCount) { textOffset = scrolled(textOffset, step) }
    case (.enter, .list): return open(in: view)
    case (.up, .list) where row == 0 && !view.fields.isEmpty:
      move(to: .field(view.fields.count - 1), in: view)
    case (_, .list): if let step = step(key, rowCount) { select(scrolled(row, step), in: view) }
    case (_, .choice): break
    }
    return []
  }

  private mutating func press(_ letter: Character, in view: ViewContent) -> [TerminalCommand] {
    let shortcuts = view.shortcuts(at: selection(in: view))
    if let shortcut = shortcuts.first(where: { $0.key == letter }) { return [shortcut.command] }
    switch letter {
    case "q": return [.quit]
    case "r": return [.reload]
    case "x": return view.alerts.first.map { [.dismiss($0.id)] } ?? []
    case "?": return [.show(Text(title: "Keys", facts: TerminalHelp.keys(for: view, self)))]
    case "/": if !view.fields.isEmpty { move(to: .field(0), in: view) }
    case "j": return press(.down, in: view)
    case "k": return press(.up, in: view)
    case "g": return press(.home, in: view)
    case "G": return press(.end, in: view)
    case " ": return press(.pageDown, in: view)
    default: break
    }
    return []
  }

  /// Returns the number of rows or lines by which a key moves; `.max` and `.min` to the ends.
  private func step(_ key: TerminalKey, _ visible: Int) -> Int? {
    switch key {
    case .up: -1
    case .down: 1
    case .pageUp: -max(1, visible - 1)
    case .pageDown: max(1, visible - 1)
    case .home: .min
    case .end: .max
    default: nil
    }
  }

  private func scrolled(_ position: Int, _ step: Int) -> Int {
    // The number of lines is known when the frame is drawn.
    step == .max ? .max / 2 : max(0, step == .min ? 0 : position + step)
  }

  private func choose(_ index: Int, by step: Int, in view: ViewContent) -> [TerminalCommand] {
    let choice = view.choices[index]
    guard !choice.titles.isEmpty else { return [] }
    return [choice.choose((choice.chosen + step + choice.titles.count) % choice.titles.count)]
  }

  /// Moves the focus to a field, or selects a row; opens the selected row.
  private mutating func click(
    _ line: Int, _ column: Int, in view: ViewContent
  ) -> [TerminalCommand] {
    if let target = targets[line] {
      move(to: target, in: view)
      return []
    }
    let isInList = rowLines.contains(line) && (!isWide || column < splitColumn)
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
      return view.submit.map { [$0] } ?? []
    default: break
    }
    return []
  }
}
