extension TerminalControls {
  /// Handles a key, and returns the commands for the page or the program.
  package mutating func press(_ key: TerminalKey, in view: TerminalView) -> [TerminalCommand] {
    settle(in: view)
    switch (key, focus) {
    case (.control("c"), _), (.alt(.control("c")), _): return [.quit]
    case (.control("z"), _): return [.suspend]
    case (.control("l"), _): return [.redraw]
    case _ where showsKeys: showsKeys = false
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
    case (_, .detail): scroll(key)
    case (.enter, .list): return open(in: view)
    case (.up, .list) where row == 0 && !view.content.fields.isEmpty:
      move(to: .field(view.content.fields.count - 1), in: view)
    case (_, .list): if let step = step(key) { select(min(step, 1_000_000) + row, in: view) }
    case (_, .choice): break
    }
    return []
  }

  private mutating func press(_ letter: Character, in view: TerminalView) -> [TerminalCommand] {
    let content = view.content
    let ofRow = selection(in: view).flatMap { content.list?.shortcuts($0) } ?? []
    if let shortcut = (content.shortcuts + ofRow).first(where: { $0.key == letter }) {
      return [shortcut.command]
    }
    switch letter {
    case "q": return [.quit]
    case "r": return [.reload]
    case "?": showsKeys = true
    case "x": return view.alerts.first.map { [.act("live:dismiss", $0.id)] } ?? []
    case "/": if !content.fields.isEmpty { move(to: .field(0), in: view) }
    case "j": return press(.down, in: view)
    case "k": return press(.up, in: view)
    case "g": return press(.home, in: view)
    case "G": return press(.end, in: view)
    case " ": return press(.pageDown, in: view)
    default: break
    }
    return []
  }

  /// Returns the number of rows by which a key moves the selection.
  private func step(_ key: TerminalKey) -> Int? {
    switch key {
    case .up: -1
    case .down: 1
    case .pageUp: -max(1, rowCount - 1)
    case .pageDown: max(1, rowCount - 1)
    case .home: -row
    case .end: Int.max / 2
    default: nil
    }
  }

  private mutating func scroll(_ key: TerminalKey) {
    switch key {
    case .up: detailOffset -= 1
    case .down: detailOffset += 1
    case .pageUp: detailOffset -= max(1, detailCount - 1)
    case .pageDown: detailOffset += max(1, detailCount - 1)
    case .home: detailOffset = 0
    // The number of lines is known when the frame is drawn.
    case .end: detailOffset = Int.max / 2
    default: break
    }
    detailOffset = max(0, detailOffset)
  }

  private func choose(
    _ index: Int, by step: Int, in view: TerminalView
  ) -> [TerminalCommand] {
    let choice = view.content.choices[index]
    let (options, chosen) = (choice.choices, choice.choices.firstIndex(where: \.isChosen) ?? 0)
    guard !options.isEmpty else { return [] }
    return [.act(choice.name, options[(chosen + step + options.count) % options.count].value)]
  }

  /// Edits a field.
  private mutating func edit(
    _ index: Int, _ key: TerminalKey, in view: TerminalView
  ) -> [TerminalCommand] {
    let field = view.content.fields[index]
    let before = field.text.prefix(caret)
    let after = field.text.dropFirst(caret)
    func change(_ start: some StringProtocol, _ end: some StringProtocol) -> [TerminalCommand] {
      let text = String(start) + end
      // A typed combining mark may have merged with the previous character.
      caret = text.count - end.count
      return text == field.text ? [] : [.act(field.name, text)]
    }
    let wordStart = before.reversed().drop { $0 == " " }.drop { $0 != " " }.count
    let wordEnd = field.text.count - after.drop { $0 == " " }.drop { $0 != " " }.count
    switch key {
    case .text(let text): return change(before + text, after)
    // A field has one line.
    case .paste(let text): return change(before + text.map { $0.isNewline ? " " : $0 }, after)
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
      if index + 1 < view.content.fields.count {
        move(to: .field(index + 1), in: view)
      } else if view.content.list?.keys.isEmpty == false {
        focus = .list
        settle(in: view)
      }
    case .enter: return view.content.submit.map { [.act($0)] } ?? []
    default: break
    }
    return []
  }
}
