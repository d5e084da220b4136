import Fief
import FiefConsole
import Foundation

/// Makes the file of a store smaller.
enum CompactVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "compact",
    "Reduces a store's file to the size of its contents",
    discussion: [
      "A compacted copy is made beside the store, checked, and replaces the file; until then "
        + "the disk needs space for both. A crash leaves either the old or the new file, each intact.",
      "Refused while another process has the store open, and without --write.",
    ],
    positionals: [ToolDeclaration.store],
    options: [ToolDeclaration.write],
    examples: [.init("fief compact petstore-data/pets --write", "Returns free pages to the disk.")]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    try context.requireWrite()
    let store = try context.open(forWriting: true)
    let before = try store.statistics().fileSize
    try store.compact()
    let after = try context.open().statistics().fileSize
    if context.isJSON {
      context.print(["store": .string(store.name), "bytesBefore": .count(before), "bytes": .count(after)])
    } else {
      let name = Format.printable(store.name)
      context.output.line("\(name) now has \(Format.bytes(after)); before it had \(Format.bytes(before)).")
    }
    return .done
  }
}
