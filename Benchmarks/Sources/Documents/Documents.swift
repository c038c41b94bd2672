/// Further JSON documents for decoding.
package enum Documents {
  /// An object of 321 bytes.
  package static let small = """
    {"id":44838949,"name":"swift","full_name":"apple/swift","private":false,\
    "owner":{"login":"apple","id":10639145,"type":"Organization"},\
    "description":"A language for \\"us\\"","stargazers_count":67000,"score":1.5,\
    "language":"C++","topics":["language","compiler","swift"],"license":null,"archived":false,\
    "visibility":"public"}
    """

  /// 1 MB of numbers with 15 to 17 significant digits, in an array.
  package static let doubles = list { numbers in
    "\(Double.random(in: -180...180, using: &numbers) * numbers.pick([0.01, 1, 1_000]))"
  }

  /// 1 MB of integers with 1 to 15 digits, in an array.
  package static let integers = list { numbers in
    let limit = numbers.pick([9, 999, 99_999, 9_999_999_999, 999_999_999_999_999])
    return "\(numbers.int(-limit...limit))"
  }

  /// 500 KB of messages in many scripts and with many escapes; every second message is ASCII, with `\u` escapes for
  /// other characters.
  package static let messages: String = {
    var numbers = SeededNumbers(seed: 7)
    var messages: [String] = []
    var size = 0
    while size < 500_000 {
      let text = (0..<numbers.int(3...16)).map { _ in numbers.pick(fragments) }.joined(
        separator: " ")
      let message: JSONValue = [
        "id": .int(messages.count), "author": .text(numbers.pick(authors)), "text": .text(text),
      ]
      messages.append(message.json(.init(isASCII: messages.count.isMultiple(of: 2))))
      size += messages.last?.utf8.count ?? 0
    }
    return "[\(messages.joined(separator: ","))]"
  }()

  private static func list(_ element: (inout SeededNumbers) -> String) -> String {
    var numbers = SeededNumbers(seed: 3)
    var list = "["
    while list.utf8.count < 1_000_000 { list += element(&numbers) + "," }
    return list.dropLast() + "]"
  }

  private static let authors = ["ada", "Łukasz", "Мария", "愛", "José \"Pepe\" Núñez", "O\\'Neil"]

  private static let fragments = [
    "She said \"yes\"\nand left.\n", "C:\\Users\\ada\\notes.txt", "tab\tseparated\tvalues",
    "line\r\nline\r\n", "Zażółć gęślą jaźń", "Съешь же ещё этих мягких булок",
    "naïve café, crème brûlée",
    "いろはにほへと ちりぬるを", "नमस्ते दुनिया", "مرحبا بالعالم", "안녕하세요 세계", "Ξεσκεπάζω",
    "😀👩‍👩‍👧🇺🇦 𝒳", "plain words in between", "{\"nested\":\"json\"}",
  ]
}
