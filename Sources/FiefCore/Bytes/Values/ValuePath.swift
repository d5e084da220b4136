/// The path from a document's root to a value in it.
///
/// A path is extended at every step into a document but formatted only for errors, so a step costs one
/// allocation.
package indirect enum ValuePath: Sendable {
  case root
  case property(ValuePath, String)
  case element(ValuePath, Int)
  case key(ValuePath, String)
}

extension ValuePath: CustomStringConvertible {
  /// The path, with `$` for the root: `$[3].dogs[0].age`, `$.scores["first half"]`.
  package var description: String {
    var steps: [String] = []
    var rest = self
    while true {
      switch rest {
      case .root: return "$" + steps.reversed().joined()
      case .property(let parent, let name):
        steps.append(Self.isPlain(name) ? ".\(name)" : "[\"\(name)\"]")
        rest = parent
      case .element(let parent, let index):
        steps.append("[\(index)]")
        rest = parent
      case .key(let parent, let key):
        steps.append("[\"\(key)\"]")
        rest = parent
      }
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
