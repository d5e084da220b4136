import Fief

/// The places of a write as a tree from the root.
final class ChangedPlace {
  enum Change {
    /// The value of the place, which the write sets.
    case value(TreeValue)
    case removal
  }

  let name: String
  /// The change of this place; `nil` if the write has paths below it.
  private(set) var change: Change?
  /// Whether a path at or below the place sets a value.
  private(set) var setsValues = false
  /// The children in the order of the paths.
  private(set) var children: [ChangedPlace] = []
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

  func child(_ name: String) -> ChangedPlace? { indexes[ExactText(name)].map { children[$0] } }

  private func makeChild(_ name: String) -> ChangedPlace {
    if let child = child(name) { return child }
    let child = ChangedPlace(name)
    indexes[ExactText(name)] = children.count
    children.append(child)
    return child
  }
}
