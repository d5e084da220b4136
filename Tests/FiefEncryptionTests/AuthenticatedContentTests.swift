import Fief
import FiefEncryption
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// The parts of a store, besides those in ``CommitRecordTests``, that the record of a commit authenticates.
@Suite(.timeLimit(.minutes(30))) struct AuthenticatedContentTests {
  final class Shelf: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var books: List<Volume>
    @Persisted var texts: List<String>

    override class func relationships() -> [Relationship] { [Relationship("books", deleteRule: .cascade)] }
  }

  /// A class without a primary key, so that row ids are reserved.
  final class Volume: Object {
    @Persisted var title = ""
  }

  /// A change of the files without the key.
  enum Attack: CaseIterable {
    case rule, schemaVersion, rowID, link, element

    /// The words of the error.
    var text: String {
      switch self {
      case .rule, .schemaVersion, .rowID: "the catalogue or the name of a tree was changed"
      case .link: "has 2 entries, but had 3 after the last commit"
      case .element: "the tree 'fief:collections' has"
      }
    }
  }

  let scratch: Scratch
  let clinic: Clinic

  init() throws {
    scratch = try Scratch()
    clinic = Clinic(parent: scratch.path, types: [Shelf.self, Volume.self])
  }

  private func perform(_ attack: Attack) throws {
    try clinic.write { transaction in
      let shelf = Shelf(value: ["id": 1, "texts": (0..<2000).map { "text \($0)" }])
      for number in 0..<3 { shelf.books.append(Volume(value: ["title": "volume \(number)"])) }
      try transaction.add(shelf)
    }
    clinic.close()
    let attacker = Attacker(directory: scratch.path + "/clinic")
    func changeCatalogue(_ body: (inout Catalogue) throws -> Void) throws {
      try attacker.change(Catalogue.treeName) { transaction, tree in
        let bytes = try transaction.bytes(tree, Catalogue.key)
        var catalogue = try bytes.withUnsafeBytes { try Catalogue.decode($0) }
        try body(&catalogue)
        try transaction.put(catalogue.encoded(), Catalogue.key, tree)
      }
    }
    func changeEntries(_ prefix: String, _ body: (inout [[UInt8]: [UInt8]]) throws -> Void) throws {
      let tree = try attacker.tree(beginningWith: prefix)
      var entries = try attacker.entries(tree)
      try body(&entries)
      try attacker.replace(tree, by: entries)
    }
    switch attack {
    case .rule:
      try changeCatalogue { catalogue in
        let place = try #require(catalogue.types.firstIndex { !$0.relationships.isEmpty })
        #expect(catalogue.types[place].relationships.map(\.deleteRule) == [.cascade])
        catalogue.types[place].relationships[0].deleteRule = .noAction
      }
    case .schemaVersion: try changeCatalogue { $0.schemaVersion = 2 }
    case .rowID:
      try changeEntries(Catalogue.treeName) { rows in
        let ids = rows.keys.filter { $0.starts(with: "rowid:".utf8) }
        #expect(ids.count == 1)
        // The ids of the objects would be reserved once more.
        for id in ids { rows[id] = [1, 0, 0, 0, 0, 0, 0, 0] }
      }
    case .link: try changeEntries("links:") { $0[try #require($0.keys.first)] = nil }
    case .element: try changeEntries("fief:collections") { $0[try #require($0.keys.first)] = nil }
    }
  }

  @Test("an opening and a check find a change without the key", arguments: Attack.allCases)
  func changes(attack: Attack) throws {
    try perform(attack)
    let error = #expect(throws: FiefError.self) { try clinic.open() }
    #expect(error?.code == .damagedStore)
    #expect(error?.details.contains { $0.contains(attack.text) } == true, "\(error?.details ?? [])")
    #expect(attack != .link || error?.type == "Shelf")
    let report = try StoreOpening.check(
      directory: scratch.path + "/clinic",
      store: "clinic",
      encryption: .test(1)
    )
    #expect(report.problems.contains { $0.contains(attack.text) }, "\(report.problems)")
  }

  @Test("a value under the same key of another tree is an error, also for the objects of its own tree")
  func otherTree() throws {
    try clinic.write { transaction in
      try transaction.add(Volume(value: ["title": "first"]))
      try transaction.add(Shelf(value: ["id": 1]))
    }
    clinic.close()
    let attacker = Attacker(directory: scratch.path + "/clinic")
    let trees = try [Shelf.self, Volume.self].map { type in
      let name = ".\(type)"
      return try #require(try attacker.trees().first { $0.hasPrefix("type:") && $0.hasSuffix(name) })
    }
    let (shelves, volumes) = (try attacker.entries(trees[0]), try attacker.entries(trees[1]))
    // Both keys are the integer 1.
    #expect(Array(shelves.keys) == Array(volumes.keys) && shelves.count == 1)
    try attacker.replace(trees[1], by: shelves)
    #expect(code { _ = try clinic.read { try $0.objects(Volume.self).all() } } == .damagedStore)
    #expect(try clinic.read { try $0.object(ofType: Shelf.self, forPrimaryKey: 1) } != nil)
    #expect((try? clinic.check().problems)?.isEmpty != true)
    clinic.close()
    try attacker.replace(trees[1], by: volumes)
    #expect(try clinic.read { try $0.objects(Volume.self).all().map(\.title) } == ["first"])
    #expect(try clinic.check().problems == [])
    clinic.close()
  }
}
