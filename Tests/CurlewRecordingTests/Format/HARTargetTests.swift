import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Tests existing files at a recording's path: a root user could replace anything.
@Suite(.timeLimit(.minutes(1)))
struct HARTargetTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func type(of file: URL) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: file.path())[.type] as? FileAttributeType
  }

  @Test func `a pipe is left alone`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe")
    try #require(mkfifo(pipe.path(), 0o644) == 0)
    let error = #expect(throws: HAR.WritingError.self) { try HAR().write(to: pipe) }
    #expect(error?.reason == "it is not a regular file")
    #expect(try await Process.run(["test", "-p", pipe.path()]).end == .success)
  }

  @Test func `a link stays a link to the recording`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (link, file) = (folder.appending(path: "link"), folder.appending(path: "file"))
    try FileManager.default.createSymbolicLink(atPath: link.path(), withDestinationPath: "file")
    try Data("old".utf8).write(to: file)
    try HAR().write(to: link)
    #expect(try type(of: link) == .typeSymbolicLink)
    #expect(try Data(contentsOf: file) == HAR().data())
  }

  @Test func `a folder is not replaced`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: HAR.WritingError.self) { try HAR().write(to: folder) }
    #expect(try type(of: folder) == .typeDirectory)
  }
}
