import Fief
import FiefRules

/// A place of a tree after a write that has not been made yet.
final class WrittenData: WrittenRuleData {
  private enum Content {
    /// The write does not concern the place.
    case stored
    /// The write has paths below the place.
    case changed(ChangedPlace)
    /// The write decides the whole value.
    case value(TreeValue?)
  }

  let name: String
  private let stored: StoredData
  private let above: WrittenData?
  private let content: Content
  /// The time of the write in milliseconds since 1970.
  private let now: Int64
  /// The value, once it was read.
  private var known: RuleValue?

  /// Creates the root.
  ///
  /// - Parameters:
  ///   - stored: the root before the write.
  ///   - changes: the root of the changes.
  ///   - now: the time of the write in milliseconds since 1970.
  convenience init(before stored: StoredData, _ changes: ChangedPlace, now: Int64) {
    self.init("", stored, below: nil, Self.content(of: changes), now)
  }

  private init(
    _ name: String,
    _ stored: StoredData,
    below above: WrittenData?,
    _ content: Content,
    _ now: Int64
  ) {
    self.name = name
    self.stored = stored
    self.above = above
    self.content = content
    self.now = now
  }

  private static func content(of place: ChangedPlace) -> Content {
    switch place.change {
    case .value(let value)?: .value(value)
    case .removal?: .value(nil)
    case nil: .changed(place)
    }
  }

  var parent: (any RuleData)? { above }

  var before: any RuleData { stored }

  var change: RuleChange {
    switch content {
    case .stored: .none
    case .changed(let place): .below(setsValues: place.setsValues)
    case .value(nil): .removal
    case .value: .value
    }
  }

  var changedChildren: [any WrittenRuleData] {
    switch content {
    case .changed(let place): place.children.map { make($0.name, Self.content(of: $0)) }
    case .value(.node(let children)?): children.map { make($0.name, .value($0.value)) }
    case .stored, .value: []
    }
  }

  func child(_ name: String) -> any RuleData {
    switch content {
    case .stored: make(name, .stored)
    case .changed(let place): make(name, place.child(name).map { Self.content(of: $0) } ?? .stored)
    case .value(.node(let children)?): make(name, .value(children.value(of: name)))
    case .value: make(name, .value(nil))
    }
  }

  private func make(_ name: String, _ content: Content) -> WrittenData {
    WrittenData(name, stored.descendant(name), below: self, content, now)
  }

  func value() throws -> RuleValue {
    if let known { return known }
    let value = try read()
    known = value
    return value
  }

  private func read() throws -> RuleValue {
    switch content {
    case .stored: return try stored.value()
    case .value(nil): return .null
    case .value(.node?): return .node
    case .value(.leaf(let leaf)?): return try value(of: leaf)
    case .changed(let place):
      if place.setsValues { return .node }
      // The write only removes places below this one: a leaf stays, and a node unless its last child goes.
      guard case .node = try stored.value() else { return try stored.value() }
      return try remains(of: place) ? .node : .null
    }
  }

  /// Returns whether something is left of a node below which a write removes places.
  private func remains(of place: ChangedPlace) throws -> Bool {
    if try stored.hasChild(outside: { place.child($0) != nil }) { return true }
    for child in changedChildren {
      if case .null = try child.value() { continue }
      return true
    }
    return false
  }

  private func value(of leaf: TreeLeaf) throws -> RuleValue {
    switch leaf {
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .timestamp: return .int(now)
    case .increment(let amount):
      switch try stored.value() {
      case .int(let value): return RuleValue(JSON.int(value).adding(amount))
      case .double(let value): return RuleValue(JSON.double(value).adding(amount))
      default: return RuleValue(amount)
      }
    }
  }
}

extension [TreeChild] {
  /// Returns the value of the child with a name.
  fileprivate func value(of name: String) -> TreeValue? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if TreeName.precedes(self[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].name.hasSameBytes(as: name) ? self[low].value : nil
  }
}
