/// The keys of objects in their order, each with a stamp that differs between the object's states.
struct KeyStamps: Sendable {
  /// The change of an object between two states.
  enum Change: Sendable, Equatable {
    /// The place of a new object in the later state.
    case inserted(Int)
    /// The place of an object with another stamp in the later state.
    case modified(Int)
    /// The place of an object that is gone in the earlier state.
    case deleted(Int)
  }

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private(set) var stamps: [UInt64] = []
  private var isInOrder = true

  var count: Int { stamps.count }

  /// The key at a place.
  func key(_ index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

  /// Adds an object, whose key need not be behind those before.
  mutating func append(_ key: UnsafeRawBufferPointer, _ stamp: UInt64) {
    if isInOrder, count > 0, !self.key(count - 1).lexicographicallyPrecedes(key) { isInOrder = false }
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
    stamps.append(stamp)
  }

  /// The same objects in the order of their keys.
  func inOrder() -> KeyStamps {
    if isInOrder { return self }
    var sorted = KeyStamps()
    for index in stamps.indices.sorted(by: { key($0).lexicographicallyPrecedes(key($1)) }) {
      let stamp = stamps[index]
      key(index).withUnsafeBytes { sorted.append($0, stamp) }
    }
    return sorted
  }

  /// The changes since another state, in the order of the keys; both are in order.
  func changes(since old: KeyStamps) -> [Change] {
    var changes: [Change] = []
    var (before, now) = (0, 0)
    while before < old.count || now < count {
      if now == count {
        changes.append(.deleted(before))
        before += 1
        continue
      }
      if before < old.count {
        let (earlier, later) = (old.key(before), key(now))
        if earlier == later {
          if old.stamps[before] != stamps[now] { changes.append(.modified(now)) }
          before += 1
          now += 1
          continue
        }
        if earlier.lexicographicallyPrecedes(later) {
          changes.append(.deleted(before))
          before += 1
          continue
        }
      }
      changes.append(.inserted(now))
      now += 1
    }
    return changes
  }
}
