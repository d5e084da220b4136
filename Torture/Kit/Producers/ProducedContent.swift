import FiefTree

/// The objects and messages of one producer in one store, as its writes leave them.
package struct ProducedContent: Equatable, Sendable {
  package struct Item: Equatable, Sendable {
    /// Unique among all items of the store.
    package var code: String
    package var value: Int
    package var notes: [String] = []
    package var bytes = 0
  }

  /// The number of the last write to the store.
  package private(set) var number = 0
  private let producer: Int
  private var items: [Int: Item] = [:]
  private var groups: Set<Int> = []
  /// The number of the last write that has sent a message, and the number of these writes.
  private var message = 0
  private var sent = 0

  package init(producer: Int) { self.producer = producer }

  /// Makes the change of a write to the store.
  package mutating func apply(_ write: ProducerWrite) {
    number = write.number
    if write.message != nil {
      message = number
      sent += 1
    }
    switch write.kind {
    case .save, .joint, .fanOut: for slot in write.slots { items[slot] = write.item(slot) }
    case .change: for slot in write.slots { items[slot]?.value = write.number }
    case .exchange:
      guard let first = items[write.slots[0]], let second = items[write.slots[1]] else { return }
      items[write.slots[0]]?.code = second.code
      items[write.slots[1]]?.code = first.code
    case .delete: for slot in write.slots { items[slot] = nil }
    case .saveGroup, .importGroup:
      groups.insert(write.slots[0])
      for slot in ProducerWrite.slots(ofGroup: write.slots[0]) { items[slot] = write.item(slot) }
    case .deleteGroup:
      groups.remove(write.slots[0])
      for slot in ProducerWrite.slots(ofGroup: write.slots[0]) { items[slot] = nil }
    case .fillList, .bytes: items[write.slots[0]] = write.item(write.slots[0])
    case .changeList:
      guard var notes = items[write.slots[0]]?.notes, notes.count > 10 else { return }
      notes[notes.count / 2] = "changed by \(write.number)"
      notes.removeLast()
      notes.append("appended by \(write.number)")
      items[write.slots[0]]?.notes = notes
    }
  }

  /// What ``ProducedDump`` has of such objects.
  package var lines: [String] {
    let items = items.map { slot, item in
      ProducedDump.line(
        item: slot,
        code: item.code,
        place: item.value % 11,
        text: ProducerWrite.text(producer, item.value),
        notes: item.notes,
        bytes: item.bytes
      )
    }
    let owners = groups.map { ProducedDump.line(owner: $0, items: Array(ProducerWrite.slots(ofGroup: $0))) }
    var places = ProducerWrite.message(of: producer).values(message).filter { $0.value != .null }
    if sent > 0 { places.append(("sent/g\(producer)", .int(Int64(sent)))) }
    return (items + owners + places.map { ProducedDump.line(path: $0.name, value: $0.value) }).sorted()
  }
}

extension ProducerWrite {
  /// The item that the write puts into a slot.
  package func item(_ slot: Int) -> ProducedContent.Item {
    var item = ProducedContent.Item(code: "code \(producer) \(slot) \(number)", value: number)
    if kind == .fillList { item.notes = (0..<1_200).map { "note \($0) of \(number)" } }
    if kind == .bytes { item.bytes = 5_000 + number % 7 * 30_000 }
    return item
  }

  package static func text(_ producer: Int, _ value: Int) -> String {
    "words of producer \(producer) and \(value % 17)"
  }
}
