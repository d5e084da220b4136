import Fief
import FiefTesting
import Foundation
import Testing

/// Writes in the body of an optimistic transaction: a form that changes its thread is refused before it does, since the other
/// thread does not know of the transaction.
@Suite(.timeLimit(.minutes(20))) struct OptimisticNestingTests {
  @Test(arguments: StoreKind.allCases) func noAsynchronousFormWrites(_ kind: StoreKind) async throws {
    let fixture = try StoreFixture(TestRepository(objectTypes: optimisticTypes), kind)
    try fixture.saveAndWait(entity: OptimisticCounter(1, value: 5))
    let store = fixture.store()
    let dynamic = try DynamicStore(directory: try #require(store.directory), isReadOnly: false)
    defer { dynamic.close() }
    let forms: [@Sendable () async throws -> Void] = [
      { try await fixture.save(entities: [OptimisticCounter(2)], update: true) },
      { try await fixture.save(entity: OptimisticCounter(1, value: 6), update: .modified) },
      { try await fixture.save(entity: OptimisticCounter(1, value: 6), ifUnchanged: false) },
      {
        let document = Data(#"{"id": 2, "value": 7}"#.utf8)
        try await fixture.save(saveClass: OptimisticCounter.self, jsonData: document, update: true)
      },
      { try await fixture.delete(entity: OptimisticCounter(1)) },
      { try await fixture.delete(ofType: OptimisticCounter.self, forPrimaryKeys: [1]) },
      { try await fixture.deleteAll(deleteObjClass: OptimisticCounter.self) },
      {
        var batch = store.batch()
        try batch.update(OptimisticCounter.self, forPrimaryKey: 1, .increment(\.value, by: 1))
        try await batch.commit()
      },
      { try await store.objects(OptimisticCounter.self).update(.set(\.value, 6)) },
      { try await store.objects(OptimisticCounter.self).delete() },
      {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          fixture.save(entity: OptimisticCounter(1, value: 6), update: true) { result in
            continuation.resume(with: result.map { _ in })
          }
        }
      },
      {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          fixture.delete(entity: OptimisticCounter(1)) { result in
            continuation.resume(with: result.map { _ in })
          }
        }
      },
      { _ = try fixture.abandonUnfinishedWrites() },
      { _ = try dynamic.write { try $0.put("OptimisticCounter", ["id": 2, "value": 7]) } },
      {
        // The body opens the store.
        let own = try DynamicStore(directory: dynamic.directory, isReadOnly: false)
        defer { own.close() }
        _ = try own.write { try $0.put("OptimisticCounter", ["id": 2, "value": 7]) }
      },
    ]
    for (number, form) in forms.enumerated() {
      let found = Lock<FiefError?>(nil)
      try await store.runTransaction { _ in
        do { try await form() } catch { found.withLock { $0 = error as? FiefError } }
      }
      #expect(found.withLock { $0?.code } == .nestedWrite, "form \(number)")
    }
    #expect(try store.objects(OptimisticCounter.self).all().map(\.value) == [5])
    // After the transaction each form writes again.
    try await store.objects(OptimisticCounter.self).update(.set(\.value, 6))
    #expect(store.object(ofType: OptimisticCounter.self, forPrimaryKey: 1)?.value == 6)
    try dynamic.write { _ = try $0.put("OptimisticCounter", ["id": 2, "value": 7]) }
    #expect(try store.objects(OptimisticCounter.self).all().map(\.value) == [6, 7])
    dynamic.close()
    fixture.closeChecked()
  }

  /// A store that is opened without its classes is another store only if its file is another one.
  @Test func aBodyMayWriteToAnotherStore() async throws {
    let (fixture, other) = (
      try StoreFixture(TestRepository(objectTypes: optimisticTypes)),
      try StoreFixture(TestRepository(objectTypes: optimisticTypes))
    )
    try other.saveAndWait(entity: OptimisticCounter(1, value: 5))
    let dynamic = try DynamicStore(directory: try #require(other.store().directory), isReadOnly: false)
    defer { dynamic.close() }
    try await fixture.store().runTransaction { _ in
      try dynamic.write { _ = try $0.put("OptimisticCounter", ["id": 2, "value": 7]) }
      #expect(try dynamic.count(of: "OptimisticCounter") == 2)
    }
    dynamic.close()
    fixture.closeChecked()
    other.closeChecked()
  }
}
