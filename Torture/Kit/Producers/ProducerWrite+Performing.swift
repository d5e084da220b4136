import Fief
import FiefTree
import Foundation

extension ProducerWrite {
  /// Makes the write.
  /// - Parameters:
  ///   - repositories: those of all stores.
  ///   - isWhole: whether the write is made at once; otherwise a write to several stores is one write after the
  ///     other, and a fan-out has two commits, which are defects.
  package func perform(on repositories: [TortureRepository], isWhole: Bool = true) throws {
    let own = stores.map { repositories[$0] }
    guard kind == .joint, isWhole else {
      for repository in own {
        if !isWhole, kind == .fanOut, let message {
          let half = message.values(number, of: 0..<message.count / 2)
          try JSONTree(in: repository).root.updateChildValuesAndWait(half)
        }
        if repository.version == 1 {
          try perform(on: repository, TortureItem.self, TortureOwner.self)
        } else {
          try perform(on: repository, NewerItem.self, NewerOwner.self)
        }
      }
      return
    }
    try StoreManager(repositories: own).write(to: own) { write in
      for repository in own {
        let transaction = try write.transaction(of: repository)
        if repository.version == 1 {
          try change(transaction, repository, TortureItem.self, TortureOwner.self)
        } else {
          try change(transaction, repository, NewerItem.self, NewerOwner.self)
        }
      }
    }
  }

  private func perform<Item, Owner: TortureOwnerClass>(
    on repository: TortureRepository,
    _ items: Item.Type,
    _ owners: Owner.Type
  ) throws where Owner.Item == Item {
    switch kind {
    case .save:
      try repository.saveAndWait(
        entities: slots.map { make($0, as: items) } + [numbered(owners)],
        update: .all
      )
    case .importGroup:
      try repository.saveAndWait(saveClass: owners, jsonData: try groupAsJSON(), update: .all)
    default: try repository.write { try change($0, repository, items, owners) }
    }
  }

  private func change<Item, Owner: TortureOwnerClass>(
    _ transaction: WriteTransaction,
    _ repository: TortureRepository,
    _ items: Item.Type,
    _ owners: Owner.Type
  ) throws where Owner.Item == Item {
    func find(_ slot: Int) throws -> Item? {
      try transaction.object(ofType: items, forPrimaryKey: Self.id(producer, slot))
    }
    switch kind {
    case .save, .joint, .fanOut, .fillList, .bytes:
      for slot in slots { try transaction.add(make(slot, as: items), update: .all) }
    case .change:
      for slot in slots {
        guard let item = try find(slot) else { continue }
        item.place = number % 11
        item.text = Self.text(producer, number)
      }
    case .exchange:
      if let first = try find(slots[0]), let second = try find(slots[1]) {
        (first.code, second.code) = (second.code, first.code)
      }
    case .delete: for slot in slots { if let item = try find(slot) { try transaction.delete(item) } }
    case .saveGroup, .importGroup:
      let owner = owners.init()
      owner.id = Self.id(producer, slots[0])
      owner.name = "group"
      for slot in Self.slots(ofGroup: slots[0]) { owner.items.append(make(slot, as: items)) }
      try transaction.add(owner, update: .all)
    case .deleteGroup:
      let owner = try transaction.object(ofType: owners, forPrimaryKey: Self.id(producer, slots[0]))
      if let owner { try transaction.delete(owner) }
    case .changeList:
      if let item = try find(slots[0]), item.notes.count > 10 {
        item.notes[item.notes.count / 2] = "changed by \(number)"
        item.notes.removeLast()
        item.notes.append("appended by \(number)")
      }
    }
    try transaction.add(numbered(owners), update: .all)
    guard let message else { return }
    let tree = JSONTree(in: repository)
    let editor = try tree.in(transaction)
    try editor.updateChildValues(message.values(number), at: tree.root)
    try editor.setValue(.increment(1), at: tree.reference("sent/g\(producer)"))
  }

  private func make<Item: TortureItemClass>(_ slot: Int, as type: Item.Type) -> Item {
    let (item, content) = (type.init(), item(slot))
    item.id = Self.id(producer, slot)
    item.code = content.code
    item.place = content.value % 11
    item.text = Self.text(producer, content.value)
    item.notes.append(objectsIn: content.notes)
    item.bytes = Data(repeating: UInt8(number % 251), count: content.bytes)
    return item
  }

  private func numbered<Owner: TortureOwnerClass>(_ type: Owner.Type) -> Owner {
    let owner = type.init()
    owner.id = Self.id(producer, Self.numberSlot)
    owner.name = "\(number)"
    return owner
  }

  /// The group and the number, as a document.
  private func groupAsJSON() throws -> Data {
    let items = Self.slots(ofGroup: slots[0]).map { slot in
      let (id, content) = (Self.id(producer, slot), item(slot))
      return [
        "id": id, "code": content.code, "rank": content.value % 11,
        "text": Self.text(producer, content.value),
        "stars": id % 6,
      ] as [String: Any]
    }
    return try JSONSerialization.data(withJSONObject: [
      ["id": Self.id(producer, slots[0]), "name": "group", "items": items] as [String: Any],
      ["id": Self.id(producer, Self.numberSlot), "name": "\(number)"],
    ])
  }
}
