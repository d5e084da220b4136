import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// The checker, on which most tests end, finds what is made wrong in a store that is whole.
struct StoreCheckerTests {
  enum Change: CaseIterable {
    case entryOfIndexRemoved, entryOfIndexAdded, wayBackRemoved, wayBackAdded
    case targetRemoved, treeAdded, rowIDNotReserved, keyOfAnotherType

    /// The texts of the problems, each the end of one.
    var problems: [String] {
      switch self {
      case .entryOfIndexRemoved:
        [
          "the index of title has no entry for the object",
          "the index of title has 2 entries, but the records require 3",
        ]
      case .entryOfIndexAdded: ["the index of title has 4 entries, but the records require 3"]
      case .wayBackRemoved:
        [
          "the backlink of author is missing",
          "the tree of backlinks of author has 1 entries, but the records require 2",
        ]
      case .wayBackAdded: ["the tree of backlinks of author has 3 entries, but the records require 2"]
      case .targetRemoved:
        [
          "author links to 1, which does not exist", "author links to 1, which does not exist",
          "the index of name has 1 entries, but the records require 0",
        ]
      case .treeAdded: ["the tree 'type:99.Nothing' is not listed in the catalogue"]
      case .rowIDNotReserved:
        [
          "the index of name has no entry for the object",
          "the index of name has 1 entries, but the records require 2",
          "the row id 1000000 was never reserved",
        ]
      case .keyOfAnotherType: []
      }
    }
  }

  @Test(arguments: Change.allCases) func eachChangeIsFound(change: Change) throws {
    let directory = try TemporaryDirectory()
    let repository = WriteRepository.onDisk(directory)
    defer { repository.close() }
    let author = WriteAuthor("Ann")
    let books = (1...3).map { WriteBook("\($0)", title: "title \($0)") }
    for book in books.dropLast() { book.author = author }
    try repository.saveNow(books)
    #expect(try repository.check().problems == [])
    repository.close()
    let environment = try LMDB.Environment.open(directory: directory["books"], options: EnvironmentOptions())
    try environment.write { try make(change, in: $0) }
    environment.close()
    let problems = try repository.check().problems
    guard change != .keyOfAnotherType else {
      #expect(problems.contains { $0.hasPrefix("WriteBook[true]: ") }, "\(problems)")
      return
    }
    for expected in change.problems {
      #expect(problems.contains { $0.hasSuffix(": " + expected) || $0 == expected }, "\(problems)")
    }
    #expect(problems.count == change.problems.count, "\(problems)")
  }

  @Test("a backlink from an object that there is not is an error where the links back are read")
  func wayBackFromNowhere() throws {
    let directory = try TemporaryDirectory()
    let repository = WriteRepository.onDisk(directory)
    defer { repository.close() }
    let book = WriteBook("1", title: "title 1")
    book.author = WriteAuthor("Ann")
    try repository.saveNow([book])
    repository.close()
    func links() throws -> [String] {
      let store = try DynamicStore(directory: directory["books"])
      defer { store.close() }
      return try store.objects(linkingTo: "WriteAuthor", forKey: 1).map {
        "\($0.typeName) \($0.property) \($0.keys)"
      }
    }
    #expect(try links() == ["WriteBook author [1]"])
    try BacklinkDamage.change(
      UInt8(ascii: "1"),
      to: UInt8(ascii: "9"),
      ofLinksFrom: "WriteBook",
      in: directory["books"]
    )
    let error = #expect(throws: FiefError.self) { _ = try links() }
    #expect(error?.code == .damagedRecord && error?.type == "WriteBook" && error?.property == "author")
    #expect(error?.key == "9" && error?.store == "books")
  }

  private func make(_ change: Change, in transaction: LMDB.WritableTransaction) throws {
    let names = try transaction.databaseNames()
    func number(of type: String) throws -> Substring {
      let name = try #require(names.first { $0.hasSuffix("." + type) })
      return name.dropFirst("type:".count).prefix { $0 != "." }
    }
    let (book, author) = (try number(of: "WriteBook"), try number(of: "WriteAuthor"))
    func cursor(_ prefix: String) throws -> Cursor {
      let found = names.filter { $0.hasPrefix(prefix) }
      try #require(found.count == 1, "\(prefix): \(found)")
      let cursor = try transaction.cursor(try transaction.openDatabase(named: found[0]))
      try #require(try cursor.first())
      return cursor
    }
    func put(_ key: [UInt8], _ value: [UInt8], in prefix: String) throws {
      let tree = try transaction.openDatabase(named: try #require(names.first { $0.hasPrefix(prefix) }))
      try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(tree, key, $0) } }
    }
    switch change {
    case .entryOfIndexRemoved: try cursor("index:\(book).").delete()
    case .entryOfIndexAdded: try put([0x02, 0x78, 0x00, 0x02, 0x31, 0x00], [], in: "index:\(book).")
    case .wayBackRemoved: try cursor("links:\(book).").delete()
    case .wayBackAdded: try put([0x15, 0x01, 0x02, 0x33, 0x00], [], in: "links:\(book).")
    case .targetRemoved: try cursor("type:\(author).").delete()
    case .treeAdded: _ = try transaction.openDatabase(named: "type:99.Nothing")
    case .rowIDNotReserved:
      var record = [UInt8](try cursor("type:\(author).").value)
      let key: [UInt8] = [0x17, 0x0F, 0x42, 0x40]
      let type = try #require(UInt32(author))
      let checksum = key.withUnsafeBytes { key in
        record.withUnsafeBytes { RecordChecksum.ofStored($0, key: key, type: type) }
      }
      withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(0..<4, with: $0) }
      try put(key, record, in: "type:\(author).")
    case .keyOfAnotherType:
      let record = [UInt8](try cursor("type:\(book).").value)
      try put([0x27], record, in: "type:\(book).")
    }
  }
}
