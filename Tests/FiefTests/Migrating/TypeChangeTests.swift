import Fief
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// Changes of types and names that leave the records as they are.
@Suite struct TypeChangeTests {
  private typealias Trees = [String: [[UInt8]: [UInt8]]]

  private let directory: TemporaryDirectory
  private var before: ChangeRepository { ChangeRepository(directory: directory.path) }
  private var after: ChangeRepository { .after(directory.path) }

  init() throws {
    directory = try TemporaryDirectory()
    let repository = before
    try repository.write { transaction in
      let makers = try ["a", "b"].map { try transaction.create(ChangeBefore.Maker.self, value: ["id": $0]) }
      for id in 0..<300 {
        let item = ChangeBefore.Item()
        item.id = Int16(id - 150)
        item.wide = Int32(id) * 1_000_000
        item.name = id % 3 == 0 ? nil : "name \(id)"
        item.tag = "tag \(id % 10)"
        item.maker = makers[id % 2]
        item.makers.append(objectsIn: makers)
        item.small = id % 2 == 0 ? nil : Int8(id % 100)
        item.size = id % 5 == 0 ? .large : .small
        item.ratio = Float(id) / 3
        item.when = id % 4 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(id))
        item.part = ChangeBefore.ItemPart(value: ["number": id % 100])
        item.count = Int16(id)
        try transaction.add(item)
      }
    }
    repository.closeChecked()
  }

  private func trees() throws -> Trees {
    let environment = try LMDB.Environment.open(
      directory: directory["changes"],
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    return try environment.read { transaction in
      var trees = Trees()
      for name in try transaction.databaseNames() where name != Catalogue.treeName {
        let cursor = try transaction.cursor(try #require(try transaction.database(named: name)))
        trees[name] = [:]
        while try cursor.next() { trees[name]?[[UInt8](cursor.key)] = [UInt8](cursor.value) }
      }
      return trees
    }
  }

  private func expectRight(_ item: ChangeAfter.Item, _ id: Int) {
    #expect(item.id == id - 150 && item.wide == id * 1_000_000)
    #expect(item.name == (id % 3 == 0 ? "unnamed" : "name \(id)") && item.label == "tag \(id % 10)")
    #expect(item.producer?.id == ["a", "b"][id % 2] && item.producers.map(\.id) == ["a", "b"])
    #expect(item.small == (id % 2 == 0 ? 7.5 : Double(id % 100)))
    #expect(item.size == (id % 5 == 0 ? .large : .small))
    #expect(item.ratio == Double(Float(id) / 3) && item.total == id)
    if id % 4 > 0 { #expect(item.when == Date(timeIntervalSinceReferenceDate: Double(id))) }
    #expect(item.part?.number == id % 100 && item.part?.text == "none")
  }

  @Test func noRecordIsRewrittenAndNoTreeCopied() throws {
    let old = try trees()
    let repository = after
    let items = try repository.store().objects(ChangeAfter.Item.self).all()
    #expect(items.count == 300)
    for (index, item) in items.enumerated() { expectRight(item, index) }
    repository.closeChecked()
    let new = try trees()
    #expect(Set(new.keys) == Set(old.keys))
    let nameIndex = try #require(new.keys.first { $0 == "index:1.2" })
    for (name, entries) in old where name != nameIndex { #expect(new[name] == entries, "\(name)") }
    // Entries of nil have the default now.
    let null = (old[nameIndex] ?? [:]).keys.filter { $0.first == 0 }
    #expect(null.count == 100)
    #expect(new[nameIndex]?.count == 300 && new[nameIndex]?.keys.contains { $0.first == 0 } == false)
  }

  @Test func recordsOfBothVersionsAreChangedAndFound() throws {
    let repository = after
    defer { repository.closeChecked() }
    try repository.write { transaction in
      for id in [-150, -10, 20] {
        let item = try #require(try transaction.object(ofType: ChangeAfter.Item.self, forPrimaryKey: id))
        item.wide = id == 20 ? nil : Int.max
        item.name = "new"
      }
      try transaction.create(ChangeAfter.Item.self, value: ["id": 100_000, "small": 0.25] as [String: Any])
    }
    let found = try #require(repository.object(ofType: ChangeAfter.Item.self, forPrimaryKey: -10))
    #expect(found.wide == Int.max && found.name == "new" && found.small == 7.5 && found.label == "tag 0")
    #expect(repository.object(ofType: ChangeAfter.Item.self, forPrimaryKey: 20)?.wide == nil)
    #expect(repository.object(ofType: ChangeAfter.Item.self, forPrimaryKey: 100_000)?.small == 0.25)
    let sorted = try repository.store().objects(ChangeAfter.Item.self).sorted(byKeyPath: "wide").all()
    #expect(sorted.first?.id == 20 && sorted.last?.wide == Int.max)
    // Only the given values are written, into a record of the old version.
    try repository.store().write { transaction in
      try transaction.create(ChangeAfter.Item.self, value: ["id": 30, "label": "patched"], update: .modified)
    }
    let patched = try #require(repository.object(ofType: ChangeAfter.Item.self, forPrimaryKey: 30))
    #expect(patched.label == "patched" && patched.name == "unnamed" && patched.total == 180)
    try repository.write { transaction in
      try transaction.delete(ofType: ChangeAfter.Maker.self, forPrimaryKeys: ["a"])
    }
    #expect(repository.object(ofType: ChangeAfter.Item.self, forPrimaryKey: -150)?.producer == nil)
    #expect(repository.object(ofType: ChangeAfter.Item.self, forPrimaryKey: -149)?.producers.count == 1)
  }

  @Test func aValueThatDoesNotFitIsNamedAndNothingChanges() throws {
    let old = try trees()
    let narrow = ChangeRepository(
      schemaVersion: 2,
      objectTypes: ChangeNarrow.types,
      embeddedObjectTypes: [],
      directory: directory.path
    )
    let error = try #require(narrow.store().openingError)
    #expect(error.code == .invalidValue && error.type == "Item" && error.property == "wide")
    #expect(error.key == "-149" && error.store == "changes", "\(error)")
    #expect(try trees() == old)
    before.closeChecked()
  }

  @Test(arguments: [2, 3, 4, 5] as [UInt32])
  func aStoreOfAnEarlierFormatIsReadAndBecomesOneOfThisWithItsNextSchema(old: UInt32) throws {
    try OldFormat.downgrade(directory["changes"], to: old)
    let repository = before
    #expect(try repository.count(ChangeBefore.Item.self) == 300)
    try repository.write { try $0.create(ChangeBefore.Maker.self, value: ["id": "c"]) }
    repository.closeChecked()
    #expect(try format() == old)
    after.closeChecked(hasOldRecords: true)
    #expect(try format() == Catalogue.currentFormat)
    let items = try after.store().objects(ChangeAfter.Item.self).all()
    for (index, item) in items.enumerated() { expectRight(item, index) }
    after.closeChecked(hasOldRecords: true)
  }

  @Test func earlierTypesThatContradictThemselvesAreDamage() throws {
    after.closeChecked()
    let changes: [(inout ColumnEntry) -> Void] = [
      { $0.earlier[0].through = 99 },
      { $0.earlier[0].kind = .string },
      { $0.earlier[0].nilPayload = [1] },
      { $0.type.container = .list },
    ]
    for (number, change) in changes.enumerated() {
      try changeCatalogue { catalogue in
        for type in catalogue.types.indices {
          for column in catalogue.types[type].columns.indices
          where catalogue.types[type].columns[column].name == "wide" {
            change(&catalogue.types[type].columns[column])
          }
        }
      }
      let repository = after
      #expect(repository.store().openingError?.code == .damagedStore, "change \(number)")
      try withCatalogue { _ in kept.bytes }
    }
    after.closeChecked()
  }

  // MARK: The catalogue

  /// The catalogue as it was before the last change of it.
  private final class Kept { var bytes: [UInt8] = [] }
  private let kept = Kept()

  private func format() throws -> UInt32 {
    var format: UInt32 = 0
    try withCatalogue { bytes in
      format = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      return nil
    }
    return format
  }

  private func changeCatalogue(_ change: (inout Catalogue) -> Void) throws {
    try withCatalogue { bytes in
      kept.bytes = bytes
      var catalogue = try bytes.withUnsafeBytes { try Catalogue.decode($0) }
      change(&catalogue)
      return catalogue.encoded()
    }
  }

  private func withCatalogue(_ body: ([UInt8]) throws -> [UInt8]?) throws {
    let environment = try LMDB.Environment.open(
      directory: directory["changes"],
      options: EnvironmentOptions()
    )
    defer { environment.close() }
    try environment.write { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.treeName)
      try Catalogue.key.withUnsafeBytes { key in
        let bytes = [UInt8](try #require(try transaction.get(tree, key)))
        guard let changed = try body(bytes) else { return }
        try changed.withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
  }
}
