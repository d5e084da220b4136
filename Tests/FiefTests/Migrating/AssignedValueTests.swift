import Fief
import Foundation
import Testing

private final class Branch: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var inner: Branch?
}

private final class Tree: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var trunk: Branch?
  @Persisted var anything: AnyRealmValue = .int(1)
  @Persisted var things: List<AnyRealmValue>
  @Persisted var named: Map<String, AnyRealmValue>
}

/// Values that a migration assigns by name.
@Suite struct AssignedValueTests {
  private func migrated(
    _ block: @escaping @Sendable (MigrationObject) -> Void,
    _ body: (MigratingStore) throws -> Void
  )
    throws
  {
    try MigratingStore.withDirectory { directory in
      func store(_ version: UInt64, _ block: MigrationBlock? = nil) -> MigratingStore {
        MigratingStore(directory, version: version, [Tree.self], embedded: [Branch.self], block: block)
      }
      try store(1).opened { try $0.write { try $0.add(Tree(value: ["id": 1])) } }
      try body(
        store(2) { migration, _ in
          migration.enumerateObjects(ofType: "Tree") { _, tree in tree.map(block) }
        }
      )
    }
  }

  /// Dictionaries inside of each other.
  private static func branches(_ depth: Int) -> [String: Any] {
    (0..<depth).reduce(["name": "innermost"]) { inner, _ in ["name": "outer", "inner": inner] }
  }

  @Test func nilIsAValueOfAnyType() throws {
    try migrated { tree in
      tree["anything"] = nil
      tree["things"] = [1, nil, "two"] as [Any?]
      tree["named"] = ["a": nil, "b": 2] as [String: Any?]
    } _: { store in
      try store.opened { store in
        let tree = try #require(try store.all(Tree.self).first)
        #expect(tree.anything == .none)
        #expect(Array(tree.things) == [.int(1), .none, .string("two")])
        #expect(tree.named["a"] == AnyRealmValue.none && tree.named["b"] == .int(2) && tree.named.count == 2)
      }
    }
  }

  @Test func embeddedObjectsFromDictionariesAreAsDeepAsInASave() throws {
    try migrated {
      $0["trunk"] = Self.branches(126)
    } _: { store in
      try store.opened { store in
        var (branch, depth) = (try store.all(Tree.self).first?.trunk, 0)
        while let inner = branch?.inner { (branch, depth) = (inner, depth + 1) }
        #expect(depth == 126 && branch?.name == "innermost")
      }
    }
  }

  @Test(arguments: [127, 600]) func deeperOnesEndTheMigrationWithAnError(depth: Int) throws {
    try migrated {
      $0["trunk"] = Self.branches(depth)
    } _: { store in
      let error = try store.failure()
      #expect(error.code == .invalidValue && error.type == "Branch", "\(error)")
      #expect(error.details.contains("the limit: 128"), "\(error)")
    }
    try migrated { tree in
      let trunk = Branch()
      var last = trunk
      for _ in 0..<depth {
        let inner = Branch()
        last.inner = inner
        last = inner
      }
      tree["trunk"] = trunk
    } _: { store in
      let error = try store.failure()
      #expect(error.code == .invalidValue)
    }
  }
}
