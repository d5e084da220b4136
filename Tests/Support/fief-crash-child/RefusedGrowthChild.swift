import Fief
import LMDBFaults

final class GrownObject: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
}

private struct GrownRepository: DatabaseConfigurable {
  let directory: String?
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "grown"
  let schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]? = [GrownObject.self]
  let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.initialMapSize = 4 << 20
    return options
  }
}

/// A process to which the system refuses a larger map after a commit, and then the opening of the store.
enum RefusedGrowthChild {
  static func run(_ directory: String) {
    let repository = GrownRepository(directory: directory)
    do {
      func save(_ id: Int) throws {
        let text = String(repeating: "x", count: 50_000)
        try repository.saveAndWait(entity: GrownObject(value: ["id": id, "text": text]), update: false)
      }
      try save(0)
      faults_arm(FAULT_RESIZING_LOST)
      var count = 1
      while faults_resizes() == 0, count < 200 {
        try save(count)
        count += 1
      }
      Child.say("refused \(faults_resizes() == 1)\n")
      // A write opens the store again.
      try save(count)
      let found = try repository.count(GrownObject.self)
      Child.say("kept \(found == count + 1) \(try repository.check().problems)\n")
      repository.close()
    } catch { Child.say("error \(error)\n") }
  }
}
