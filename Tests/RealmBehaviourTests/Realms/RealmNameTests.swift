import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Names of Realm that are in other places here.
struct RealmNameTests {
  @Test func aPolicyAndATokenHaveTheirNames() throws {
    let files = try RealmFiles()
    let realm = try Realm(configuration: files.configuration())
    let policy: Realm.UpdatePolicy = .modified
    try realm.write { realm.add(RealmDog(value: ["name": "Rex"]), update: policy) }
    let (first, second) = (realm.observe { _, _ in }, realm.observe { _, _ in })
    var tokens: Set<NotificationToken> = [first, second, first]
    #expect(tokens.count == 2 && tokens.contains(first) && first != second)
    tokens.remove(first)
    #expect(tokens == [second])
    for token in [first, second] { token.invalidate() }
    let (dog, same) = (realm.objects(RealmDog.self)[0], realm.objects(RealmDog.self)[0])
    #expect(dog.isEqual(same) && !dog.isEqual(RealmDog()) && !dog.isEqual(nil) && !dog.isEqual("Rex"))
    let collar = RealmCollar()
    #expect(collar.isEqual(collar) && !collar.isEqual(RealmCollar()))
    realm.close()
  }

  @Test func filesHaveTheirQuestions() throws {
    let files = try RealmFiles()
    let configuration = files.configuration(version: 3)
    #expect(!Realm.fileExists(for: configuration))
    try Realm(configuration: configuration).close()
    #expect(Realm.fileExists(for: configuration))
    #expect(try schemaVersionAtURL(files.url("pets.realm")) == 3)
    #expect(try schemaVersionAtURL(files.url("pets.realm"), encryptionKey: nil) == 3)
    #expect(throws: FiefError.self) { try schemaVersionAtURL(files.url("others.realm")) }
  }

  @Test(.freshStores) func aConfigurationWithoutAPlaceHasNoFile() throws {
    var nowhere = try RealmFiles().configuration()
    nowhere.fileURL = nil
    let events = withExpectedEvents { #expect(!Realm.fileExists(for: nowhere)) }
    #expect(events.first?.failure?.code == .cannotOpen)
  }

  @Test(arguments: StoreKind.allCases) func theObjectsOfAMapAreDeleted(_ kind: StoreKind) throws {
    try withMadeStore(kind) { store in
      try store.write {
        let dog = store.create(MadeDog.self, value: ["id": 1])
        let toys = (0..<3).map { store.create(MadeToy.self, value: ["name": "\($0)"]) }
        dog.toysByName["a"] = toys[0]
        dog.toysByName["b"] = toys[1]
        dog.toysByName["c"] = toys[0]
      }
      try store.write { store.delete(store.objects(MadeDog.self)[0].toysByName) }
      #expect(store.objects(MadeToy.self).map(\.name) == ["2"])
    }
  }

  private func all<Type: RealmFetchable>(_ type: Type.Type, in realm: Realm) -> Results<Type> {
    realm.objects(type)
  }

  private func extremes<Value: MinMaxType>(of property: String, in dogs: Results<RealmDog>) -> [Value?] {
    [dogs.min(ofProperty: property), dogs.max(ofProperty: property)]
  }

  private func sum<Value: AddableType>(of keyPath: KeyPath<RealmDog, Value>, in dogs: Results<RealmDog>)
    -> Value
  {
    dogs.sum(of: keyPath)
  }

  @Test func genericFunctionsHaveTheirTypes() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [RealmDog.self, RealmCollar.self]
      )
    )
    defer { realm.close() }
    try realm.write {
      for age in [3, 5] { realm.create(RealmDog.self, value: ["name": "\(age)", "age": age]) }
    }
    let dogs = all(RealmDog.self, in: realm)
    #expect(extremes(of: "age", in: dogs) == [3, 5] && sum(of: \.age, in: dogs) == 8)
    let block: NotificationBlock = { notification, _ in if case .didChange = notification {} }
    realm.observe(block).invalidate()
  }
}
