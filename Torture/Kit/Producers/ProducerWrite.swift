/// One write of a producer: which objects it changes in which stores, from the seed and its number alone.
///
/// A producer has objects of its own in each store: items in slots, and owners with the items of a group. An owner of its
/// own has the number of the producer's last write to the store, in the same transaction.
package struct ProducerWrite: Sendable {
  package enum Kind: Sendable, CaseIterable {
    case save, change, exchange, delete, saveGroup, deleteGroup, importGroup, fillList, changeList, bytes,
      joint
  }

  package static let stores = ["one", "two", "three"]
  package static let producers = 4
  package static let slots = 20
  package static let groups = 4
  package static let groupSize = 5

  package let producer: Int
  package let number: Int
  package let kind: Kind
  /// The stores, by their places in ``stores``.
  package let stores: [Int]
  /// The slots of the items; of a group its number.
  package let slots: [Int]

  /// - Parameter isJoint: whether it is a write to several stores, whatever the number says.
  package init(seed: Int, producer: Int, number: Int, isJoint: Bool = false) {
    var random = TortureRandom(seed: seed &* 1_000_003 &+ producer &* 131_071 &+ number)
    self.producer = producer
    self.number = number
    // Each third one is a write to several stores.
    let kind = isJoint || random.next(3) == 0 ? .joint : Kind.allCases[random.next(Kind.allCases.count)]
    self.kind = kind
    let first = random.next(Self.stores.count)
    let second = (first + 1 + random.next(Self.stores.count - 1)) % Self.stores.count
    switch kind {
    case .joint: stores = random.next(2) == 0 ? Array(Self.stores.indices) : [first, second]
    default: stores = [first]
    }
    switch kind {
    case .saveGroup, .deleteGroup, .importGroup: slots = [random.next(Self.groups)]
    case .fillList, .changeList, .bytes: slots = [random.next(Self.slots)]
    default:
      let start = random.next(Self.slots)
      slots = [start, (start + 1 + random.next(9)) % Self.slots, (start + 10) % Self.slots]
    }
  }

  /// The identifier of an item in a slot, and of an owner.
  package static func id(_ producer: Int, _ slot: Int) -> Int { producer * 100_000 + slot }
  /// The slots of the items of a group.
  package static func slots(ofGroup group: Int) -> Range<Int> {
    let start = slots + group * groupSize
    return start..<(start + groupSize)
  }
  /// The place of the owner that has the number of the last write.
  package static let numberSlot = 999
}
