import Curlew
import Foundation
import TestSupport
import Testing

private enum Python {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether the tests run: in CI a missing Python is a failure, elsewhere the tests are skipped.
  static let isPossible =
    environment["CI"] != nil
    || (environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
}

/// Seeded forms, parsed by Python's `email` package: 100, and 1,000 in the long mode.
@Suite(
  .enabled(if: Python.isPossible, "Python is not installed"), .timeLimit(.minutes(5)))
struct MultipartPythonTests {
  /// A form, as the script below reads it.
  private struct Form: Encodable {
    struct Part: Encodable {
      let name: Data
      let fileName: Data?
      let contentType: String?
      let content: Data
    }

    let seed: UInt64
    let contentType: String
    let parts: [Part]
  }

  /// Prints the differences, then the parsed form.
  ///
  /// Bytes are decoded as Latin-1, which preserves all of them. The header is compared verbatim. The parameters are
  /// compared after the transformations of `email`: it treats backslashes as escapes (RFC 822), which browsers do not
  /// write, and can't find the end of a name that ends with a backslash. Such names are counted.
  private static let script = #"""
    import base64, json, sys
    from email.parser import Parser
    from email.utils import unquote

    folder = sys.argv[1]
    forms = parts = unreadable = 0

    def check(seed, what, found, expected):
        if found != expected:
            print(f"seed {seed}: {what} is {found!r}, not {expected!r}")

    def escaped(name):
        for character, code in (b'"', b"%22"), (b"\r", b"%0D"), (b"\n", b"%0A"):
            name = name.replace(character, code)
        return name.decode("latin-1")

    for line in open(f"{folder}/forms.jsonl", encoding="utf-8"):
        form = json.loads(line)
        seed = form["seed"]
        with open(f"{folder}/{seed}.body", "rb") as file:
            text = file.read().decode("latin-1")
        message = Parser().parsestr(f"Content-Type: {form['contentType']}\r\n\r\n{text}")
        check(seed, "type", message.get_content_type(), "multipart/form-data")
        check(seed, "defects", message.defects, [])
        check(seed, "preamble", message.preamble or "", "")
        check(seed, "epilogue", message.epilogue or "", "")
        found = message.get_payload()
        check(seed, "number of parts", len(found), len(form["parts"]))
        for part, expected in zip(found, form["parts"]):
            name, names = escaped(base64.b64decode(expected["name"])), {}
            names["name"] = name
            header = f'form-data; name="{name}"'
            if expected.get("fileName") is not None:
                names["filename"] = escaped(base64.b64decode(expected["fileName"]))
                header += f'; filename="{names["filename"]}"'
            fields = [("Content-Disposition", header)]
            if expected.get("contentType"):
                fields.append(("Content-Type", expected["contentType"]))
            check(seed, "header", list(part.raw_items()), fields)
            check(seed, "defects of a part", part.defects, [])
            if any(text.endswith("\\") for text in names.values()):
                unreadable += 1
            else:
                for key in "name", "filename":
                    value = part.get_param(key, header="content-disposition")
                    text = names.get(key)
                    check(seed, key, value, None if text is None else unquote(f'"{text}"'))
            content = part.get_payload().encode("latin-1")
            check(seed, "content", content, base64.b64decode(expected["content"]))
            parts += 1
        forms += 1
    print(f"{forms} forms, {parts} parts, {unreadable} ending with a backslash")
    """#

  @Test func `python reads what was written`() async throws {
    let folder = try TemporaryFolder()
    var manifest = Data()
    var (parts, unreadable) = (0, 0)
    let count = Fuzz.size(100, full: 1_000)
    for number in 0..<UInt64(count) {
      let seed = Fuzz.seed() &+ number
      let form = try SeededForm(seed: seed, folder: folder.url)
      let posted = try await PostedForm(form.form)
      try await posted.body.collect().write(to: folder.url.appending(path: "\(seed).body"))
      manifest += try JSONEncoder().encode(
        Form(
          seed: seed, contentType: posted.contentType,
          parts: form.parts.map { part in
            Form.Part(
              name: Data(part.name.utf8), fileName: part.fileName.map { Data($0.utf8) },
              contentType: part.contentType, content: part.content)
          }))
      manifest += "\n".utf8
      parts += form.parts.count
      unreadable += form.parts.count { part in
        [part.name, part.fileName].contains { $0?.utf8.last == UInt8(ascii: "\\") }
      }
    }
    _ = try folder.file("forms.jsonl", manifest)
    let (_, output) = try await Process.run([
      "python3", "-c", Self.script, folder.url.path(),
    ])
    let text = String(decoding: output, as: UTF8.self)
    #expect(text == "\(count) forms, \(parts) parts, \(unreadable) ending with a backslash\n")
  }
}
