import Fief
import Foundation
import LMDB
import Testing

private enum Old {
  final class Node: Object {
    @Persisted(primaryKey: true) var group: String?
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var text = ""
    @Persisted var next: Node?
    @Persisted var all: List<Node>
    @Persisted var narrow = 0
    @Persisted(originProperty: "next") var before: LinkingObjects<Node>
  }
}

private enum Long {
  final class Node: Object {
    @Persisted(primaryKey: true) var text = ""
    @Persisted(indexed: true) var group: String?
    @Persisted(indexed: true) var id = 0
    @Persisted var next: Node?
    @Persisted var all: List<Node>
    @Persisted(indexed: true) var narrow: Int16 = 0
    @Persisted(originProperty: "next") var before: LinkingObjects<Node>
  }
}

private enum Swapped {
  final class Node: Object {
    @Persisted(primaryKey: true) var id: Int16 = 0
    @Persisted(primaryKey: true) var group: String?
    @Persisted(indexed: true) var text = ""
    @Persisted var next: Node?
    @Persisted var all: List<Node>
    @Persisted var narrow = 0
    @Persisted(originProperty: "next") var before: LinkingObjects<Node>
  }
}

private enum Keyless {
  final class Node: Object {
    @Persisted var id: Int16 = 0
    @Persisted(indexed: true) var group = "nobody"
    @Persisted(indexed: true) var text = ""
    @Persisted var next: Node?
    @Persisted var all: List<Node>
    @Persisted var narrow = 0
    @Persisted(originProperty: "next") var before: LinkingObjects<Node>
  }
}

private struct MemoryNodes: DatabaseConfigurable {
  let realmMemoryType = RealmMemoryType.inMemory(identifier: UUID().uuidString)
  var schemaName: String? { "migrated" }
  var schemaVersion: UInt64? { 2 }
  var objectTypes: [Object.Type]? { [Long.Node.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock?
  var storeOptions = StoreOptions()
}

@Suite("Keys at their limits, of optional parts, and of no part at all")
struct MigrationKeyTests {
  private func withNodes(_ count: Int = 300, length: Int = 509, _ body: (String) throws -> Void) throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      try MigratingStore(directory, version: 1, [Old.Node.self]).opened { (store: MigratingStore) throws in
        let nodes = (0..<count).map { id in
          let node = Old.Node()
          node.group = id % 3 == 0 ? nil : "g\(id % 3)"
          node.id = id
          // Texts of one length, in another order than the numbers.
          let digits = String(format: "%06d", (id * 7919) % 1_000_003)
          node.text = digits + String(repeating: "x", count: length - digits.count)
          node.narrow = -id
          return node
        }
        for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
        nodes[0].all.append(objectsIn: nodes)
        try store.store().write { try $0.add(nodes, update: .all) }
      }
      try body(directory)
    }
  }

  private func expectLong(_ nodes: [Long.Node], _ count: Int) {
    let sorted = nodes.sorted { $0.id < $1.id }
    #expect(sorted.map(\.id) == Array(0..<count))
    #expect(sorted.map { $0.next?.id } == (1..<count).map { $0 } + [nil])
    #expect(sorted.map { $0.before.first?.id } == [nil] + (0..<(count - 1)).map { $0 })
    #expect(sorted.first?.all.map(\.id) == Array(0..<count))
    #expect(sorted.allSatisfy { Int($0.narrow) == -$0.id })
    #expect(sorted.allSatisfy { $0.group == ($0.id % 3 == 0 ? nil : "g\($0.id % 3)") })
  }

