import Fief
import FiefRules

/// A place of a tree before a write.
final class StoredData: RuleData {
  private let state: any RuleState
  private let above: StoredData?
  private let name: String
  /// The number of names from the root.
  private let depth: Int
  /// The value, once it was read, unless it is large.
  private var known: RuleValue?
  /// Whether the place above keeps this place.
  private let isKept: Bool
  /// Some of the children for which rules have asked, since many rules ask for the same places.
  private var children: [ExactText: StoredData] = [:]

  /// Creates the root.
  init(_ state: any RuleState) {
    self.state = state
    above = nil
    name = ""
    depth = 0
    isKept = true
  }

  private init(_ name: String, below above: StoredData, isKept: Bool) {
    self.isKept = isKept
    state = above.state
    self.above = above
    self.name = name
    depth = above.depth + 1
  }

  /// Ends the check: places refer to their children, and these to the place above.
  func end() {
    let children = children.values
    self.children = [:]
    for child in children { child.end() }
  }

  var parent: (any RuleData)? { above }

  func child(_ name: String) -> any RuleData {
    guard isKept else { return descendant(name) }
    if let child = children[ExactText(name)] { return child }
    guard state.mayKeepPlace() else { return descendant(name) }
    let child = StoredData(name, below: self, isKept: true)
    children[ExactText(name)] = child
    return child
  }

  /// Returns a child that is not kept.
  func descendant(_ name: String) -> StoredData { StoredData(name, below: self, isKept: false) }

  /// The path of the place.
  var path: TreePath {
    var names: [String] = []
    var place = self
    while let above = place.above {
      names.append(place.name)
      place = above
    }
    return TreePath(names: names.reversed())
  }

  /// The keys that lead to the place.
  var place: TreePlace {
    guard let above else { return TreePlace(TreePath()) }
    var place = above.place
    place.append(name)
    return place
  }

  func value() throws -> RuleValue {
    if let known { return known }
    // Nothing is deeper than the limit.
    let value = depth > TreePath.mostNames ? .null : try state.value(of: self)
    if value.steps == 0 { known = value }
    return value
  }

  /// Returns whether the place has a child whose name is not in a set.
  func hasChild(outside names: (String) -> Bool) throws -> Bool {
    var isFound = false
    try state.forEachName(of: self) { name in
      isFound = !names(name)
      return !isFound
    }
    return isFound
  }
}
