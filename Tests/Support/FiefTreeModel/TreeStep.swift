import Fief
import FiefTree

/// A change of a tree.
package enum TreeEdit: Sendable {
  case set(JSON, at: [String])
  case remove(at: [String])
  /// Values by their paths below a place. No path is above another one.
  case update([(path: [String], value: JSON)], below: [String])
}

/// A random operation. Every step is possible in every state.
package enum TreeStep: Sendable {
  /// A commit of its own.
  case edit(TreeEdit)
  /// Edits in one write, together with an object, and then a query; `isAborted` throws at the end of the write.
  case write([TreeEdit], TreeQuestion, isAborted: Bool)
  /// Edits in a migration to the next version of the schema, and then a query.
  case migrate([TreeEdit], TreeQuestion)
  case reopen
  case read([String])
  case keys([String], limit: Int, after: String)
  case ask(TreeQuestion)
  case declare(TreeIndexChoice)
  case removeIndex(TreeIndexChoice)
  /// Observes a query; or the place, if there is no query.
  case listen(TreeQuestion?, at: [String], TreeEvents)
  /// Ends an observation.
  case unlisten(Int)
  /// Compares what the observations have received.
  case deliver

  /// The edits of the step.
  var edits: [TreeEdit] {
    switch self {
    case .edit(let edit): [edit]
    case .write(let edits, _, _), .migrate(let edits, _): edits
    default: []
    }
  }

  /// Returns the step without one of its edits; `nil` if there is no such edit, or no other one.
  func without(_ index: Int) -> TreeStep? {
    var edits = edits
    guard edits.count > 1, index < edits.count else { return nil }
    edits.remove(at: index)
    switch self {
    case .write(_, let question, let isAborted): return .write(edits, question, isAborted: isAborted)
    case .migrate(_, let question): return .migrate(edits, question)
    default: return nil
    }
  }
}

extension TreeEdit: CustomStringConvertible {
  package var description: String {
    switch self {
    case .set(let value, let path): "set \(Self.text(path)) \(Self.short(value.text()))"
    case .remove(let path): "remove \(Self.text(path))"
    case .update(let changes, let path):
      "update \(Self.text(path)) "
        + changes.map { "\(Self.text($0.path)): \(Self.short($0.value.text()))" }.joined(separator: ", ")
    }
  }

  /// Long names and values are cut. Their lengths matter, and the seed repeats them.
  static func short(_ text: String) -> String {
    text.utf8.count > 200 ? "\(text.prefix(40))…\(text.suffix(10)) (\(text.utf8.count) bytes)" : text
  }

  static func text(_ path: [String]) -> String { "/" + path.map(short).joined(separator: "/") }
}

extension TreeStep: CustomStringConvertible {
  package var description: String {
    switch self {
    case .edit(let edit): "\(edit)"
    case .write(let edits, let question, let isAborted):
      "write \(edits), ask \(question)\(isAborted ? ", aborted" : "")"
    case .migrate(let edits, let question): "migrate \(edits), ask \(question)"
    case .reopen: "reopen"
    case .read(let path): "read \(TreeEdit.text(path))"
    case .keys(let path, let limit, let name):
      "keys \(TreeEdit.text(path)), \(limit) after \(TreeEdit.short(name))"
    case .ask(let question): "ask \(question)"
    case .declare(let index): "declare \(index)"
    case .removeIndex(let index): "remove \(index)"
    case .listen(let question, let path, let events):
      "listen \(question.map { "\($0)" } ?? TreeEdit.text(path)), events \(events.rawValue)"
    case .unlisten(let number): "unlisten \(number)"
    case .deliver: "deliver"
    }
  }
}
