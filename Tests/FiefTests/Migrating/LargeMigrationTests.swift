import Fief
import Foundation
import TestEffort
import Testing

private enum Before {
  final class Node: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var group = 0
    @Persisted var next: Node?
    @Persisted var all: List<Node>
    @Persisted var some: MutableSet<Node>
    @Persisted var named: Map<String, Node?>
    @Persisted var part: NodePart?
  }
  final class NodePart: EmbeddedObject {
    @Persisted var inner: Node?
    @Persisted var more: List<Node>
  }
}

private enum After {
  final class Node: Object {
    @Persisted(primaryKey: true) var text = ""
    @Persisted(primaryKey: true) var number: Int32 = 0
    @Persisted var id = 0
    @Persisted(indexed: true) var group = 0
    @Persisted var next: Node?
    @Persisted var all: List<Node>
    @Persisted var some: MutableSet<Node>
    @Persisted var named: Map<String, Node?>
    @Persisted var part: NodePart?
  }
  final class NodePart: EmbeddedObject {
    @Persisted var inner: Node?
    @Persisted var more: List<Node>
  }
}

@Suite("Migrations of many objects")
struct LargeMigrationTests {
  private struct Model {
    var group = 0
    var next: Int?
    var all: [Int] = []
    var some: Set<Int> = []
    var named: [String: Int?] = [:]
    var inner: Int?
    var more: [Int] = []

    /// The links of an object to others that go on to exist.
    func without(_ deleted: Set<Int>) -> Model {
      var result = self
      result.next = next.flatMap { deleted.contains($0) ? nil : $0 }
      result.inner = inner.flatMap { deleted.contains($0) ? nil : $0 }
      result.all.removeAll(where: deleted.contains)
      result.more.removeAll(where: deleted.contains)
      result.some.subtract(deleted)
      result.named = named.mapValues { $0.flatMap { deleted.contains($0) ? nil : $0 } }
      return result
    }
  }

  @Test(
    "a random graph keeps its links when every key changes",
    arguments: TestEffort.first(2, of: [1, 2, 3] as [UInt64])
  )
  func randomGraph(round: UInt64) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = MigrationRandom(seed: seed &+ round)
    let count = Int.random(in: 1...300, using: &random)
    var model: [Int: Model] = [:]
    for id in 0..<count {
      var node = Model(group: Int.random(in: 0...5, using: &random))
      func pick() -> Int { Int.random(in: 0..<count, using: &random) }
      if Bool.random(using: &random) { node.next = pick() }
      if Bool.random(using: &random) { node.inner = pick() }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        node.all.append(pick())
        node.more.append(pick())
        node.some.insert(pick())
        node.named["k\(pick() % 7)"] = Bool.random(using: &random) ? pick() : .some(nil)
      }
      model[id] = node
    }
    let graph = model
    let deleted = Set(graph.keys.filter { _ in Int.random(in: 0..<10, using: &random) == 0 })
    try MigratingStore.withDirectory { (directory: String) throws in
      let old = MigratingStore(directory, version: 1, [Before.Node.self], embedded: [Before.NodePart.self])
      try old.opened { (store: MigratingStore) throws in
        try store.store().write { try $0.add(Self.objects(graph), update: .all) }
      }
      let new = MigratingStore(directory, version: 2, [After.Node.self], embedded: [After.NodePart.self]) {
        (migration: Migration, _: UInt64) throws in
        try migration.enumerateObjects(ofType: "Node") { old, new in
          let id = try old?.value("id", as: Int.self) ?? 0
          new?["text"] = "t\(id % 5)"
          new?["number"] = -id
          if deleted.contains(id), let new { migration.delete(new) }
        }
      }
      try new.opened { (store: MigratingStore) throws in
        let found = try store.all(After.Node.self)
        #expect(Set(found.map(\.id)) == Set(graph.keys).subtracting(deleted), "seed \(seed)")
        for node in found {
          let expected = try #require(graph[node.id]).without(deleted)
          #expect(node.text == "t\(node.id % 5)" && node.number == Int32(-node.id), "seed \(seed)")
          #expect(node.group == expected.group, "seed \(seed)")
          #expect(node.next?.id == expected.next, "seed \(seed)")
          #expect(node.all.map(\.id) == expected.all, "seed \(seed)")
          #expect(Set(node.some.map(\.id)) == expected.some, "seed \(seed)")
          #expect(node.part?.inner?.id == expected.inner, "seed \(seed)")
          #expect(node.part?.more.map(\.id) ?? [] == expected.more, "seed \(seed)")
          for (key, value) in expected.named { #expect(node.named[key]??.id == value, "seed \(seed)") }
        }
      }
    }
  }

  private static func objects(_ model: [Int: Model]) -> [Before.Node] {
    let nodes = Dictionary(
      uniqueKeysWithValues: model.map { id, _ in
        let node = Before.Node()
        node.id = id
        return (id, node)
      }
    )
    for (id, node) in nodes {
      guard let values = model[id] else { continue }
      node.group = values.group
      node.next = values.next.flatMap { nodes[$0] }
      node.all.append(objectsIn: values.all.compactMap { nodes[$0] })
      for other in values.some { if let other = nodes[other] { node.some.insert(other) } }
      for (key, other) in values.named { node.named[key] = .some(other.flatMap { nodes[$0] }) }
      node.part = Before.NodePart()
      node.part?.inner = values.inner.flatMap { nodes[$0] }
      node.part?.more.append(objectsIn: values.more.compactMap { nodes[$0] })
    }
    return Array(nodes.values)
  }

  @Test("very many objects are enumerated, and get other keys")
  func many() throws {
    let count = TestEffort.count(4_000, more: 20_000)
    try MigratingStore.withDirectory { (directory: String) throws in
      let old = MigratingStore(directory, version: 1, [Before.Node.self], embedded: [Before.NodePart.self])
      try old.opened { (store: MigratingStore) throws in
        try store.store().write { transaction in
          var last: Before.Node?
          for id in 0..<count {
            let node = Before.Node()
            node.id = id
            node.group = id % 10
            // The objects make no single chain: objects in memory that hold each other are released one
            // inside of the other.
            node.next = id % 100 == 1 ? nil : last
            try transaction.add(node)
            last = node
          }
        }
      }
      let new = MigratingStore(directory, version: 2, [After.Node.self], embedded: [After.NodePart.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.enumerateObjects(ofType: "Node") { old, new in
          new?["text"] = "x"
          new?["number"] = old?["id"]
        }
      }
      try new.opened { (store: MigratingStore) throws in
        #expect(try store.count(After.Node.self) == count)
        let node = try #require(
          store.object(ofType: After.Node.self, forPrimaryKey: ["x", count * 4 / 5] as [Any])
        )
        #expect(node.next?.id == count * 4 / 5 - 1)
      }
    }
  }
}
