import FiefRealm
import Foundation
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
}

/// The code of the article *Coming from Realm*.
@Suite(.timeLimit(.minutes(20))) struct ComingFromRealmTests {
  @Test func aConfigurationOpensAStore() throws {
    let temporary = try TemporaryDirectory()
    let directory = URL(fileURLWithPath: temporary.path)
    // Documentation: begin opening
    let configuration = Realm.Configuration(
      fileURL: directory.appendingPathComponent("pets.realm"),
      schemaVersion: 2,
      migrationBlock: { migration, oldVersion in
        if oldVersion < 2 { migration.renameProperty(onType: "Dog", from: "title", to: "name") }
      },
      objectTypes: [Dog.self]
    )
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Dog(value: ["name": "Rex", "age": 3])) }
    for dog in realm.objects(Dog.self).where({ $0.age > 2 }) { print(dog.name) }
    // Documentation: end opening
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex"])
    #expect(realm.directory == temporary["pets"])
    realm.close()
  }

  @Test func theArticleShowsIt() throws {
    let code = try ArticleCode.part("opening", of: #filePath)
    #expect(
      try ArticleCode.article("ComingFromRealm").contains("```swift\nimport FiefRealm\n\n\(code)\n```\n")
    )
  }
}
