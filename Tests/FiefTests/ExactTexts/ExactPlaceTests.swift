import Fief
import FiefTesting
import Foundation
import Testing

/// Places of stores whose names Swift holds equal.
@Suite("Places of stores that Swift holds equal") struct ExactPlaceTests {
  private struct Repository: DatabaseConfigurable {
    var realmMemoryType: RealmMemoryType
    var directory: String?
    var schemaName: String? = "accents"
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [AccentKind.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }

  private func expectTwoStores(_ first: Repository, _ second: Repository) throws {
    for (id, repository) in [first, second].enumerated() {
      try repository.saveAndWait(entity: AccentKind(value: ["id": id]))
    }
    for (id, repository) in [first, second].enumerated() {
      #expect(repository.store().objects(AccentKind.self).map(\.id) == [id])
    }
    first.closeChecked()
    #expect(second.store().objects(AccentKind.self).map(\.id) == [1])
    second.closeChecked()
  }

  @Test func identifiersInMemory() throws {
    let id = UUID().uuidString
    let repositories = Accent.allCases.map {
      Repository(realmMemoryType: .inMemory(identifier: id + $0.text))
    }
    #expect(repositories[0].realmMemoryType != repositories[1].realmMemoryType)
    try expectTwoStores(repositories[0], repositories[1])
  }

  @Test func directoriesAndNames() throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let places = Accent.allCases.map {
      Repository(realmMemoryType: .inStorage, directory: directory.path + "/" + $0.text)
    }
    try expectTwoStores(places[0], places[1])
    let names = Accent.allCases.map {
      Repository(realmMemoryType: .inStorage, directory: directory.path, schemaName: $0.text)
    }
    try expectTwoStores(names[0], names[1])
  }

  @Test func aJointWriteFindsEachStoreByItsName() throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let stores = Accent.allCases.map {
      Repository(realmMemoryType: .inStorage, directory: directory.path, schemaName: $0.text)
    }
    try StoreManager(repositories: stores).write(to: stores) { write in
      for accent in Accent.allCases {
        try write[accent.text].add(AccentKind(value: ["id": accent.id]))
      }
    }
    for (accent, store) in zip(Accent.allCases, stores) {
      #expect(store.store().objects(AccentKind.self).map(\.id) == [accent.id])
      store.closeChecked()
    }
  }

  @Test func referencesToTwoStoresAreTwo() {
    let links = Accent.allCases.map { CrossStoreLink<AccentKind>(text: $0.text + "/AccentKind/1") }
    #expect(links[0] != links[1] && Set(links).count == 2)
    let same = CrossStoreLink<AccentKind>(text: links[0].text)
    #expect(links[0] == same)
    #expect(Set(links).contains(CrossStoreLink(text: links[1].text)))
  }
}
