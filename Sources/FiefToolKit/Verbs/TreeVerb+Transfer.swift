import Fief
import FiefConsole
import FiefTree
import Foundation

/// Imports, exports and the comparison with the Realtime Database.
extension TreeVerb {
  static func importJSON(_ context: ToolContext) throws -> ExitStatus {
    guard let file = context.invocation.word(2) else {
      throw UsageError("FILE is missing: the file to import.", command: "tree")
    }
    guard let path = context.invocation["at"] else {
      throw UsageError("--at is missing: the place that the file replaces.", command: "tree")
    }
    try context.requireWrite("'fief tree'")
    guard FileManager.default.fileExists(atPath: file) else {
      throw ToolFailure(
        .notFound,
        code: "notFound",
        "The file '\(Format.printable(file))' does not exist.",
        next: "Check the path."
      )
    }
    let store = try open(context, forWriting: true)
    try store.read { _ = try tree(in: $0) }
    let report = try StoredTree.importJSON(from: file, to: path, in: store)
    if context.isJSON {
      context.print([
        "path": .string(path), "leaves": .count(report.leaves),
        "roundedIntegers": .count(report.roundedIntegers),
        "droppedPriorities": .count(report.droppedPriorities),
      ])
      return .done
    }
    context.output.line(count(report.leaves, "leaf", "leaves") + " imported")
    if report.roundedIntegers > 0 {
      context.output.line(count(report.roundedIntegers, "integer", "integers") + " rounded")
    }
    if report.droppedPriorities > 0 {
      context.output.line(count(report.droppedPriorities, "priority", "priorities") + " dropped")
    }
    return .done
  }

  private static func count(_ number: Int, _ one: String, _ several: String) -> String {
    Format.count(number) + " " + (number == 1 ? one : several)
  }

  static func exportJSON(_ context: ToolContext) throws -> ExitStatus {
    let path = context.invocation["at"] ?? ""
    let arrays = context.invocation.has("arrays")
    let store = try open(context)
    try store.read { snapshot in
      let tree = try tree(in: snapshot)
      guard try tree.exists(at: path) else { throw nothing(at: path, store.name) }
      if let file = context.invocation["output"] {
        try tree.exportJSON(at: path, to: file, arrays: arrays)
      } else {
        try tree.exportJSON(at: path, arrays: arrays) { try context.streams.writeOutput(Data($0)) }
      }
    }
    return .done
  }

  static func lint(_ context: ToolContext) throws -> ExitStatus {
    guard context.invocation.has("firebase") else {
      throw UsageError("--firebase is missing: the rules to compare with.", command: "tree")
    }
    let store = try open(context)
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
}
