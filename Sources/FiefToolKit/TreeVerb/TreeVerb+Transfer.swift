import Fief
import FiefConsole
import FiefTree
import Foundation

/// Imports, exports and the comparison with the Realtime Database.
extension TreeVerb {
  static let importJSON = TreeAction(
    "import",
    "Replaces a place by the value in a JSON file of any size, in one commit",
    discussion: [
      "It accepts exports of the Realtime Database. The status is 3 if the place has this value already."
    ],
    positionals: [
      ToolDeclaration.store,
      PositionalDeclaration("FILE", "the file to import, or - for standard input", completion: .files),
    ],
    options: [
      OptionDeclaration(
        "at",
        value: "PATH",
        isRequired: true,
        "The place that the file replaces; / for the whole tree."
      ),
      ToolDeclaration.write,
    ],
    examples: [.init("fief tree import data/chat rooms.json --at rooms --write", "Replaces the rooms.")]
  ) { context in
    let word = context.invocation.word(1) ?? ""
    let file = word == "-" ? "/dev/stdin" : word
    let path = try StoredTree.path(context.invocation["at"] ?? "")
    try context.requireWrite()
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory) else {
      throw ToolFailure.missing(file: file)
    }
    if isDirectory.boolValue {
      throw UsageError(
        "FILE is a directory: '\(Format.printable(file))'. STORE comes before FILE.",
        command: context.invocation.command.name
      )
    }
    let store = try context.open(forWriting: true)
    try store.read { _ = try tree(in: $0) }
    let (report, isChanged) = try withFile(file) {
      try StoredTree.importJSON(from: file, to: path, in: store)
    }
    if context.isJSON {
      context.print([
        "path": .string(path), "changed": .bool(isChanged), "leaves": .count(report.leaves),
        "roundedIntegers": .count(report.roundedIntegers),
        "droppedPriorities": .count(report.droppedPriorities),
      ])
      return isChanged ? .done : .nothingToDo
    }
    context.output.line(
      isChanged ? count(report.leaves, "leaf", "leaves") + " imported" : "The tree has this value already."
    )
    if report.roundedIntegers > 0 {
      context.output.line(count(report.roundedIntegers, "integer", "integers") + " rounded")
    }
    if report.droppedPriorities > 0 {
      context.output.line(count(report.droppedPriorities, "priority", "priorities") + " dropped")
    }
    return isChanged ? .done : .nothingToDo
  }

  static let exportJSON = TreeAction(
    "export",
    "Writes the value of a place as JSON, in the order of the tree",
    options: [
      OptionDeclaration("at", value: "PATH", "The place; the whole tree by default."),
      OptionDeclaration(
        "output",
        short: "o",
        value: "FILE",
        completion: .files,
        "The file, which is replaced when it is complete; standard output by default."
      ),
      OptionDeclaration("arrays", "Writes nodes whose names are indexes as arrays."),
    ],
    examples: [.init("fief tree export data/chat --at rooms -o rooms.json", "The rooms as a file.")]
  ) { context in
    let path = try StoredTree.path(context.invocation["at"] ?? "")
    let arrays = context.invocation.has("arrays")
    let store = try context.open()
    try store.read { snapshot in
      let tree = try tree(in: snapshot)
      guard try tree.exists(at: path) else { throw nothing(at: path, store.name) }
      if let file = context.invocation["output"] {
        try withFile(file) { try tree.exportJSON(at: path, to: file, arrays: arrays) }
      } else {
        try tree.exportJSON(at: path, arrays: arrays) { try context.streams.writeOutput(Data($0)) }
      }
    }
    return .done
  }

  static let lint = TreeAction(
    "lint",
    "Lists what the Realtime Database refuses, although the tree has it",
    discussion: ["The status is 1 if there is anything."],
    options: [
      OptionDeclaration("firebase", isRequired: true, "Compares with the limits of the Realtime Database.")
    ],
    examples: [.init("fief tree lint data/chat --firebase", "What the Realtime Database would refuse.")]
  ) { context in
    let store = try context.open()
    var problems: [JSONValue] = []
    var count = 0
    try store.read { snapshot in
      try tree(in: snapshot).lintForFirebase { path, problem in
        count += 1
        if context.isJSON {
          problems.append(["path": .string(path), "problem": .string(problem)])
        } else {
          context.output.line("/\(Format.printable(path)): \(problem)")
        }
      }
    }
    if context.isJSON {
      context.print(["problems": .array(problems)])
    } else if count == 0 {
      context.output.line("The Realtime Database accepts the tree of \(Format.printable(store.name)).")
    }
    return count == 0 ? .done : .failed
  }

  private static func count(_ number: Int, _ one: String, _ several: String) -> String {
    Format.count(number) + " " + (number == 1 ? one : several)
  }

  /// Replaces the advice of an error that concerns the file of the command line, and not the store.
  private static func withFile<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as FiefError
      where error.code == .inputOutput && error.path == file
    {
      var failure = ToolFailure(error, store: nil)
      failure.next = "Check the path, then try again."
      throw failure
    }
  }
}
