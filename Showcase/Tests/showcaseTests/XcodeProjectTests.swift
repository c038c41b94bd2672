import Foundation
import Testing

/// The verifiable parts of the apps' Xcode project, without Xcode.
struct XcodeProjectTests {
  private let apps = URL(filePath: #filePath).appending(path: "../../../Apps").standardized

  private func values(_ key: String, in text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("\(key) = ") }
      .map { String($0.dropFirst(key.count + 3).dropLast()) }
  }

  @Test func `each path and product of the project is there`() throws {
    let project = try String(
      contentsOf: apps.appending(path: "CurlewApps.xcodeproj/project.pbxproj"), encoding: .utf8)
    let manifest = try String(contentsOf: apps.appending(path: "../Package.swift"), encoding: .utf8)
    let folders = values("path", in: project)
    #expect(folders == ["App"])
    for folder in folders + ["\(folders[0])/Assets.xcassets"] {
      #expect(FileManager.default.fileExists(atPath: apps.appending(path: folder).path))
    }
    for file in values("INFOPLIST_FILE", in: project) {
      #expect(FileManager.default.fileExists(atPath: apps.appending(path: file).path))
    }
    #expect(values("relativePath", in: project) == [".."])
    let products = values("productName", in: project).filter { $0 != "CurlewApps" }
    #expect(products == ["Apps"])
    for product in products { #expect(manifest.contains(".library(name: \"\(product)\"")) }
    // The setting of Xcode 26 for a new app.
    #expect(values("SWIFT_DEFAULT_ACTOR_ISOLATION", in: project) == ["MainActor", "MainActor"])
  }

  @Test func `each identifier of the project is defined once`() throws {
    let project = try String(
      contentsOf: apps.appending(path: "CurlewApps.xcodeproj/project.pbxproj"), encoding: .utf8)
    let used = Set(project.matches(of: /C0{20}[0-9]{3}/).map { String($0.output) })
    let defined = project.matches(of: /\n\t\t(C0{20}[0-9]{3})[^=\n]* = \{/).map { String($0.1) }
    #expect(used.count > 15 && Set(defined) == used && defined.count == used.count)
  }
}
