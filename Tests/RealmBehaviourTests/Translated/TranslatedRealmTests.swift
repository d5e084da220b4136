import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Methods of Realm Swift's `RealmTests`.
@Suite(.timeLimit(.minutes(20))) struct TranslatedRealmTests {
  private struct Intentional: Error {}

  @Test func isEmpty() throws {
    let realm = try TranslatedRealm().realm
    defer { realm.close() }
    #expect(realm.isEmpty)
    realm.beginWrite()
    realm.create(TranslatedText.self, value: ["a"])
    #expect(!realm.isEmpty)
    realm.cancelWrite()
    #expect(realm.isEmpty)
    realm.beginWrite()
    realm.create(TranslatedText.self, value: ["a"])
    try realm.commitWrite()
    #expect(!realm.isEmpty)
  }

  @Test func initInMemory() throws {
    let identifier = UUID().uuidString
    let realm = try TranslatedRealm(identifier).realm
    defer { realm.close() }
    #expect(realm.objects(TranslatedText.self).isEmpty)
    try realm.write {
      realm.create(TranslatedText.self, value: ["a"])
      #expect(realm.objects(TranslatedText.self).count == 1)
      try TranslatedRealm(identifier).realm.create(TranslatedText.self, value: ["b"])
      #expect(realm.objects(TranslatedText.self).count == 2)
    }
    #expect(try TranslatedRealm().realm.objects(TranslatedText.self).isEmpty)
  }

  @Test func cancelWrite() throws {
    let translated = try TranslatedRealm()
    let realm = translated.realm
    defer { realm.close() }
    realm.cancelWrite()
    #expect(translated.events.take() == [.transactionEnded])
    realm.beginWrite()
    realm.create(TranslatedText.self, value: ["1"])
    realm.cancelWrite()
    #expect(realm.objects(TranslatedText.self).isEmpty)
    let other = try TranslatedRealm()
    try realm.write {
      other.realm.cancelWrite()
      #expect(other.events.take() == [.transactionEnded])
      let object = realm.create(TranslatedText.self)
      realm.cancelWrite()
      #expect(!object.isInvalidated && object.realm == nil)
      #expect(realm.objects(TranslatedText.self).isEmpty)
    }
    #expect(realm.objects(TranslatedText.self).isEmpty)
    #expect(translated.events.take().isEmpty)
    let stored = try realm.write { realm.create(TranslatedText.self, value: ["1"]) }
    try realm.write {
      realm.cancelWrite()
      stored.text = "2"
    }
    #expect(translated.events.take() == [.transactionEnded])
    #expect(realm.objects(TranslatedText.self).map(\.text) == ["1"])
  }

  @Test func throwsWrite() throws {
    let realm = try TranslatedRealm().realm
    #expect(throws: Intentional.self) { try realm.write { throw Intentional() } }
    #expect(throws: Intentional.self) {
      try realm.write {
        realm.create(TranslatedText.self, value: ["1"])
        throw Intentional()
      }
    }
    #expect(realm.isEmpty && !realm.isInWriteTransaction)
  }

  @Test func inWriteTransaction() throws {
    let realm = try TranslatedRealm().realm
    #expect(!realm.isInWriteTransaction)
    realm.beginWrite()
    #expect(realm.isInWriteTransaction)
    realm.cancelWrite()
    try realm.write {
      #expect(realm.isInWriteTransaction)
      realm.cancelWrite()
      #expect(!realm.isInWriteTransaction)
    }
    #expect(!realm.isInWriteTransaction)
  }

  @Test func addSingleObject() throws {
    let translated = try TranslatedRealm()
    let realm = translated.realm
    realm.add(TranslatedText())
    #expect(translated.events.take() == [.transactionEnded])
    #expect(realm.objects(TranslatedText.self).isEmpty)
    let object = TranslatedText()
    try realm.write {
      realm.add(object)
      #expect(realm.objects(TranslatedText.self).count == 1)
      realm.add(object)
      #expect(realm.objects(TranslatedText.self).count == 1)
    }
    #expect(realm.objects(TranslatedText.self).count == 1)
    let other = try TranslatedRealm()
    let error = #expect(throws: FiefError.self) { try other.realm.write { other.realm.add(object) } }
    #expect(error?.code == .foreignObject)
    #expect(other.realm.isEmpty)
  }

  @Test func addStoredObjects() throws {
    let translated = try TranslatedRealm()
    let realm = translated.realm
    defer { realm.close() }
    try realm.write {
      realm.create(TranslatedKeyed.self, value: ["a", 1])
      realm.create(TranslatedText.self, value: ["old"])
    }
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      let (keyed, text) = (realm.objects(TranslatedKeyed.self)[0], realm.objects(TranslatedText.self)[0])
      _ = (keyed.number, text.text)
      try realm.write {
        realm.objects(TranslatedKeyed.self)[0].number += 1
        realm.objects(TranslatedText.self)[0].text += "!"
      }
      // The instances show an older state, which must not replace the newest state.
      try realm.write {
        realm.add(keyed, update: policy)
        realm.add([text], update: policy)
      }
    }
    #expect(realm.objects(TranslatedKeyed.self).map(\.number) == [4])
    #expect(realm.objects(TranslatedText.self).map(\.text) == ["old!!!"])
    #expect(translated.events.take().isEmpty)
  }

  @Test func addWithUpdate() throws {
    let realm = try TranslatedRealm().realm
    try realm.write {
      realm.add(TranslatedKeyed(), update: .all)
      realm.add(TranslatedKeyed(), update: .all)
      #expect(realm.objects(TranslatedKeyed.self).count == 1)
      realm.add([TranslatedKeyed(), TranslatedKeyed()], update: .all)
      #expect(realm.objects(TranslatedKeyed.self).count == 1)
    }
    let error = #expect(throws: FiefError.self) {
      try realm.write { realm.add(TranslatedKeyed()) }
    }
    #expect(error?.code == .duplicatePrimaryKey)
    let second = #expect(throws: FiefError.self) {
      try realm.write { realm.create(TranslatedKeyed.self, value: ["key": ""]) }
    }
    #expect(second?.code == .duplicatePrimaryKey)
  }

  @Test func deleteSingleObject() throws {
    let translated = try TranslatedRealm()
    let realm = translated.realm
    realm.delete(TranslatedText())
    #expect(translated.events.take() == [.transactionEnded])
    var object = TranslatedText()
    let unsaved = #expect(throws: FiefError.self) { try realm.write { realm.delete(TranslatedText()) } }
    #expect(unsaved?.code == .objectNotFound)
    try realm.write {
      object = TranslatedText()
      realm.add(object)
      realm.delete(object)
      #expect(realm.objects(TranslatedText.self).isEmpty)
    }
    realm.delete(object)
    #expect(translated.events.take() == [.transactionEnded])
    let other = try TranslatedRealm()
    let foreign = #expect(throws: FiefError.self) { try other.realm.write { other.realm.delete(object) } }
    #expect(foreign?.code == .objectNotFound)
    let stored = try realm.write { realm.create(TranslatedText.self, value: ["a"]) }
    let error = #expect(throws: FiefError.self) { try other.realm.write { other.realm.delete(stored) } }
    #expect(error?.code == .foreignObject)
  }

  @Test func deleteCollections() throws {
    let realm = try TranslatedRealm().realm
    try realm.write {
      let holder = TranslatedHolder()
      holder.texts.append(TranslatedText("a"))
      holder.textSet.insert(TranslatedText("b"))
      holder.textMap["c"] = TranslatedText("c")
      realm.add(holder)
      #expect(realm.objects(TranslatedText.self).count == 3)
      realm.delete(holder.texts)
      #expect(holder.texts.count == 0 && realm.objects(TranslatedText.self).count == 2)
      realm.delete(holder.textSet)
      #expect(holder.textSet.count == 0 && realm.objects(TranslatedText.self).count == 1)
      realm.delete(holder.textMap)
      #expect(realm.objects(TranslatedText.self).isEmpty)
      #expect(holder.textMap.count == 1 && (holder.textMap["c"] ?? nil) == nil)
      for number in [1, 1, 2] { realm.add(TranslatedText("\(number)")) }
      realm.delete(realm.objects(TranslatedText.self).filter("text = '1'"))
      #expect(realm.objects(TranslatedText.self).count == 1)
    }
    #expect(realm.objects(TranslatedText.self).map(\.text) == ["2"])
  }

  @Test func optionalIntPrimaryKey() throws {
    let realm = try TranslatedRealm().realm
    try realm.write {
      realm.create(TranslatedOptionalKey.self, value: [NSNull(), "a"])
      realm.create(TranslatedOptionalKey.self, value: [2, "b"])
    }
    #expect(realm.object(ofType: TranslatedOptionalKey.self, forPrimaryKey: NSNull())?.text == "a")
    let missing: Any = Int?.none as Any
    #expect(realm.object(ofType: TranslatedOptionalKey.self, forPrimaryKey: missing)?.text == "a")
    #expect(realm.object(ofType: TranslatedOptionalKey.self, forPrimaryKey: 2)?.text == "b")
    #expect(realm.object(ofType: TranslatedOptionalKey.self, forPrimaryKey: 0) == nil)
  }

  @Test func dynamicObjects() throws {
    let translated = try TranslatedRealm()
    let realm = translated.realm
    try realm.write { for text in ["a", "b"] { realm.create(TranslatedText.self, value: [text]) } }
    #expect(realm.dynamicObjects("TranslatedText").count == 2)
    #expect(realm.dynamicObjects("TranslatedKeyed").count == 0)
    #expect(translated.events.take().isEmpty)
    _ = realm.dynamicObjects("Object").count
    #expect(translated.events.take() == [.unknownType])
    _ = realm.objects(Object.self).count
    #expect(translated.events.take() == [.unknownType])
    let object = try realm.write { realm.dynamicCreate("TranslatedText", value: ["c"]) }
    #expect(object["text"] as? String == "c")
  }

  @Test func compactOnLaunch() throws {
    let files = try RealmFiles()
    var configuration = Realm.Configuration(
      fileURL: files.url("big.realm"),
      objectTypes: [TranslatedText.self]
    )
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for number in 0..<5_000 { realm.create(TranslatedText.self, value: ["text \(number)"]) }
    }
    try realm.write { realm.delete(realm.objects(TranslatedText.self).where { $0.text != "text 1" }) }
    realm.close()
    nonisolated(unsafe) var sizes: [(Int, Int)] = []
    configuration.shouldCompactOnLaunch = { total, used in
      sizes.append((total, used))
      return true
    }
    let file = files.url("big").appendingPathComponent("data.mdb").path
    func size() throws -> Int { try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0 }
    let before = try size()
    let again = try Realm(configuration: configuration)
    #expect(sizes.count == 1 && sizes[0].0 == before && sizes[0].1 < before / 2)
    #expect(try size() < before / 2)
    #expect(again.objects(TranslatedText.self).map(\.text) == ["text 1"])
    again.close()
  }

  @Test func seedFilePath() throws {
    let files = try RealmFiles()
    let original = Realm.Configuration(
      fileURL: files.url("original.realm"),
      objectTypes: [TranslatedText.self]
    )
    var destination = Realm.Configuration(
      fileURL: files.url("copy.realm"),
      objectTypes: [TranslatedText.self]
    )
    destination.seedFilePath = files.url("original.realm")
    let realm = try Realm(configuration: original)
    try realm.write { realm.add(TranslatedText("a")) }
    realm.close()
    let copy = try Realm(configuration: destination)
    #expect(copy.objects(TranslatedText.self).count == 1)
    try copy.write { copy.add(TranslatedText("b")) }
    copy.close()
    let again = try Realm(configuration: original)
    try again.write { again.deleteAll() }
    again.close()
    let second = try Realm(configuration: destination)
    #expect(second.objects(TranslatedText.self).count == 2)
    second.close()
  }

  @Test @MainActor func asyncTransactions() async throws {
    let translated = try TranslatedRealm()
    let realm = translated.realm
    // Mixed with synchronous writes.
    await withCheckedContinuation { continuation in
      realm.writeAsync { realm.create(TranslatedText.self, value: ["1"]) }
      realm.writeAsync {
        realm.create(TranslatedText.self, value: ["2"])
      } onComplete: { error in
        #expect(error == nil)
        continuation.resume()
      }
      realm.beginWrite()
      realm.create(TranslatedText.self, value: ["3"])
      try? realm.commitWrite()
    }
    #expect(Set(realm.objects(TranslatedText.self).map(\.text)) == ["1", "2", "3"])
    // A cancelled synchronous write does not cancel them.
    await withCheckedContinuation { continuation in
      realm.writeAsync {
        realm.create(TranslatedText.self, value: ["4"])
      } onComplete: { _ in
        continuation.resume()
      }
      realm.beginWrite()
      realm.create(TranslatedText.self, value: ["5"])
      realm.cancelWrite()
    }
    #expect(realm.objects(TranslatedText.self).count == 4)
    // One is begun inside another.
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite {
        realm.create(TranslatedText.self, value: ["6"])
        realm.beginAsyncWrite {
          realm.create(TranslatedText.self, value: ["7"])
          realm.commitAsyncWrite { _ in continuation.resume() }
        }
        realm.commitAsyncWrite()
      }
    }
    #expect(realm.objects(TranslatedText.self).count == 6)
    // One is begun in a synchronous write.
    await withCheckedContinuation { continuation in
      realm.beginWrite()
      realm.create(TranslatedText.self, value: ["8"])
      realm.beginAsyncWrite {
        realm.create(TranslatedText.self, value: ["9"])
        realm.commitAsyncWrite { _ in continuation.resume() }
      }
      try? realm.commitWrite()
    }
    #expect(realm.objects(TranslatedText.self).count == 8)
    // Without a commit nothing is written. A cancelled one is not called.
    await withCheckedContinuation { continuation in
      realm.beginAsyncWrite {
        realm.create(TranslatedText.self, value: ["10"])
        continuation.resume()
      }
    }
    let id = realm.beginAsyncWrite { Issue.record("A cancelled write was called.") }
    try realm.cancelAsyncWrite(id)
    try await realm.asyncWrite {}
    #expect(realm.objects(TranslatedText.self).count == 8)
    #expect(translated.events.take().isEmpty)
  }

  @Test @MainActor func asyncWrite() async throws {
    let translated = try TranslatedRealm()
    let realm = translated.realm
    let object = try await realm.asyncWrite {
      #expect(realm.isInWriteTransaction)
      #expect(realm.isPerformingAsynchronousWriteOperations)
      return realm.create(TranslatedText.self, value: ["foo"])
    }
    #expect(!realm.isInWriteTransaction && !realm.isPerformingAsynchronousWriteOperations)
    try await realm.asyncWrite { object.text = "bar" }
    #expect(object.text == "bar" && realm.objects(TranslatedText.self).first?.text == "bar")
    try await realm.asyncWrite {
      realm.create(TranslatedText.self, value: ["foo"])
      realm.cancelWrite()
      #expect(!realm.isInWriteTransaction)
    }
    await #expect(throws: Intentional.self) {
      try await realm.asyncWrite {
        realm.create(TranslatedText.self, value: ["foo"])
        throw Intentional()
      }
    }
    #expect(realm.objects(TranslatedText.self).count == 1)
    // A task that is cancelled while it waits does not write.
    let task = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      try await realm.asyncWrite { Issue.record("The closure was called.") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(translated.events.take().isEmpty)
  }

  @Test func asyncWriteCustomActor() async throws {
    actor Keeper {
      let realm: Realm
      var object: TranslatedText?
      init(_ realm: Realm) { self.realm = realm }
      var count: Int { realm.objects(TranslatedText.self).count }
      var value: String? { object?.text }
      func create() async throws {
        object = try await realm.asyncWrite { realm.create(TranslatedText.self, value: ["foo"]) }
      }
      func modify() async throws { try await realm.asyncWrite { object?.text = "bar" } }
    }
    let keeper = Keeper(try TranslatedRealm().realm)
    #expect(await keeper.count == 0)
    try await keeper.create()
    #expect(await keeper.count == 1)
    #expect(await keeper.value == "foo")
    try await keeper.modify()
    #expect(await keeper.value == "bar")
  }

  @Test func orderOfResults() throws {
    let realm = try TranslatedRealm().realm
    try realm.write {
      for key in ["c", "a", "b"] { realm.create(TranslatedKeyed.self, value: [key]) }
      for text in ["c", "a", "b"] { realm.create(TranslatedText.self, value: [text]) }
    }
    #expect(realm.objects(TranslatedText.self).map(\.text) == ["c", "a", "b"])
    // In Realm the order is "c", "a", "b".
    #expect(realm.objects(TranslatedKeyed.self).map(\.key) == ["a", "b", "c"])
    // In Realm the closure is called when the result is used.
    let texts = realm.objects(TranslatedText.self).map { $0.text }
    try realm.write { realm.objects(TranslatedText.self)[0].text = "changed" }
    #expect(texts == ["c", "a", "b"])
  }
}
