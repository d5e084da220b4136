import Fief
import FiefStress
import Foundation

/// A process that is killed after its store has kept what was used.
enum UsageChild {
  private struct Repository: DatabaseConfigurable {
    let realmMemoryType = RealmMemoryType.inStorage
    let schemaName: String? = "tally"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [StressTally.self]
    let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
    let directory: String?

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.keepsUsage = true
      return options
    }
  }

  static func run(_ directory: String) {
    let repository = Repository(directory: directory)
    do {
      try repository.saveAndWait(entities: (0..<10).map { StressTally(value: ["id": $0]) })
      // What keeps the usage of the first commit is in the queue before this one.
      try repository.saveAndWait(entity: StressTally(value: ["id": 10]))
    } catch { Child.say("error \(error)\n") }
    Child.say("kept\n")
    while true { sleep(60) }
  }
}
