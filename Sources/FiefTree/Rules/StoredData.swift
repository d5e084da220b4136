import Fief
import FiefRules

/// A place of a tree before a write.
final class StoredData: RuleData {
  private let state: any RuleState
  private let above: StoredData?
  private let name: String
  /// The value, once it was read.
  private var known: RuleValue?

  /// Creates the root.
  init(_ state: any RuleState) {
    self.state = state
    above = nil
    name = ""
  }

  private init(_ name: String, below above: StoredData) {
    state = above.state
    self.above = above
    self.name = name
  }

  var parent: (any RuleData)? { above }

  func child(_ name: String) -> any RuleData { descendant(name) }

  func descendant(_ name: String) -> StoredData { StoredData(name, below: self) }

  private var names: [String] {
    var names: [String] = []
    var place = self
    while let above = place.above {
      names.append(place.name)
      place = above
    }
    return names.reversed()
  }

  func value() throws -> RuleValue {
    if let known { return known }
    let names = names
    // Nothing is deeper than the limit.
    let value = names.count > TreePath.mostNames ? .null : try state.value(at: TreePath(names: names))
    known = value
    return value
  }

  /// Returns whether the place has a child whose name is not in a set.
  func hasChild(outside names: (String) -> Bool) throws -> Bool {
    var isFound = false
    try state.forEachName(at: TreePath(names: self.names)) { name in
      isFound = !names(name)
      return !isFound
    }
    return isFound
  }
}
