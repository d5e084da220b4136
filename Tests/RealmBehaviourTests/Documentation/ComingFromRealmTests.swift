import FiefRealm
import FiefTesting
import Foundation
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
}

/// The code of the article *Coming from Realm*.
@Suite(.timeLimit(.minutes(20))) struct ComingFromRealmTests {
  @Test func aConfigurationOpensAStore() throws {
    let files = try RealmFiles()
    let directory = files.directory
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
    #expect(realm.directory == files.url("pets").path)
    realm.close()
  }

  // Documentation: begin repository
  struct KennelRepository: DatabaseConfigurable {
    let schemaName: String? = "kennel"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Puppy.self]
  }

  final class Puppy: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var age = 0
  }
  // Documentation: end repository

  // Documentation: begin port
  @MainActor final class KennelModel {
    let kennel = KennelRepository()
    var names: [String] = []

    /// Runs for as long as the task of the view.
    func follow() async throws {
      for try await change in try kennel.objects(Puppy.self).sorted(byKeyPath: "name").changes() {
        switch change {
        case .initial(let puppies), .update(let puppies, _, _, _): names = puppies.map(\.name)
        case .error(let error): throw error
        }
      }
    }

    func birthday(of puppy: Puppy) throws {
      try kennel.write { _ in puppy.age += 1 }
    }

    func importPuppies(_ names: [String]) async throws {
      try await kennel.write { transaction in
        for name in names { try transaction.create(Puppy.self, value: ["name": name], update: .modified) }
      }
    }
  }
  // Documentation: end port

  @Test(.freshStores) @MainActor func thePortRuns() async throws {
    let model = KennelModel()
    let task = Task { try await model.follow() }
    defer { task.cancel() }
    try await model.importPuppies(["Rex", "Ada"])
    while model.names != ["Ada", "Rex"] { try await Task.sleep(for: .milliseconds(1)) }
    let rex = try #require(try model.kennel.fetchObject(ofType: Puppy.self, forPrimaryKey: "Rex"))
    try model.birthday(of: rex)
    #expect(try model.kennel.fetchObject(ofType: Puppy.self, forPrimaryKey: "Rex")?.age == 1)
  }

  @Test(arguments: ["repository", "port"]) func theArticleShowsThePort(part: String) throws {
    let code = try ArticleCode.part(part, of: #filePath)
    #expect(try ArticleCode.article("ComingFromRealm").contains("```swift\n\(code)\n```\n"))
  }

  @Test func theArticleShowsTheCodeThatIsPorted() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../CompatibilitySwift5Tests/Shared/KennelModel.swift")
    let code = try ArticleCode.part("before", of: path.standardized.path)
    #expect(try ArticleCode.article("ComingFromRealm").contains("```swift\n\(code)\n```\n"))
  }

  @Test func theArticleShowsIt() throws {
    let code = try ArticleCode.part("opening", of: #filePath)
    #expect(
      try ArticleCode.article("ComingFromRealm").contains("```swift\nimport FiefRealm\n\n\(code)\n```\n")
    )
  }
}
