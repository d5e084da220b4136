/// One write of a producer: which objects it changes in which stores, from the seed and its number alone.
///
/// A producer has objects of its own in each store: items in slots, and owners with the items of a group. An owner of its
/// own has the number of the producer's last write to the store, in the same transaction. Some writes also send a
/// message to inboxes of the tree.
package struct ProducerWrite: Sendable {
  package enum Kind: Sendable, CaseIterable {
    case save, change, exchange, delete, saveGroup, deleteGroup, importGroup, fillList, changeList, bytes,
      joint, fanOut
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

  /// - Parameter kind: the kind of the write, or `nil` for the kind that follows from the number.
  package init(seed: Int, producer: Int, number: Int, kind chosen: Kind? = nil) {
    var random = TortureRandom(seed: seed &* 1_000_003 &+ producer &* 131_071 &+ number)
    self.producer = producer
    self.number = number
    // Each third one is a write to several stores.
    let randomKind = random.next(3) == 0 ? .joint : Kind.allCases[random.next(Kind.allCases.count)]
    let kind = chosen ?? randomKind
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
  /// The message that the write sends, if it sends one.
  package var message: FanOut? {
    [.joint, .fanOut].contains(kind) ? Self.message(of: producer) : nil
  }
  /// A message of a producer to all members.
  package static func message(of producer: Int) -> FanOut { FanOut(count: 60, group: producer) }
  /// The place of the owner that has the number of the last write.
  package static let numberSlot = 999
}
