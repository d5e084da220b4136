import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

final class NestedNode: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var next: NestedNode?
  @Persisted var children: List<NestedNode>
  @Persisted var named: Map<String, NestedNode?>
  @Persisted var part: NestedPart?
  @Persisted var content: AnyRealmValue
}

final class NestedPart: EmbeddedObject {
  @Persisted var inner: NestedPart?
  @Persisted var node: NestedNode?
}

/// Objects made of dictionaries and arrays that are inside of each other, on a stack as small as those of most threads of Apple's.
@Suite(.timeLimit(.minutes(20))) struct NestedValuesTests {
  /// How the values of an object are in those of another one.
  enum Form: String, CaseIterable {
    case link, optionalLink, array, list, map, part

    func around(_ inner: [String: Any], id: Int) -> [String: Any] {
      switch self {
      case .link: ["id": id, "next": inner]
      case .optionalLink: ["id": id, "next": Optional(inner) as Any, "children": Any?.none as Any]
      case .array: ["id": id, "next": [inner["id"] ?? 0, inner["next"] ?? NSNull()]]
      case .list: ["id": id, "children": [inner]]
      case .map: ["id": id, "named": ["inner": inner]]
      case .part: ["id": id, "part": ["node": inner]]
      }
    }
  }

  /// The values of an object with so many levels of others in it.
  private static func values(_ form: Form, levels: Int) -> [String: Any] {
    (0..<levels).reduce(["id": levels]) { form.around($0, id: levels - 1 - $1) }
  }

  private func store(_ kind: StoreKind) throws -> StoreFixture<TestRepository> {
    try StoreFixture(TestRepository(objectTypes: [NestedNode.self]), kind)
  }

  private static func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value)
    async throws
    -> Value
  {
    let result = Lock<Result<Value, any Error>?>(nil)
    await withCheckedContinuation { continuation in
      let thread = Thread {
        let outcome = Result(catching: body)
        result.withLock { $0 = outcome }
        continuation.resume()
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    return try #require(result.withLock { $0 }).get()
  }

  private func expectTooDeep(_ error: (any Error)?, _ comment: Comment) {
    let error = error as? FiefError
    #expect(error?.code == .invalidValue && error?.type?.hasPrefix("Nested") == true, comment)
    #expect(error?.details.contains("the limit: 32") == true, comment)
  }

  @Test(arguments: StoreKind.allCases) func objectsInsideOfEachOther(_ kind: StoreKind) async throws {
    let store = try store(kind)
    for form in Form.allCases {
      // An object and an embedded one are two levels.
      let levels = form == .part ? 16 : 32
      // SAFETY: only one thread at a time uses the values.
      nonisolated(unsafe) let values = Self.values(form, levels: levels)
      try await Self.onSmallStack {
        try store.store().write { _ = try $0.create(NestedNode.self, value: values, update: .all) }
      }
      #expect(try store.store().objects(NestedNode.self).fetchCount() == levels + 1, "\(form)")
      try await store.store().write { try $0.deleteAll() }
    }
    // A value of any type may have its own levels in the innermost object.
    let nested = (0..<79).reduce([1] as [Any]) { inner, _ in [inner] }
    // SAFETY: only one thread at a time uses the values.
    nonisolated(unsafe) let values = (0..<32).reduce(["id": 32, "content": nested] as [String: Any]) {
      Form.link.around($0, id: 31 - $1)
    }
    try await Self.onSmallStack {
      try store.store().write { _ = try $0.create(NestedNode.self, value: values, update: .all) }
    }
    #expect(try store.store().objects(NestedNode.self).where { $0.content != .none }.fetchCount() == 1)
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func deeperOnesAreAnError(_ kind: StoreKind) async throws {
    let store = try store(kind)
    for form in Form.allCases {
      for levels in [33, 300, 1_000] {
        // SAFETY: only one thread at a time uses the values.
        nonisolated(unsafe) let values = Self.values(form, levels: levels)
        let errors = try await Self.onSmallStack {
          [
            failure {
              try store.store().write { _ = try $0.create(NestedNode.self, value: values, update: .all) }
            },
            failure { _ = try NestedNode(validating: values) },
            // A save of the object fails.
            failure { try store.store().write { try $0.add(NestedNode(value: values)) } },
          ].map { $0 as? FiefError }
        }
        for error in errors { expectTooDeep(error, "\(form) \(levels): \(String(describing: error))") }
        withExtendedLifetime(values) {}
      }
    }
    #expect(try store.store().objects(NestedNode.self).fetchCount() == 0)
    store.closeChecked()
  }

  @Test(arguments: StoreKind.allCases) func deepValuesThatDoNotFit(_ kind: StoreKind) async throws {
    let store = try store(kind)
    // SAFETY: only one thread at a time uses the values.
    nonisolated(unsafe) let values = Self.values(.link, levels: 1_000)
    let errors = try await Self.onSmallStack {
      ["id", "content", "children", "named"].map { name in
        failure { try store.store().write { _ = try $0.create(NestedNode.self, value: [name: values]) } }
          as? FiefError
      }
    }
    #expect(errors.map(\.?.code) == Array(repeating: .invalidValue, count: 4), "\(errors)")
    withExtendedLifetime(values) {}
    store.closeChecked()
  }
}
