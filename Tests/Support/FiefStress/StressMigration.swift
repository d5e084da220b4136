import Fief

/// A store whose migration does everything that one can do, at version 1 or 2.
package struct StressMigrationRepository: DatabaseConfigurable, Sendable {
  package static let count = 600
  package static let holders = 20

  package let version: UInt64
  package let directory: String?
  package var storeOptions = StoreOptions()
  /// Called when the block has done its part, and the rest and the commit follow.
  package var afterBlock: @Sendable () -> Void = {}

  package init(version: UInt64, directory: String) {
    self.version = version
    self.directory = directory
  }

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "animals" }
  package var schemaVersion: UInt64? { version }
  package var objectTypes: [Object.Type]? {
    version == 1
      ? [StressAnimalBefore.self, StressHolderBefore.self, StressGone.self]
      : [StressAnimalAfter.self, StressHolderAfter.self, StressFresh.self]
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? {
    version == 1 ? [StressPartOld<StressVersion>.self] : [StressPartNew<StressVersion>.self]
  }
  package var migrationBlock: MigrationBlock? {
    { [afterBlock] migration, _ in
      migration.renameProperty(onType: "StressAnimal", from: "tag", to: "label")
      migration.renameProperty(onType: "StressAnimal", from: "owner", to: "holder")
      migration.enumerateObjects(ofType: "StressAnimal") { old, new in
        guard let id = old?["id"] as? Int, let new else { return }
        if id % 7 == 6 { return migration.delete(new) }
        if id % 2 == 0 { new["rank"] = id * 3 }
      }
      migration.enumerateObjects(ofType: "StressHolder") { _, new in new?["animals"] = 1 }
      for number in 0..<50 { migration.create("StressFresh", value: ["number": number]) }
      afterBlock()
    }
  }

  /// Fills the store at version 1.
  package func fill() throws {
    try write { transaction in
      let holders = try (0..<Self.holders).map { id in
        try transaction.create(StressHolderBefore.self, value: ["id": id, "title": "holder \(id)"])
      }
      for id in 0..<Self.count {
        let animal = StressAnimalBefore()
        animal.id = Int32(id)
        animal.name = id % 3 == 0 ? nil : "animal \(id)"
        animal.weight = Int32(id * 1000 - 5)
        animal.tag = "tag \(id % 50)"
        animal.gone = id
        animal.owner = holders[id % Self.holders]
        let part = StressPartOld<StressVersion>()
        part.size = Int16(id)
        animal.part = part
        animal.note = "note \(id)"
        try transaction.add(animal)
      }
      for number in 0..<20 { try transaction.create(StressGone.self, value: ["number": number]) }
    }
  }

  /// The problems of the store, opened at its version; empty for one that is consistent.
  package func problems() throws -> [String] {
    var problems = try check().problems
    try read { snapshot in
      if version == 1 { problems += try oldProblems(snapshot) } else { problems += try newProblems(snapshot) }
    }
    return problems
  }

  private func oldProblems(_ snapshot: Snapshot) throws -> [String] {
    var problems: [String] = []
    var id = 0
    for animal in try snapshot.objects(StressAnimalBefore.self).all() {
      let isRight =
        Int(animal.id) == id && animal.name == (id % 3 == 0 ? nil : "animal \(id)")
        && animal.weight == Int32(id * 1000 - 5) && animal.tag == "tag \(id % 50)" && animal.gone == id
        && animal.owner?.id == id % Self.holders && animal.part?.size == Int16(id)
        && animal.note == "note \(id)"
      if !isRight { problems.append("animal \(id) is \(animal)") }
      id += 1
    }
    if id != Self.count { problems.append("\(id) animals") }
    if try snapshot.count(StressGone.self) != 20 { problems.append("a type lost objects") }
    return problems
  }

  private func newProblems(_ snapshot: Snapshot) throws -> [String] {
    var problems: [String] = []
    var expected = (0..<Self.count).filter { $0 % 7 != 6 }[...]
    for animal in try snapshot.objects(StressAnimalAfter.self).all() {
      let id = expected.popFirst() ?? -1
      let isRight =
        animal.id == id && animal.name == (id % 3 == 0 ? "nobody" : "animal \(id)")
        && animal.weight == Double(id * 1000 - 5) && animal.label == "tag \(id % 50)"
        && animal.rank == (id % 2 == 0 ? id * 3 : 0) && animal.holder?.id == id % Self.holders
        && animal.holder?.title == "holder \(id % Self.holders)" && animal.part?.size == id
        && animal.note == "note \(id)"
      if !isRight { problems.append("animal \(id) is \(animal)") }
    }
    if !expected.isEmpty { problems.append("\(expected.count) animals are missing") }
    if try snapshot.objects(StressHolderAfter.self).all().contains(where: { $0.animals != 1 }) {
      problems.append("a holder was not migrated")
    }
    if try snapshot.objects(StressFresh.self).all().map(\.number) != Array(0..<50) {
      problems.append("the new type lacks objects")
    }
    return problems
  }
}
