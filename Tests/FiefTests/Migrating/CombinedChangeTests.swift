import Fief
import Foundation
import Testing

private enum A {
  final class Root: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var leaf: Leaf?
    @Persisted var leaves: List<Leaf>
    @Persisted var token: String = ""
  }
  final class Leaf: EmbeddedObject {
    @Persisted var number = 0
    @Persisted var target: Root?
  }
}

private enum B {
  final class Root: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var leaf: Leaf?
    @Persisted var leaves: List<Leaf>
    @Persisted var token: String = ""
    @Persisted var added: UUID
  }
  final class Leaf: Object {
    @Persisted(primaryKey: true) var count: Int16 = 0
    @Persisted var target: Root?
    @Persisted var added: UUID
    @Persisted(originProperty: "leaves") var roots: LinkingObjects<Root>
  }
}

private enum C {
  final class Base: Object {
    @Persisted(primaryKey: true) var key = ""
    @Persisted var leaf: Leaf?
    @Persisted var leaves: List<Leaf>
  }
  final class Leaf: EmbeddedObject {
    @Persisted var count = 0.5
    @Persisted var target: Base?
  }
}

@Suite("Several changes at once")
struct CombinedChangeTests {
  @Test("an embedded type gets another name for a number, a narrower one, a key and a table, and goes back")
  func outAndIn() throws {
    try MigratingStore.withDirectory { (directory: String) throws in
      let first = MigratingStore(directory, version: 1, [A.Root.self], embedded: [A.Leaf.self])
      try first.opened { (store: MigratingStore) throws in
        try store.store().write { transaction in
          var last: A.Root?
          for id in 0..<50 {
            let root = A.Root()
            root.id = id
            root.token = "t\(99 - id)"
            root.leaves.append(
              objectsIn: (0..<2).map { number in
                let leaf = A.Leaf()
                leaf.number = id * 10 + number
                leaf.target = last
                return leaf
              }
            )
            let leaf = A.Leaf()
            leaf.number = id * 10 + 5
            leaf.target = last
            root.leaf = leaf
            try transaction.add(root)
            last = root
          }
        }
      }
      let second = MigratingStore(directory, version: 2, [B.Root.self, B.Leaf.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.renameProperty(onType: "Leaf", from: "number", to: "count")
      }
      try second.opened { (store: MigratingStore) throws in
        let leaves = try store.all(B.Leaf.self)
        let counts: [Int16] = (0..<150).map { Int16($0 / 3 * 10 + [0, 1, 5][$0 % 3]) }
        let targets: [Int?] = (0..<150).map { (number: Int) -> Int? in number < 3 ? nil : number / 3 - 1 }
        let roots: [Int?] = (0..<150).map { (number: Int) -> Int? in number % 3 == 2 ? nil : number / 3 }
        #expect(leaves.map(\.count) == counts)
        #expect(leaves.map { $0.target?.id } == targets)
        #expect(leaves.map { $0.roots.first?.id } == roots)
        #expect(
          try store.all(B.Root.self).allSatisfy {
            $0.leaves.count == 2 && $0.leaf?.count == Int16($0.id * 10 + 5)
          }
        )
      }
      let third = MigratingStore(directory, version: 3, [C.Base.self], embedded: [C.Leaf.self]) {
        (migration: Migration, _: UInt64) throws in
        migration.renameType(from: "Root", to: "Base")
        migration.renameProperty(onType: "Base", from: "token", to: "key")
      }
      try third.opened { (store: MigratingStore) throws in
        let bases = try store.all(C.Base.self)
        #expect(bases.map(\.key) == (50..<100).map { "t\($0)" })
        for (index, base) in bases.enumerated() {
          let id = 49 - index
          #expect(
            base.leaf?.count == Double(id * 10 + 5)
              && base.leaves.map(\.count) == [Double(id * 10), Double(id * 10 + 1)]
          )
          let target: String? = id == 0 ? nil : "t\(100 - id)"
          #expect(base.leaf?.target?.key == target)
        }
      }
    }
  }
}
