import FiefRealm
import FiefTesting
import Foundation
import Testing

private class NamedToy: Object, ObjectKeyIdentifiable {
  @Persisted var title = ""
  @Persisted var weight: Double?
  @Persisted var parts: List<Int>
  @Persisted var next: NamedToy?
}

/// The members of objects by the names that Realm has.
@Suite(.timeLimit(.minutes(20))) struct ObjectNameTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) throws -> Realm {
    var configuration = files.configuration()
    configuration.objectTypes = [NamedToy.self]
    if inMemory { configuration.inMemoryIdentifier = UUID().uuidString }
    return try Realm(configuration: configuration)
  }

  @Test(arguments: [false, true]) func anObjectKnowsItsRealm(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let toy = NamedToy(value: ["title": "ball"])
    #expect(toy.realm == nil && !toy.isInvalidated)
    try realm.write { realm.add(toy) }
    #expect(toy.realm == realm)
    let copy = try #require(realm.objects(NamedToy.self).first)
    #expect(copy.realm != nil && copy.isSameObject(as: toy) && !copy.isSameObject(as: nil))
    #expect(!copy.isSameObject(as: NamedToy(value: ["title": "ball"])))
    #expect(realm.objects(NamedToy.self).contains(copy))
    #expect(copy.id == toy.id && copy.id != NamedToy().id)
  }

  @Test(arguments: [false, true]) func aDeletedObjectIsInvalidated(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.write { realm.create(NamedToy.self, value: ["title": "ball"]) }
    let copy = try #require(realm.objects(NamedToy.self).first)
    #expect(!copy.isInvalidated)
    try realm.write {
      let live = try #require(realm.objects(NamedToy.self).first)
      #expect(!live.isInvalidated && !copy.isInvalidated)
      realm.delete(live)
      #expect(live.isInvalidated && copy.isInvalidated)
    }
    #expect(copy.isInvalidated && copy.title == "ball")
  }

  @Test(arguments: [false, true]) func propertiesAreReadAndAssignedByName(inMemory: Bool) throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    try realm.write { realm.create(NamedToy.self, value: ["title": "ball", "parts": [1, 2]]) }
    let toy = try #require(realm.objects(NamedToy.self).first)
    #expect(toy["title"] as? String == "ball" && toy["weight"] == nil)
    #expect((toy["parts"] as? List<Int>).map { Array($0) } == [1, 2])
    try realm.write {
      toy["title"] = "cube"
      toy["weight"] = 2
      toy["parts"] = [7]
      toy["next"] = toy
    }
    let read = try #require(realm.objects(NamedToy.self).first)
    #expect(read.title == "cube" && read.weight == 2 && Array(read.parts) == [7])
    #expect(read.next?.isSameObject(as: read) == true)
    try realm.write { toy["weight"] = nil }
    #expect(realm.objects(NamedToy.self).first?.weight == nil)
  }

  @Test func whatDoesNotFitIsAnErrorAndChangesNothing() throws {
    let toy = NamedToy(value: ["title": "ball"])
    func error(_ body: () throws -> Void) -> FiefError? {
      do { try body() } catch { return error as? FiefError }
      return nil
    }
    let unknown = error { _ = try toy.value(ofProperty: "titel") }
    #expect(unknown?.code == .unknownProperty && unknown?.type == "NamedToy" && unknown?.property == "titel")
    #expect(error { try toy.setValue("x", ofProperty: "titel") }?.code == .unknownProperty)
    let wrong = error { try toy.setValue(7, ofProperty: "title") }
    #expect(wrong?.code == .invalidValue && wrong?.property == "title")
    #expect(error { try toy.setValue(nil, ofProperty: "title") } != nil)
    #expect(toy.title == "ball")
  }

  @Test(arguments: [false, true]) func aReferenceLeadsToTheObjectOnAnotherTask(inMemory: Bool) async throws {
    let realm = try open(inMemory)
    defer { realm.close() }
    let toy = NamedToy(value: ["title": "ball"])
    #expect(errorCode { _ = try realm.fetchObject(ThreadSafeReference(to: toy)) } == .foreignObject)
    try await realm.write { transaction in try transaction.create(NamedToy.self, value: ["title": "ball"]) }
    let read = try #require(realm.objects(NamedToy.self).first)
    let reference = ThreadSafeReference(to: read)
    let title = try await Task.detached { try realm.fetchObject(reference)?.title }.value
    #expect(title == "ball")
    let other = try open(true)
    defer { other.close() }
    #expect(errorCode { _ = try other.fetchObject(reference) } == .foreignObject)
    try realm.write { realm.deleteAll() }
    #expect(realm.resolve(reference) == nil)
  }
}
