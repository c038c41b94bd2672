import Foundation

/// Source files, with the types that they declare and use.
struct SourceTree {
  struct File {
    /// The path below the root, and its first folder.
    let path: String
    let folder: String
    /// The names of the types that other files may use: `RequestEvent.Stage`.
    var declared: Set<String> = []
    var used: Set<String> = []
  }

  private(set) var files: [File] = []

  init(_ root: URL) throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path())
    files = try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.map { path in
      // Comments and texts may contain any names.
      let code = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        .replacing(/\/\/.*/, with: "").replacing(/"[^"\n]*"/, with: "")
      let folder = path.firstIndex(of: "/").map { path[..<$0] } ?? ""
      var file = File(path: path, folder: String(folder))
      file.read(code)
      return file
    }
  }

  /// The folders that each folder uses, apart from the root.
  var uses: [String: Set<String>] {
    let folders = Dictionary(
      files.flatMap { file in file.declared.map { ($0, file.folder) } },
      uniquingKeysWith: { first, _ in first })
    var result = Dictionary(
      uniqueKeysWithValues: Set(files.map(\.folder)).subtracting([""]).map { ($0, Set<String>()) })
    for file in files {
      for name in file.used {
        guard let folder = folders[name], folder != file.folder else { continue }
        result[file.folder]?.insert(folder)
      }
    }
    for folder in result.keys { result[folder]?.remove("") }
    return result
  }

  /// Returns the files of these folders, with the types that they use of each other.
  func files(ofCircle circle: Set<String>) -> [String] {
    files.filter { circle.contains($0.folder) }.flatMap { file in
      files.filter { $0.folder != file.folder && circle.contains($0.folder) }.compactMap { other in
        let names = file.used.intersection(other.declared)
        return names.isEmpty ? nil : "\(file.path) uses \(names.sorted()) of \(other.path)"
      }
    }
  }
}

extension SourceTree.File {
  private typealias Scope = (indentation: Int, name: Substring)

  /// Finds declarations by indentation, which swift-format enforces, and uses by capital letters.
  fileprivate mutating func read(_ code: String) {
    var (scopes, own): ([Scope], Set<Substring>) = ([], [])
    let declaration =
      /(?m)^( *)((?:@\w+(?:\([^)]*\))? |\w+ )*?)(struct|class|enum|protocol|typealias|extension|associatedtype) ([\w.]+)(?:<([^>]*)>)?/
    for match in code.matches(of: declaration) {
      let (_, spaces, modifiers, kind, name, parameters) = match.output
      scopes.removeAll { $0.indentation >= spaces.count }
      let path = (scopes.map(\.name) + [name]).joined(separator: ".")
      let isPrivate = modifiers.contains("private")
      if isPrivate || kind == "associatedtype" || kind == "typealias" && !scopes.isEmpty {
        // These names have other meanings in other files.
        own.insert(name)
      } else if kind != "extension" {
        declared.insert(path)
      }
      for parameter in (parameters ?? "").split(separator: ",") {
        own.formUnion(parameter.prefix { $0 != ":" }.split(separator: " ").prefix(1))
      }
      if kind != "typealias", kind != "associatedtype" { scopes.append((spaces.count, name)) }
    }
    for match in code.matches(of: /func \w+<([^>]*)>/) {
      for parameter in match.output.1.split(separator: ",") {
        own.formUnion(parameter.prefix { $0 != ":" }.split(separator: " ").prefix(1))
      }
    }
    for match in code.matches(of: /(?:^|[^\w.])(([A-Z]\w*)(?:\.[A-Z]\w*)*)/) {
      guard !own.contains(match.output.2) else { continue }
      // `RequestEvent.Stage` uses only `RequestEvent.Stage`, and `Client.Error` not all of `Client`.
      var path = String(match.output.1)
      used.insert(path)
      while let dot = path.lastIndex(of: ".") {
        path = String(path[..<dot])
        used.insert(path)
      }
    }
  }
}
