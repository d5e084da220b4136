import Fief

/// The places of a write as a tree from the root.
final class ChangedPlace {
  enum Change {
    /// The value of the place, which the write sets.
    case value(TreeValue)
    case removal
  }

  /// The number of children up to which all of them are compared.
  private static let fewChildren = 8

  let name: String
  /// The change of this place; `nil` if the write has paths below it.
  private(set) var change: Change?
  /// Whether a path at or below the place sets a value.
  private(set) var setsValues = false
  /// The children in the order of the paths.
  private(set) var children: [ChangedPlace] = []
  /// The indexes of the children if there are more than a few.
  private var indexes: [ExactText: Int] = [:]

  /// - Parameter changes: changes of which no path leads to another one.
  convenience init(_ changes: [TreeChanges.Change]) {
    self.init("")
    for change in changes {
      var place = self
      if change.value != nil { setsValues = true }
      for name in change.path.names {
        place = place.makeChild(name)
        if change.value != nil { place.setsValues = true }
      }
      place.change = change.value.map { .value($0) } ?? .removal
    }
  }

  private init(_ name: String) { self.name = name }

  /// Returns the index of a child.
  func index(of name: String) -> Int? {
    if children.count > Self.fewChildren { return indexes[ExactText(name)] }
    return children.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  private func makeChild(_ name: String) -> ChangedPlace {
    if let index = index(of: name) { return children[index] }
    let child = ChangedPlace(name)
    children.append(child)
    if children.count > Self.fewChildren {
      for index in indexes.count..<children.count { indexes[ExactText(children[index].name)] = index }
    }
    return child
  }
}
