import Fief
import Foundation
import Testing

@testable import FiefCore

/// The engine reaches a kind of index through its maintainer only.
@Suite struct IndexMaintainerTests {
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources").standardized

  /// The files that may name the kind: the list of maintainers, the kind's own files, and the declarations
  /// for applications.
  private static let files: Set<String> = [
    "FiefCore/Trees/Indexes/IndexMaintainers.swift",
    "FiefCore/Bytes/Schema/IndexDefinition.swift", "FiefCore/Bytes/Schema/IndexOptions.swift",
    "FiefCore/Objects/PersistedFlags.swift", "FiefCore/Objects/Declaring/Definitions+KeyPaths.swift",
    "FiefCore/Queries/Planning/QueryPlan.swift", "FiefCore/Results/Typed/FullText.swift",
    "FiefCore/Results/Typed/PredicateMembers.swift", "FiefInspection/Dynamic/DynamicIndex.swift",
  ]

  @Test func onlyTheListOfMaintainersAndDeclarationsNameAKind() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    var found: Set<String> = []
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: Self.sources.appendingPathComponent(path), encoding: .utf8)
      if text.contains(".fullText") { found.insert(path) }
    }
    #expect(found == Self.files)
  }

  @Test func everyKindButTheOrderedOneHasAMaintainer() {
    #expect(IndexEntry.Kind.ordered.maintainer == nil)
    #expect(IndexEntry.Kind.fullText.maintainer is FullTextMaintainer.Type)
    #expect(IndexEntry.Kind(rawValue: 3) == nil, "a new kind needs a line here")
  }

  private struct Refused: Error {}

  /// The maintainer of a nested write counts the sums of a full-text index, and they end with the nested
  /// write.
  @Test func aNestedWriteThatFailsLeavesNothingInAnIndex() throws {
    try IndexedRepository.forBoth { repository in
      let notes = ["a", "a a", "a a a"]
      try repository.saveNow(notes.enumerated().map { id, note in IndexedMember(id) { $0.note = note } })
      let core = try repository.store().core()
      let table = try #require(core.tables["IndexedMember"])
      try core.environment.write { transaction in
        let writer = RecordWriter(tables: core.tables, transaction: transaction, collectsChanges: false)
        var rows: [(key: [UInt8], record: [UInt8])] = []
        let cursor = try transaction.cursor(try writer.records(of: table))
        while try cursor.next() { rows.append(([UInt8](cursor.key), [UInt8](cursor.value))) }
        func put(_ record: Int, at key: Int, _ writer: RecordWriter) throws {
          try rows[key].key.withUnsafeBytes { key in
            try rows[record].record.withUnsafeBytes { try writer.put(key: key, record: $0, into: table) }
          }
        }
        try put(1, at: 0, writer)
        #expect(throws: Refused.self) {
          try writer.nested { inner in
            try put(0, at: 2, inner)
            try inner.flushTrees()
            try put(1, at: 2, inner)
            throw Refused()
          }
        }
        try put(2, at: 1, writer)
        try writer.finishTrees()
      }
      #expect(try repository.check().problems == [])
    }
  }

  /// Words that stay, go and come, and a text that becomes nil, leave the sums of the records.
  @Test func changesOfTextsKeepTheSums() throws {
    try IndexedRepository.forBoth { repository in
      let texts: [String?] = ["a b c", "a b", "c b", nil, "a a a", "", "b a a c"]
      for text in texts {
        try repository.saveNow([IndexedMember(1) { $0.note = text }], .all)
        #expect(try repository.check().problems == [], "\(text ?? "nil")")
      }
      try repository.store().write { try $0.delete(ofType: IndexedMember.self, forPrimaryKeys: [1]) }
      #expect(try repository.check().problems == [])
    }
  }
}
