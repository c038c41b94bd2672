import ArgumentParser
import Curlew
import CurlewAsyncHTTPClient
import CurlewTerminal
import Foundation

/// `showcase download URL`: downloads a file with a progress bar.
package struct DownloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "download",
    abstract: "Download a file, with a progress bar on a terminal.",
    discussion: """
      An interrupted download is kept in a hidden file. The same command resumes it, if the file on \
      the server has not changed. The file gets its name when it is complete.

      --json prints an object with the keys file (its path), size, and resumedFrom, the number of \
      bytes that were downloaded before; sizes are in bytes.

      \(Failure.legend)
      """)

  @Argument(help: ArgumentHelp("The address of the file.", valueName: "url"))
  var url: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file or folder to write to; by default a file in this folder, named after the URL.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace the file if it exists.")
  var force = false

  @OptionGroup
  var verbosity: Verbosity

  @OptionGroup var format: OutputOptions

  func validate() throws {
    _ = try parts
    if output == "" { throw ValidationError("--output needs a file name.") }
  }

  func run() async throws {
    let (client, request) = try parts
    let file = file
    let name = file.lastPathComponent
    // The details are written to the same stream, and would break the progress line.
    let progress = verbosity.verbose ? nil : Progress(name)
    do {
      let result = try await client.download(
        request, to: file, options: DownloadOptions(ifExists: force ? .replace : .fail)
      ) { progress?.show($0) }
      progress?.end()
      try await AsyncHTTPClientTransport.shutdownShared()
      let before = result.resumedFrom
      let object: JSONObject = [
        "file": result.file.path, "resumedFrom": before, "size": result.size,
      ]
      try StandardStream.output.write(
        format.json
          ? object.json
          : "\(result.file.path.printable): \(result.size.bytes)"
            + (before > 0 ? ", \(before.bytes) of them downloaded before" : "") + "\n")
    } catch let error as Client.Error {
      progress?.end()
      try? await AsyncHTTPClientTransport.shutdownShared()
      guard case .file(let failure) = error, failure.kind == .exists else { throw Failure(error) }
      throw Failure(
        "\(file.path) exists. Choose another file with --output, or replace it with --force.",
        status: .outputError)
    }
  }

  /// The client and the request for the file.
  private var parts: (client: Client, request: Request<Data>) {
    get throws {
      let network = Network(transport: .asyncHTTPClient, observers: verbosity.observers)
      return try Client.get(url, over: network)
    }
  }

  /// The destination of the file.
  private var file: URL {
    guard let output else { return URL(filePath: Self.name(of: url)) }
    let file = URL(filePath: output)
    let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    return isFolder ? file.appending(path: Self.name(of: url)) : file
  }

  /// Returns a file name from a URL; it never contains a path, a leading dot or terminal control
  /// characters.
  package static func name(of url: String) -> String {
    let last = URLComponents(string: url)?.percentEncodedPath.split(separator: "/").last
    let text = (last?.removingPercentEncoding ?? "").replacing(/[\/\\]/, with: "-").printable
    let name = text.trimmingPrefix { $0 == "." || $0 == " " || $0 == "-" }
    // A file name has at most 255 bytes, and the hidden file's name is longer.
    var short = String(name.prefix(100))
    while short.utf8.count > 200 { short.removeLast() }
    return short.isEmpty ? "download" : short
  }
}
