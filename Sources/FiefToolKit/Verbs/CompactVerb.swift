import Fief
import FiefConsole
import Foundation

/// Makes the file of a store smaller.
enum CompactVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "compact",
    "Makes a store's file as small as its contents",
    discussion: [
      "A compacted copy is made beside the store, checked, and put in the place of the file; for that moment "
        + "the disk needs room for both. A crash leaves the old file or the new one, each whole.",
      "Refused while another process has the store open, and without --write.",
    ],
    positionals: [ToolDeclaration.store],
    options: [ToolDeclaration.write],
    examples: [.init("fief compact petstore-data/pets --write", "Gives free pages back to the disk.")]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    try context.requireWrite("'fief compact'")
    let store = try context.open(forWriting: true)
    let before = try store.statistics().fileSize
    try store.compact()
    let after = try context.open().statistics().fileSize
    if context.isJSON {
      context.print(["store": .string(store.name), "bytesBefore": .count(before), "bytes": .count(after)])
    } else {
      let name = Format.printable(store.name)
      context.output.line("\(name) has \(Format.bytes(after)) now; before it was \(Format.bytes(before)).")
    }
    return .done
  }
}