  @Test("of the greatest length, with all links and indexes")
  func longest() throws {
    try withNodes { (directory: String) throws in
      try MigratingStore(directory, version: 2, [Long.Node.self]).opened { (store: MigratingStore) throws in
        expectLong(try store.all(Long.Node.self), 300)
        let found = try store.store().objects(Long.Node.self).sorted(byKeyPath: "id").all()
        #expect(found.map(\.id) == Array(0..<300))
        try store.store().write { transaction in
          let all = Array(transaction.objects(Long.Node.self))
          try transaction.delete(try #require(all.first { $0.id == 150 }))
        }
        #expect(try store.all(Long.Node.self).first { $0.id == 149 }?.next == nil)
        #expect(try store.all(Long.Node.self).first { $0.id == 0 }?.all.count == 299)
      }
    }
  }

  @Test("longer than that end the migration")
  func tooLong() throws {
    try withNodes(3, length: 510) { (directory: String) throws in
      let error = try MigratingStore(directory, version: 2, [Long.Node.self]).failure()
      #expect(
        error.code == .primaryKeyTooLong && error.type == "Node" && error.property == "text",
        "\(error)"
      )
      #expect(error.store == "migrated" && error.key != nil)
    }
  }

  @Test("whose parts change places and get narrower, and then go")
  func swapped() throws {
    try withNodes(100) { (directory: String) throws in
      try MigratingStore(directory, version: 2, [Swapped.Node.self]).opened {
        (store: MigratingStore) throws in
        let nodes = try store.all(Swapped.Node.self)
        let next: [Int16?] = Array(1..<100) + [nil]
        #expect(nodes.map(\.id) == Array(0..<100) && nodes.map { $0.next?.id } == next)
        let thirds: [Bool] = (0..<100).map { $0 % 3 == 0 }
        #expect(nodes.map { $0.group == nil } == thirds)
      }
      try MigratingStore(directory, version: 3, [Keyless.Node.self]).opened {
        (store: MigratingStore) throws in
        try store.store().write { try $0.add(Keyless.Node()) }
        let nodes = try store.all(Keyless.Node.self)
        #expect(nodes.map(\.id) == Array(0..<100) + [0] && nodes[98].next?.id == 99)
        let thirds: [Bool] = (0...100).map { (number: Int) -> Bool in number % 3 == 0 || number == 100 }
        #expect(nodes.map { $0.group == "nobody" } == thirds)
      }
    }
  }

  @Test("that no object can have are those of none")
  func wrongKeys() throws {
    try withNodes(3) { (directory: String) throws in
      let store = MigratingStore(directory, version: 2, [Swapped.Node.self]) {
        (migration: Migration, _: UInt64) throws in
        let long = String(repeating: "l", count: 600)
        #expect(try migration.object(ofType: "Node", forPrimaryKey: [long, 1] as [Any?]) == nil)
        #expect(try migration.oldObject(ofType: "Node", forPrimaryKey: [long, 1] as [Any?]) == nil)
        #expect(throws: FiefError.self) { try migration.object(ofType: "Node", forPrimaryKey: 1) }
        #expect(
          try migration.object(ofType: "Node", forPrimaryKey: [nil, 0] as [Any?])?["narrow"] as? Int == 0
        )
      }
      try store.opened { (store: MigratingStore) throws in #expect(try store.count(Swapped.Node.self) == 3) }
    }
  }

  @Test("in a store in memory whose map is outgrown, so that the block runs again")
  func growing() throws {
    try withNodes { (directory: String) throws in
      let runs = OwnedLock(0)
      var memory = MemoryNodes()
      memory.storeOptions.seedFile = directory + "/migrated"
      memory.storeOptions.initialMapSize = 1 << 20
      memory.migrationBlock = { (migration: Migration, _: UInt64) throws in
        runs.withLock { $0 += 1 }
        let filler = String(repeating: "f", count: 60_000)
        let created = (0..<2_000).map { id in
          migration.create("Node", value: ["text": "new \(id)", "id": -1, "group": filler])
        }
        migration.enumerateObjects(ofType: "Node") { old, new in
          #expect(old != nil && new?["id"] as? Int != -1)
          new?["narrow"] = new?["narrow"]
        }
        for node in created { migration.delete(node) }
      }
      defer { memory.close() }
      let nodes = try memory.read { Array($0.objects(Long.Node.self)) }
      expectLong(nodes, 300)
      #expect(runs.withLock { $0 } > 1)
      #expect(try memory.check().problems == [])
    }
  }
}
