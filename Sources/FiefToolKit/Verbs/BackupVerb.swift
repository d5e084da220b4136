import Fief
import FiefConsole
import Foundation

/// Makes a copy of a store.
enum BackupVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "backup",
    "Writes a compacted copy of a store into a new directory, while it is in use",
    discussion: [
      "The copy has one state of the store. It is checked and synced to disk before it gets its name. To "
        + "replace a store with it, stop the programs that use the store and exchange the directories.",
      "Changes nothing in the store.",
    ],
    positionals: [
      ToolDeclaration.store,
      PositionalDeclaration(
        "DESTINATION",
        "the directory of the copy, which must not exist",
        completion: .directories
      ),
    ],
    examples: [.init("fief backup petstore-data/pets /backups/pets-$(date +%F)", "A copy for today.")]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let store = try context.open()
    let destination = context.invocation.word(1) ?? ""
    try store.backup(to: destination)
    let data = destination + "/data.mdb"
    let size = try FileManager.default.attributesOfItem(atPath: data)[.size] as? Int ?? 0
    if context.isJSON {
      context.print(["store": .string(store.name), "copy": .string(destination), "bytes": .count(size)])
    } else {
      context.output.line(
        Format.printable("\(store.name) was copied to \(destination): \(Format.bytes(size)).")
      )
    }
    return .done
  }
}
