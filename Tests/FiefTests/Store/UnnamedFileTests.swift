import Fief
import Foundation
import Testing

/// Files without names, and on file systems that do not have these, files with temporary names.
struct UnnamedFileTests {
  private final class Item: Object {
    @Persisted(primaryKey: true) var id = 0
  }

  private struct Items: DatabaseConfigurable {
    let directory: String?
    var schemaName: String? { "items" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Item.self] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func names(_ path: String? = nil) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path ?? directory.path).sorted()
  }

  private func write(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8)
    #expect(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count && fsync(descriptor) == 0)
  }

  private func make(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: directory[name]))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: directory[name], encoding: .utf8)
  }

  @Test(arguments: [false, true]) func aScratchFileHasNoName(_ isNamed: Bool) throws {
    // A killed process has left the name.
    try make("left", ".sorting")
    let file = try #require(UnnamedFile.make(in: directory.path, isNamed: isNamed))
    let other = try #require(UnnamedFile.make(in: directory.path, isNamed: isNamed))
    #expect(try names() == (isNamed ? [] : [".sorting"]))
    write("one", file.descriptor)
    write("two", other.descriptor)
    var bytes = [UInt8](repeating: 0, count: 4)
    #expect(pread(file.descriptor, &bytes, 4, 0) == 3 && bytes.starts(with: "one".utf8))
    #expect(UnnamedFile.make(in: directory["missing"], isNamed: isNamed) == nil)
    // The directory of temporary files has no name of a file of this process either.
    #expect(UnnamedFile.make(in: nil, isNamed: isNamed) != nil)
  }

  @Test(arguments: [false, true]) func aCompleteFileReplacesAnother(_ isNamed: Bool) throws {
    for old in [nil, "old"] as [String?] {
      if let old { try make(old, "file") }
      let file = try #require(UnnamedFile.make(toReplace: directory["file"], isNamed: isNamed))
      write("new", file.descriptor)
      // If the process is killed now, it leaves no other name.
      #expect(try names().count == (old == nil ? 0 : 1) + (isNamed ? 1 : 0))
      if let old { #expect(try text("file") == old) }
      #expect(file.replace(directory["file"]))
      #expect(try text("file") == "new" && names() == ["file"])
      let mode = try FileManager.default.attributesOfItem(atPath: directory["file"])[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  /// A process that is killed between the two calls of a replacement leaves a second name.
  @Test func theNextReplacementRemovesASecondName() throws {
    let name = String(repeating: "n", count: 250)
    try make("old", name)
    try make("left", String(UnnamedFile.secondName(of: directory[name]).dropFirst(directory.path.count + 1)))
    #expect(try names().count == 2)
    let file = try #require(UnnamedFile.make(toReplace: directory[name]))
    write("new", file.descriptor)
    #expect(file.replace(directory[name]))
    #expect(try names() == [name] && text(name) == "new")
    // The same file again.
    #expect(file.replace(directory[name]))
    #expect(try names() == [name] && text(name) == "new")
  }

  @Test(arguments: [false, true]) func anIncompleteFileLeavesNothing(_ isNamed: Bool) throws {
    try make("old", "file")
    do {
      let file = try #require(UnnamedFile.make(toReplace: directory["file"], isNamed: isNamed))
      write("new", file.descriptor)
    }
    #expect(try names() == ["file"] && text("file") == "old")
    try FileManager.default.createDirectory(atPath: directory["folder"], withIntermediateDirectories: false)
    try make("inside", "folder/inside")
    do {
      let file = try #require(UnnamedFile.make(toReplace: directory["folder"], isNamed: isNamed))
      #expect(!file.replace(directory["folder"]))
    }
    #expect(try names() == ["file", "folder"])
    #expect(UnnamedFile.make(toReplace: directory["missing/file"], isNamed: isNamed) == nil)
  }

  @Test(arguments: [false, true]) func anOpeningRemovesWhatAKilledProcessLeft(_ isDynamic: Bool) throws {
    let items = Items(directory: directory.path)
    try items.write { _ = try $0.create(Item.self, value: ["id": 1]) }
    items.close()
    let store = directory["items"]
    let files = try names(store)
    try make("", "items/.sorting")
    // A store that is opened for reading is not changed.
    try DynamicStore(directory: store).close()
    #expect(try names(store) == [".sorting"] + files)
    if isDynamic {
      try DynamicStore(directory: store, isReadOnly: false).close()
    } else {
      #expect(try items.read { $0.objects(Item.self).count } == 1)
      items.close()
    }
    #expect(try names(store) == files)
  }
}
