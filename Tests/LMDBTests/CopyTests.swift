import Foundation
import LMDB
import Testing

@Suite struct CopyTests {
  let scratch = Scratch()

  private func open() throws -> (Environment, Database) {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    let items = try environment.database("items")
    try environment.write { transaction in
      for index in 0..<3000 {
        try transaction.put(items, "\(index)", String(repeating: "\(index) ", count: index % 700))
      }
    }
    try environment.write { transaction in
      for index in 0..<1500 { _ = try transaction.delete(items, "\(index)") }
    }
    return (environment, items)
  }

  @Test func aCopyIsAStoreOfItsOwn() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    try environment.copy(to: scratch["copy"])
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch["copy/data.mdb"])
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let folder = try FileManager.default.attributesOfItem(atPath: scratch["copy"])
    #expect(folder[.posixPermissions] as? Int == 0o700)
    let report = try StoreVerifier.verify(directory: scratch["copy"])
    #expect(report.entries == 1500)
    #expect(report.freePages == 0 && report.unreferencedPages == 0)
    let copy = try Environment.open(directory: scratch["copy"], options: .small())
    defer { copy.close() }
    let same = try copy.database("items")
    try copy.write { try $0.put(same, "new", "1") }
    try copy.read { transaction throws in
      try environment.read { original throws in
        for index in 0..<3000 {
          #expect(try transaction.text(same, "\(index)") == original.text(items, "\(index)"))
        }
        #expect(try original.text(items, "new") == nil)
      }
    }
  }

  @Test func nothingIsOverwritten() throws {
    let (environment, _) = try open()
    defer { environment.close() }
    #expect(mkdir(scratch["empty"], 0o700) == 0)
    #expect(symlink("nowhere", scratch["link"]) == 0)
    #expect(FileManager.default.createFile(atPath: scratch["file"], contents: nil))
    for name in ["empty", "link", "file", "store"] {
      #expect(code { try environment.copy(to: scratch[name]) } == .alreadyExists, "\(name)")
    }
    #expect(code { try environment.copy(to: scratch["missing/copy"]) } == .directoryNotCreated)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    #expect(names == ["empty", "file", "link", "store"])
  }

  @Test func copiesWhileOthersWrite() throws {
    let (environment, items) = try open()
    defer { environment.close() }
    let isDone = Flag()
    let folder = scratch.path
    onThreads(2) { index in
      if index == 1 {
        var round = 0
        while !isDone.isSet {
          round += 1
          try environment.write { transaction in
            for part in 0..<50 {
              try transaction.put(items, "live\(part)", String(repeating: "\(round)", count: 300))
            }
          }
        }
        return
      }
      defer { isDone.set() }
      for number in 0..<5 {
        let path = folder + "/copy\(number)"
        try environment.copy(to: path)
        let copy = try Environment.open(directory: path, options: .small())
        let same = try copy.database("items")
        try copy.read { transaction throws in
          // One commit's state: all the live entries of one round.
          let values = try (0..<50).map { try transaction.text(same, "live\($0)") }
          #expect(Set(values).count == 1)
        }
        copy.close()
      }
    }
  }

  @Test func anEmptyStoreCanBeCopied() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    try environment.copy(to: scratch["copy"])
    let copy = try Environment.open(directory: scratch["copy"], options: .small())
    defer { copy.close() }
    let items = try copy.database("items")
    try copy.write { try $0.put(items, "a", "1") }
    #expect(try StoreVerifier.verify(directory: scratch["copy"]).entries == 1)
  }
}
