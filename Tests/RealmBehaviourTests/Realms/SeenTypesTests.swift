import FiefRealm
import FiefTesting
import Foundation
import Testing

private final class SeenDog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var tags: List<String>
  @Persisted var friends: List<SeenDog>
}

private final class UnseenPerson: Object {
  @Persisted(primaryKey: true) var name = ""
}

/// The store of an object shows what the repository shows that has read or saved the object.
@Suite(.freshStores, .timeLimit(.minutes(20))) struct SeenTypesTests {
  private let files: RealmFiles

  init() throws { files = try RealmFiles() }

  private func open(_ inMemory: Bool) -> (all: TestRepository, part: TestRepository) {
    func repository(_ types: [Object.Type]) -> TestRepository {
      TestRepository(
        "seen",
        in: inMemory ? nil : files.directory.path,
        memoryType: inMemory ? .inMemory(identifier: files.directory.path) : .inStorage,
        objectTypes: types
      )
    }
    return (repository([SeenDog.self, UnseenPerson.self]), repository([SeenDog.self]))
  }

  private func check(_ realm: Realm?) throws {
    let realm = try #require(realm)
    #expect(realm.schema.objectSchema.map(\.className) == ["SeenDog"])
    let events = withExpectedEvents { #expect(realm.objects(UnseenPerson.self).isEmpty) }
    #expect(events.map { $0.failure?.code } == [.unknownType])
  }

  @Test(arguments: [false, true]) func anObjectThatWasSavedSeesTheTypesOfItsRepository(inMemory: Bool)
    async throws
  {
    let (all, part) = open(inMemory)
    defer { all.close() }
    try all.saveAndWait(entity: UnseenPerson(value: ["name": "Jane"]))
    let waited = SeenDog(value: ["name": "Rex"])
    try part.saveAndWait(entity: waited)
    try check(waited.realm)
    let awaited = SeenDog(value: ["name": "Tom"])
    try await part.save(entity: awaited, update: true)
    try check(awaited.realm)
    let left = SeenDog(value: ["name": "Max"])
    await withCheckedContinuation { done in part.save(entity: left, update: true) { _ in done.resume() } }
    try check(left.realm)
    try checkReadAndWritten(all, part)
  }

  private func checkReadAndWritten(_ all: TestRepository, _ part: TestRepository) throws {
    let read = try #require(part.store().object(ofType: SeenDog.self, forPrimaryKey: "Rex"))
    try check(read.realm)
    try check(read.tags.realm)
    try check(read.friends.results.realm)
    try check(part.store().objects(SeenDog.self).realm)
    let written = SeenDog(value: ["name": "Bob"])
    try part.write { try $0.add(written) }
    try check(written.realm)
    #expect(try #require(all.store().objects(SeenDog.self).first).realm?.schema.objectSchema.count == 2)
  }
}
