import Foundation
import Testing

@testable import PetStoreKit

@Suite("Package sources") struct PackageIndexReaderTests {
  private func readAll(_ source: PackageSource, limit: Int) async throws -> [PackageBatch] {
    let reader = PackageIndexReader(source)
    var batches: [PackageBatch] = []
    while let batch = try await reader.next(limit: limit) { batches.append(batch) }
    return batches
  }

  private func index(of count: Int) -> String {
    (0..<count).map { "Package: p\($0)\nVersion: \($0)\nDescription: number \($0)\n\n" }.joined()
  }

  @Test("Files come one after the other, in batches, with their problems and their size")
  func files() async throws {
    try await Fixtures.withDirectory { directory in
      let first = directory.appending(path: "a_Packages")
      let second = directory.appending(path: "b_Packages")
      try Data(index(of: 20_000).utf8).write(to: first)
      try Data((Fixtures.index + "\nPackage: x\nnonsense\n").utf8).write(to: second)
      let source = PackageSource(origin: .files([first.path, second.path]), name: "fixture")
      let batches = try await readAll(source, limit: 1000)
      #expect(batches.count > 2)
      let names = batches.flatMap(\.records).map(\.name)
      #expect(names.count == 20_003)
      #expect(Array(names.suffix(4)) == ["p19999", "0ad", "libc6", "mailbox"])
      #expect(batches.reduce(0) { $0 + $1.problemCount } == 2)
      let size = try Data(contentsOf: first).count + Data(contentsOf: second).count
      #expect(batches.reduce(0) { $0 + $1.bytes } == size)
    }
  }

  @Test("The output of a command is read to its end")
  func command() async throws {
    try await Fixtures.withDirectory { directory in
      let file = directory.appending(path: "index")
      try Data(index(of: 5000).utf8).write(to: file)
      let source = PackageSource(origin: .command("/bin/cat", arguments: [file.path]), name: "cat")
      let batches = try await readAll(source, limit: .max)
      #expect(batches.flatMap(\.records).count == 5000)
    }
  }

  @Test("A command that fails after half of its output is an error, not a short index")
  func failingCommand() async throws {
    let script = "printf 'Package: a\\nVersion: 1\\n\\n'; exit 3"
    let source = PackageSource(origin: .command("/bin/sh", arguments: ["-c", script]), name: "sh")
    let error = await #expect(throws: InputError.self) { try await readAll(source, limit: 10) }
    #expect(error == .commandFailed(name: "sh", status: 3, message: ""))
  }

  @Test("Closing in the middle ends a command that would never end")
  func closing() async throws {
    let script = "while :; do printf 'Package: a\\nVersion: 1\\n\\n'; done"
    let source = PackageSource(origin: .command("/bin/sh", arguments: ["-c", script]), name: "sh")
    let reader = PackageIndexReader(source)
    let batch = try await reader.next(limit: 10)
    #expect((batch?.records.count ?? 0) >= 10)
    await reader.close()
    #expect(try await reader.next(limit: 10) == nil)
  }

  @Test("A file that is not there is an error that names it")
  func missing() {
    let error = #expect(throws: InputError.self) { try PackageSource.file("no-such-index") }
    #expect(error?.description.contains("no-such-index") == true)
  }

  @Test("A machine with plain lists, with compressed ones, with dpkg alone, with nothing")
  func machines() async throws {
    try await Fixtures.withDirectory { directory in
      func tool(_ name: String, _ script: String) throws {
        let file = directory.appending(path: name)
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      }
      let bare = Machine(
        listDirectory: directory.path,
        statusFile: directory.path + "/status",
        searchPath: [directory.path]
      )
      #expect(throws: InputError.noPackageIndex) { try PackageSource.find(on: bare) }

      try Data("Package: a\nStatus: install ok installed\nVersion: 1\n".utf8)
        .write(to: directory.appending(path: "status"))
      let status = try PackageSource.find(on: bare)
      #expect(status.isInstalledOnly)
      #expect(try await readAll(status, limit: 1).flatMap(\.records).map(\.name) == ["a"])

      try tool("dpkg-query", "printf xxx")
      let installed = try PackageSource.find(on: bare)
      #expect(installed.name == "dpkg-query")
      #expect(installed.expectedCount == 3)
      #expect(installed.isInstalledOnly)

      try tool("apt-cache", "echo '  Normal packages: 40'; echo '  Mixed virtual packages: 2'")
      try Data().write(to: directory.appending(path: "x_Packages.lz4"))
      let index = try PackageSource.find(on: bare)
      #expect(index.name == "apt-cache dumpavail")
      #expect(index.expectedCount == 42)
      #expect(!index.isInstalledOnly)

      try FileManager.default.removeItem(at: directory.appending(path: "x_Packages.lz4"))
      try Data(Fixtures.index.utf8).write(to: directory.appending(path: "y_Packages"))
      let plain = try PackageSource.find(on: bare)
      #expect(plain.origin == .files([directory.path + "/y_Packages"]))
    }
  }

  @Test(
    "The real index of this machine, where it has one",
    .enabled(if: (try? PackageSource.find())?.name == "apt-cache dumpavail", "there is no package index")
  )
  func realIndex() async throws {
    let source = try PackageSource.find()
    let expected = try #require(source.expectedCount)
    let batches = try await readAll(source, limit: 2000)
    let count = batches.reduce(0) { $0 + $1.records.count }
    #expect(batches.flatMap(\.problems).isEmpty)
    #expect(abs(count - expected) * 20 < expected, "\(count) read, \(expected) expected")
  }
}
