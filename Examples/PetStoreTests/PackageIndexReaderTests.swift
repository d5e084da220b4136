import ChildProcesses
import Fief
import FiefConsole
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
        // A child writes it. A child that another test starts meanwhile would inherit the open file, and a
        // program that is open for writing cannot be started.
        let write = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\""
        let outcome = try ChildProcess.run(
          "/bin/sh",
          ["-c", write, "sh", directory.appending(path: name).path, script]
        )
        #expect(outcome.end == .exited(0))
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

  /// A machine whose apt has the sample of a real index, compressed.
  private func machine(in directory: URL, dumping: String = "cat '\(Fixtures.packagesFile.path)'") throws
    -> Machine
  {
    let tool = directory.appending(path: "apt-cache")
    let script = """
      #!/bin/sh
      case $1 in
      stats)
        echo 'Total package names: 31 (868 )'
        echo '  Normal packages: 10'
        echo '  Mixed virtual packages: 1'
        echo '  Missing: 9' ;;
      dumpavail) \(dumping) ;;
      esac
      """
    try Data(script.utf8).write(to: tool)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
    try Data("old".utf8).write(to: directory.appending(path: "x_Packages.lz4"))
    return Machine(
      listDirectory: directory.path,
      statusFile: directory.path + "/status",
      searchPath: [directory.path]
    )
  }

  @Test("A part of a real index is read whole through apt-cache, and so many packages are expected")
  func realIndex() async throws {
    try await Fixtures.withDirectory { directory in
      let source = try PackageSource.find(on: try machine(in: directory))
      #expect(source.name == "apt-cache dumpavail" && source.expectedCount == 11)
      let batches = try await readAll(source, limit: 2000)
      #expect(batches.flatMap(\.problems).isEmpty)
      let records = batches.flatMap(\.records)
      #expect(
        records.map(\.name) == [
          "0ad", "base-files", "bash", "dash", "fonts-dejavu-core", "git", "libc6", "iso-codes", "postfix",
          "wine64",
          "perl-base",
        ]
      )
      let perl = try #require(records.last)
      #expect(perl.isEssential && perl.source == "perl" && perl.version == "5.36.0-7+deb12u4")
      #expect(records.allSatisfy { $0.installedSize > 0 && $0.downloadSize > 0 && !$0.summary.isEmpty })
    }
  }

  @Test(
    "If apt changes the index during the import, the import starts again and stores no package of the changed files"
  )
  func changingIndex() async throws {
    try await Fixtures.withDirectory { directory in
      // The first time the command fails in the middle; the second time it gives parts of two files.
      let list = directory.appending(path: "x_Packages.lz4").path
      let torn = "printf 'Package: torn\\nVersion: 1\\n\\n'"
      let dumping = """
        case $(cat '\(list)') in
        old) echo new > '\(list)'; \(torn); exit 100 ;;
        new) echo newest > '\(list)'; \(torn) ;;
        *) cat '\(Fixtures.packagesFile.path)' ;;
        esac
        """
      let machine = try machine(in: directory, dumping: dumping)
      let catalogue = CatalogueRepository(directory: directory.path)
      defer { catalogue.close() }
      let written = Lock("")
      let console = Console(terminal: .plain) { text in written.withLock { $0 += text } }
      let report = try await CatalogueImporter(into: catalogue)
        .run(try PackageSource.find(on: machine), of: machine, limit: nil, on: console, pause: .zero)
      #expect(report.counts.added == 11 && report.problemCount == 0)
      #expect(try catalogue.fetchObject(ofType: Package.self, forPrimaryKey: "torn") == nil)
      let text = written.withLock { $0 }
      #expect(text.contains("ended with status 100") && text.contains("changed while it was read"), "\(text)")
    }
  }
}
