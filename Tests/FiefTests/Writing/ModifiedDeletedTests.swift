import Fief
import Foundation
import Testing

final class ModifiedPage: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var count = 0
  @Persisted var next: ModifiedPage?
}

final class ModifiedLine: Object {
  @Persisted var text = ""
}

/// A store on disk or in memory whose options can be set.
private struct ModifiedRepository: DatabaseConfigurable {
  let parent: String?
  var reinserts = false

  var realmMemoryType: RealmMemoryType {
    parent == nil ? .inMemory(identifier: "modified-\(reinserts)") : .inStorage
  }
  var schemaName: String? { "modified" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [ModifiedPage.self, ModifiedLine.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var directory: String? { parent }
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.reinsertsDeletedObjects = reinserts
    return options
  }
}

@Suite("Objects that were deleted and are modified", .serialized)
struct ModifiedDeletedTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func repository(_ onDisk: Bool, reinserts: Bool = false) throws -> ModifiedRepository {
    let repository = ModifiedRepository(parent: onDisk ? directory.path : nil, reinserts: reinserts)
    try repository.store().write { transaction in
      for id in 1...3 { try transaction.create(ModifiedPage.self, value: [id, "text \(id)", id]) }
      try transaction.create(ModifiedLine.self, value: ["line"])
    }
    return repository
  }

  private func write(_ repository: ModifiedRepository, _ body: (WriteTransaction) throws -> Void) throws {
    try repository.store().write(body)
  }

  private func page(_ id: Int, _ repository: ModifiedRepository) throws -> ModifiedPage {
    try repository.store().read { try #require(try $0.object(ofType: ModifiedPage.self, forPrimaryKey: id)) }
  }

  private func ids(_ repository: ModifiedRepository) throws -> [Int] {
    try repository.store().read { try $0.objects(ModifiedPage.self).all().map(\.id) }
  }

  private func delete(_ id: Int, _ repository: ModifiedRepository) throws {
    try repository.store().write { transaction in
      let found = try transaction.object(ofType: ModifiedPage.self, forPrimaryKey: id)
      try transaction.delete(try #require(found))
    }
  }

  @Test(arguments: [true, false]) func areAnError(onDisk: Bool) async throws {
    let repository = try repository(onDisk)
    defer { repository.closeChecked() }
    let page = try page(1, repository)
    try delete(1, repository)
    page.text = "changed"
    let thrown = await #expect(throws: FiefError.self) {
      try await repository.save(entity: page, update: .modified)
    }
    #expect(thrown?.code == .objectNotFound && thrown?.type == "ModifiedPage" && thrown?.key == "1")
    #expect(failure { try write(repository) { try $0.add(page, update: .modified) } } != nil)
    #expect(try ids(repository) == [2, 3])

    // Objects that are saved with it are not saved either, before it and behind it.
    let (second, third) = (try self.page(2, repository), try self.page(3, repository))
    (second.count, third.count) = (20, 30)
    let several = await #expect(throws: FiefError.self) {
      try await repository.save(entities: [second, page, third], update: .modified)
    }
    #expect(several?.code == .objectNotFound && several?.key == "1")
    #expect(try self.page(2, repository).count == 2 && self.page(3, repository).count == 3)
    // The write can go on after it.
    try write(repository) { transaction in
      let inside = failure { try transaction.add(page, update: .modified) } as? FiefError
      #expect(inside?.code == .objectNotFound)
      try transaction.create(ModifiedPage.self, value: [4])
    }
    #expect(try ids(repository) == [2, 3, 4])

    // A changed one that another object links is no different.
    second.next = page
    let linked = await #expect(throws: FiefError.self) {
      try await repository.save(entity: second, update: .modified)
    }
    #expect(linked?.code == .objectNotFound && linked?.property == "next")
    #expect(linked?.showingValues().details == ["the deleted object: ModifiedPage 1"])

    // Saving all of the object adds it again, and so does saving another object under its key.
    _ = try await repository.save(entity: ModifiedPage(value: [5, "new"]), update: .modified)
    _ = try await repository.save(entity: page, update: .all)
    #expect(try ids(repository) == [1, 2, 3, 4, 5])
  }

  @Test(arguments: [true, false]) func withoutAPrimaryKeyToo(onDisk: Bool) async throws {
    let repository = try repository(onDisk)
    defer { repository.closeChecked() }
    let line = try repository.store().read { try #require(try $0.objects(ModifiedLine.self).all().first) }
    try write(repository) { try $0.delete(try $0.objects(ModifiedLine.self).all()) }
    line.text = "changed"
    let thrown = await #expect(throws: FiefError.self) {
      try await repository.save(entity: line, update: .modified)
    }
    #expect(thrown?.code == .objectNotFound)
    #expect(try repository.store().read { try $0.objects(ModifiedLine.self).all().isEmpty })
  }

  @Test(arguments: [true, false]) func areAddedAgainByOption(onDisk: Bool) async throws {
    let repository = try repository(onDisk, reinserts: true)
    defer { repository.closeChecked() }
    let page = try page(1, repository)
    try delete(1, repository)
    page.text = "changed"
    _ = try await repository.save(entity: page, update: .modified)
    let found = try self.page(1, repository)
    #expect(found.text == "changed" && found.count == 1)
  }

  /// A copy that was edited, and deleted by others, is not stored again by a link to it.
  @Test(arguments: [true, false]) func areNotStoredByALink(onDisk: Bool) throws {
    let repository = try repository(onDisk)
    defer { repository.closeChecked() }
    let page = try page(1, repository)
    try delete(1, repository)
    page.text = "changed"
    for policy in [UpdatePolicy.all, .modified] {
      let error = #expect(throws: FiefError.self) {
        try write(repository) { transaction in
          let second = try #require(try transaction.object(ofType: ModifiedPage.self, forPrimaryKey: 2))
          if policy == .modified {
            second.next = page
          } else {
            let new = ModifiedPage(value: [9])
            new.next = page
            try transaction.add(new, update: policy)
          }
        }
      }
      #expect(error?.code == .objectNotFound && error?.type == "ModifiedPage" && error?.property == "next")
      #expect(try ids(repository) == [2, 3])
    }
  }

  @Test(arguments: [true, false]) func areStoredByALinkByOption(onDisk: Bool) throws {
    let repository = try repository(onDisk, reinserts: true)
    defer { repository.closeChecked() }
    try write(repository) { transaction in
      let page = try #require(try transaction.object(ofType: ModifiedPage.self, forPrimaryKey: 1))
      try transaction.delete(page)
      let second = try #require(try transaction.object(ofType: ModifiedPage.self, forPrimaryKey: 2))
      second.next = page
    }
    #expect(try ids(repository) == [1, 2, 3] && self.page(2, repository).next?.text == "text 1")
  }
}
