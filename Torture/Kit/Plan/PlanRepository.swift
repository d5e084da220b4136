import Fief
import Foundation

/// A store whose plan of several steps leads from version 1 to 4.
package struct PlanRepository: DatabaseConfigurable, Sendable {
  package static let name = "zoo"
  package static let animals = 60
  package static let steps: [any MigrationStep.Type] = [
    PlanVersion2.self, PlanVersion3.self, PlanVersion4.self,
  ]

  package let directory: String?
  package let version: UInt64
  package var storeOptions = StoreOptions()

  package init(in directory: String, version: UInt64 = 4) {
    self.directory = directory
    self.version = version
    storeOptions.eventHandler = { event in
      guard case .migrating(let state) = event, state.completed == 0 || state.completed == state.total else {
        return
      }
      PlanPoints.pass("\(state.activity), \(state.completed)")
    }
  }

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { Self.name }
  package var schemaVersion: UInt64? { version }
  package var objectTypes: [Object.Type]? {
    switch version {
    case 1:
      [
        PlanAnimalOld<TortureVersion>.self, PlanKeeperOld<TortureVersion>.self,
        PlanRemarkOld<TortureVersion>.self,
      ]
    case 2: PlanVersion2.objectTypes
    case 3: PlanVersion3.objectTypes
    default:
      [
        PlanAnimalNew<TortureVersion>.self, PlanKindNew<TortureVersion>.self,
        PlanPersonNew<TortureVersion>.self,
        PlanEntryNew<TortureVersion>.self,
      ]
    }
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  package var migrationPlan: MigrationPlan? {
    version == 1 ? nil : MigrationPlan(Self.steps.filter { $0.version <= version })
  }
  package var migrationBlock: MigrationBlock? { migrationPlan?.block }

  /// Makes the store at version 1.
  package func fill() throws {
    if let error = store().openingError { throw error }
    try write { transaction in
      var all: [PlanAnimalOld<TortureVersion>] = []
      for id in 0..<Self.animals {
        let animal = PlanAnimalOld<TortureVersion>()
        (animal.id, animal.name, animal.kind) = (id, "animal number \(id)", "kind \(id % 9)")
        (animal.code, animal.weight) = ("code \(id)", id * 3 % 50)
        try transaction.add(animal)
        all.append(animal)
        guard id % 3 != 0 else { continue }
        try transaction.create(
          PlanRemarkOld<TortureVersion>.self,
          value: ["id": id, "text": "remark \(id)", "animal": animal]
        )
      }
      for number in 0..<8 {
        let keeper = PlanKeeperOld<TortureVersion>()
        keeper.name = "keeper \(number)"
        keeper.animals.append(objectsIn: all.filter { $0.id % 8 == number || $0.id == number })
        try transaction.add(keeper)
      }
    }
    close()
  }
}
