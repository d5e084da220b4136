import Fief
import FiefConsole
import FiefTree

/// Checks whether a store is consistent.
enum CheckVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "check",
    "Checks a store for damage: its pages, records, indexes and links",
    discussion: [
      "First it checks every page. Then it reads every record with its checksum, and compares every "
        + "index entry and every backlink with the records. It changes nothing "
        + "and repairs nothing.",
      "The status is 5 if the store is damaged.",
    ],
    positionals: [ToolDeclaration.store],
    options: [OptionDeclaration("quick", "Checks only the pages, not the records.")],
    examples: [
      .init("fief check petstore-data/pets", "Everything."),
      .init("fief check --quick petstore-data/pets || restore-backup", "In a script."),
    ]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let isQuick = context.invocation.has("quick")
    JSONTree.addCheck()
    // A full check lists damaged pages, and the changes that were made without the key.
    let store = try context.open(readsDamaged: !isQuick)
    var (entries, damage): (Int?, FiefError?)
    do { entries = try store.verifyStructure() } catch let error as FiefError {
      guard !isQuick, error.code == .damagedStore else { throw error }
      damage = error
    }
    var check = isQuick ? nil : try store.check()
    if let damage, check?.problems.isEmpty == true { check?.problems = ["\(damage)"] }
    let problems = check?.problems ?? []
    if context.isJSON {
      context.print([
        "store": .string(store.name),
        "isWhole": .bool(problems.isEmpty),
        "isQuick": .bool(isQuick),
        "entriesOfAllTrees": entries.map { .count($0) } ?? .null,
        "records": check.map { .count($0.records) } ?? .null,
        "entries": check.map { .count($0.entries) } ?? .null,
        "unfinishedWrites": .array((check?.unfinishedWrites ?? []).map { UnfinishedText.document($0) }),
        "problems": .array(problems.map { .string($0) }),
      ])
    } else {
      write(store.name, check, context)
    }
    return problems.isEmpty ? .done : .damaged
  }

  private static func write(_ name: String, _ check: IntegrityReport?, _ context: ToolContext) {
    let console = context.output
    let name = Format.printable(name)
    guard let check else {
      console.line("The pages of \(name) are intact. Records were not checked (--quick).")
      return
    }
    let amount =
      "\(Format.count(check.records)) records and \(Format.count(check.entries)) entries of indexes and links"
    guard !check.problems.isEmpty else {
      console.line("\(name) is intact: \(amount) were checked.")
      if check.unfinishedWrites.isEmpty { return }
      for write in check.unfinishedWrites { console.line("  - " + Format.printable("\(write)")) }
      console.say("It is completed when the store is next opened for writing.", indent: 0)
      return
    }
    console.line("\(name) is damaged: \(amount) were checked.")
    for problem in check.problems {
      for (index, line) in problem.split(separator: "\n").enumerated() {
        console.line((index == 0 ? "  - " : "    ") + Format.printable(String(line)))
      }
    }
    console.line()
    let path = ShellText.quoted(context.invocation.word(0) ?? "STORE")
    console.say(
      "Keep a copy of the directory as it is, and restore the newest backup. To save the data that is still "
        + "readable, run 'fief export \(path) --skip-damaged'.",
      indent: 0
    )
  }
}
