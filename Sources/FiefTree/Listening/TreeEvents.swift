import Fief

/// Kinds of events, as an option set.
public struct TreeEvents: OptionSet, Sendable, Hashable {
  /// The bits of the kinds.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value of the place, or of the children of a query.
  public static let value = TreeEvents(rawValue: 1)
  /// A child was added, or has entered the window of a query.
  public static let childAdded = TreeEvents(rawValue: 2)
  /// The value of a child has changed.
  public static let childChanged = TreeEvents(rawValue: 4)
  /// The value by which a query orders its children has changed in a child.
  public static let childMoved = TreeEvents(rawValue: 8)
  /// A child was removed, or has left the window of a query.
  public static let childRemoved = TreeEvents(rawValue: 16)
  /// All events of children.
  public static let children: TreeEvents = [.childAdded, .childChanged, .childMoved, .childRemoved]
}

/// A change of a place, or of the children of a query.
///
/// Every snapshot has the state after the commit. `after` is the key of the previous sibling in this state, or
/// `nil` for the first child.
public enum TreeEvent: Sendable {
  /// The value of the place, or of all children of a query.
  case value(TreeSnapshot)
  /// A child that was added, or has entered the window of a query.
  case childAdded(TreeSnapshot, after: String?)
  /// A child whose value has changed.
  case childChanged(TreeSnapshot, after: String?)
  /// A child whose value in the order of a query has changed. It is reported as changed, too.
  case childMoved(TreeSnapshot, after: String?)
  /// A child that was removed, or has left the window of a query. The snapshot has no value if the child does
  /// not exist any more.
  case childRemoved(TreeSnapshot)

  /// - Parameter reference: the observed place.
  init(_ event: TreeFollower.Event, _ reference: TreeReference) {
    let place = reference.at(event.path)
    var snapshot = TreeSnapshot(reference: place, json: event.json)
    if let members = event.members {
      snapshot = TreeSnapshot(reference: place, inOrder: members, isGroup: event.isGroup)
    }
    switch event.step {
    case .value: self = .value(snapshot)
    case .removed: self = .childRemoved(snapshot)
    case .added(_, let after): self = .childAdded(snapshot, after: after?.text)
    case .moved(_, let after): self = .childMoved(snapshot, after: after?.text)
    case .changed(_, let after): self = .childChanged(snapshot, after: after?.text)
    }
  }
}
