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

  private enum Origin {
    /// The root, with its state before the write.
    case root(StoredData)
    case below(WrittenData)
  }

  let name: String
  private let origin: Origin
  private let content: Content
  /// The time of the write in milliseconds since 1970.
  private let now: Int64
  /// The place before the write, once a rule has asked for it.
  private var knownStored: StoredData?
  /// The value, once it was read.
  private var known: RuleValue?
  /// The children with written paths at or below them, once they were needed. Grants, validations and rules
  /// share them.
  private var knownChanged: [WrittenData]?

  /// Creates the root.
  ///
  /// - Parameters:
  ///   - stored: the root before the write.
  ///   - changes: the root of the changes.
  ///   - now: the time of the write in milliseconds since 1970.
  convenience init(before stored: StoredData, _ changes: ChangedPlace, now: Int64) {
    self.init("", .root(stored), Self.content(of: changes), now)
  }

  private init(_ name: String, _ origin: Origin, _ content: Content, _ now: Int64) {
    self.name = name
    self.origin = origin
    self.content = content
    self.now = now
  }

  /// Ends the check: places refer to their children, and these to the place above.
  func end() {
    let children = knownChanged ?? []
    knownChanged = nil
    for child in children { child.end() }
  }

  private static func content(of place: ChangedPlace) -> Content {
    switch place.change {
    case .value(let value)?: .value(value)
    case .removal?: .value(nil)
    case nil: .changed(place)
    }
  }

  var parent: (any RuleData)? { if case .below(let above) = origin { above } else { nil } }

  var before: any RuleData { stored }

  private var stored: StoredData {
    switch origin {
    case .root(let stored): return stored
    case .below(let above):
      if let knownStored { return knownStored }
      let place = above.stored.descendant(name)
      knownStored = place
      return place
    }
  }

  var change: RuleChange {
    switch content {
    case .stored: .none
    case .changed(let place): .below(setsValues: place.setsValues)
    case .value(nil): .removal
    case .value: .value
    }
  }

  private var changed: [WrittenData] {
    if let knownChanged { return knownChanged }
    guard case .changed(let place) = content else { return [] }
    let children = place.children.map { make($0.name, Self.content(of: $0)) }
    knownChanged = children
    return children
  }

  func forEachChangedChild(_ body: (any WrittenRuleData) throws -> Void) rethrows {
    for child in changed { try body(child) }
    guard case .value(.node(let children)?) = content else { return }
    for child in children { try body(make(child.name, .value(child.value))) }
  }

  func child(_ name: String) -> any RuleData {
    switch content {
    case .stored: make(name, .stored)
    case .changed(let place): place.index(of: name).map { changed[$0] } ?? make(name, .stored)
    case .value(.node(let children)?): make(name, .value(children.value(of: name)))
    case .value: make(name, .value(nil))
    }
  }

  private func make(_ name: String, _ content: Content) -> WrittenData {
    WrittenData(name, .below(self), content, now)
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
    if try stored.hasChild(outside: { place.index(of: $0) != nil }) { return true }
    return try changed.contains { child in if case .null = try child.value() { false } else { true } }
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
