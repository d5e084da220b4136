import Fief
import FiefMaintenance
import FiefTree
import Foundation

/// The steps of the workload: each is one write, or one command, whose result depends on the step's number alone.
///
/// A step can be done again after it has failed.
package struct TortureSteps {
  package let directory: String

  package init(directory: String) { self.directory = directory }

  private var first: TortureRepository { TortureRepository("first", in: directory) }
  private var second: TortureRepository { TortureRepository("second", in: directory) }
  private var newer: TortureRepository { TortureRepository("first", in: directory, version: 2) }

  /// The number of steps that create a store; one that fails may leave an empty store, which the next opening completes.
  package static let creations = 2
  /// The number of steps before the write to two stores.
  package static let jointWrite = 8
  /// The number of steps before the one that makes the backup; those after it leave the backup as it is.
  package static let backupStep = 14
  /// The name of the backup's directory, beside the stores.
  package static let backupName = "backup"

  package typealias Step = (name: String, body: () throws -> Void)

  package var all: [Step] {
    [
      ("create the first store", { try open(first) }),
      ("create the second store", { try open(second) }),
      ("save a graph", { try first.write { try fill($0, owners: 0..<6, items: 10) } }),
      ("save many objects", { try first.saveAndWait(entities: (100..<180).map(item), update: true) }),
      ("change objects", { try first.write { change($0) } }),
      ("delete with a cascade", { try first.write { try deleteOwner($0, 0) } }),
      ("save a large list", { try first.write { try growList($0) } }),
      ("change a large list", { try first.write { try changeList($0) } }),
      ("write to two stores", { try writeToBoth() }),
      ("let the file grow", { try first.write { try addBytes($0) } }),
      (
        "delete much",
        { try first.write { try $0.delete($0.objects(TortureItem.self).where { $0.id >= 1_000 }) } }
      ),
      ("fan out", { try first.write { try fanOut($0) } }),
      ("take back half of a fan-out", { try takeBack() }),
      ("import into the tree", { try importRooms() }),
      ("back up", { try backUp() }),
      ("compact", { try first.compact() }),
      ("migrate", { try migrate() }),
      ("save in the new version", { try newer.write { changeNewer($0) } }),
      ("restore the backup", { try restore() }),
    ]
  }

  package func close() {
    first.close()
    second.close()
    newer.close()
  }

  private func open(_ repository: TortureRepository) throws {
    guard let error = repository.store().openingError else { return }
    // The next call opens it again.
    repository.close()
    throw error
  }

  private func item(_ id: Int) -> TortureItem {
    let item = TortureItem()
    item.id = id
    item.code = "code \(id)"
    item.rank = id % 7
    item.text = "words of item \(id) and \(id % 13)"
    for note in 0..<(id % 4) { item.notes.append("note \(note)") }
    return item
  }

  private func fill(_ transaction: WriteTransaction, owners: Range<Int>, items: Int) throws {
    for id in owners {
      let owner = TortureOwner()
      owner.id = id
      owner.name = "owner \(id)"
      for number in 0..<items { owner.items.append(item(id * items + number)) }
      try transaction.add(owner, update: .all)
    }
  }

  private func change(_ transaction: WriteTransaction) {
    for item in transaction.objects(TortureItem.self).where({ $0.id >= 100 && $0.id < 140 }) {
      item.rank = item.id
      item.code = "changed \(item.id)"
      item.text = "other words"
    }
  }

  private func deleteOwner(_ transaction: WriteTransaction, _ id: Int) throws {
    guard let owner = try transaction.object(ofType: TortureOwner.self, forPrimaryKey: id) else { return }
    try transaction.delete(owner)
  }

  private func growList(_ transaction: WriteTransaction) throws {
    let item = item(500)
    item.notes.removeAll()
    item.notes.append(objectsIn: (0..<3_000).map { "a longer note \($0)" })
    try transaction.add(item, update: .all)
  }

  private func changeList(_ transaction: WriteTransaction) throws {
    guard let item = try transaction.object(ofType: TortureItem.self, forPrimaryKey: 500),
      item.notes.count > 1_500
    else { return }
    item.notes[1_500] = "changed"
    if item.notes.count == 3_000 { item.notes.removeLast() }
  }

  private func writeToBoth() throws {
    let manager = StoreManager(repositories: [first, second])
    try manager.write(to: [first, second]) { write in
      for repository in [first, second] {
        try write.transaction(of: repository).add(item(900), update: .all)
        try write.transaction(of: repository).add(item(901), update: .all)
        let tree = JSONTree(in: repository)
        try tree.in(write.transaction(of: repository)).updateChildValues(message("joint"), at: tree.root)
      }
    }
  }

  /// Names of every length: some places have segments of their own.
  private static let members = (0..<90).map { member in
    member % 6 == 0 ? String(repeating: "n", count: 150 + 6 * member) + "\(member)" : "member \(member)"
  }

  /// A message to all members, and its room.
  private func message(_ text: String) -> FiefTree.JSONObject {
    let places = Self.members.map { ("inbox/\($0)/m1", ["text": .string(text), "room": "r1"] as JSON) }
    return FiefTree.JSONObject(places + [("rooms/r1/last", .string(text))])
  }

  private func fanOut(_ transaction: WriteTransaction) throws {
    let tree = JSONTree(in: first)
    try tree.in(transaction).updateChildValues(message("hello"), at: tree.root)
    try transaction.object(ofType: TortureOwner.self, forPrimaryKey: 1)?.name = "wrote a message"
  }

  private func takeBack() throws {
    let places = Self.members.enumerated().filter { $0.offset % 2 == 0 }
    let values = FiefTree.JSONObject(places.map { ("inbox/\($0.element)", JSON.null) })
    try JSONTree(in: first).root.updateChildValuesAndWait(values)
  }

  /// The file is not below the directory whose calls fail.
  private func importRooms() throws {
    let place = URL(filePath: directory)
    let file = place.deletingLastPathComponent().appending(path: "import-\(place.lastPathComponent).json")
    let rooms = FiefTree.JSONObject(Self.members.map { ($0, ["last": .string("imported")]) })
    try Data(JSON.object(rooms).text().utf8).write(to: file)
    let tree = JSONTree(in: first)
    try tree.importJSONAndWait(from: file.path(percentEncoded: false), to: tree.reference("rooms"))
  }

  private func addBytes(_ transaction: WriteTransaction) throws {
    for id in 1_000..<1_024 {
      let item = item(id)
      item.bytes = Data(repeating: UInt8(id % 251), count: 100_000)
      try transaction.add(item, update: .all)
    }
  }

  private var backup: String { "\(directory)/\(Self.backupName)" }

  private func backUp() throws {
    // What a failed attempt has left.
    try? FileManager.default.removeItem(atPath: backup)
    try first.backup(to: backup)
  }

  private func migrate() throws {
    first.close()
    try open(newer)
  }

  private func changeNewer(_ transaction: WriteTransaction) {
    for item in transaction.objects(NewerItem.self).where({ $0.id < 30 }) where item.stars < 10 {
      item.stars += 10
    }
  }

  /// The store has the version of the backup afterwards.
  private func restore() throws {
    newer.close()
    _ = try StoreMaintenance(newer).restore(from: backup, keep: 1)
  }
}
