import Fief
import Foundation

struct BenchmarkRepository: DatabaseConfigurable {
  let directory: String?
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "bench"
  let schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]? = [StoredPerson.self]
  let embeddedObjectTypes: [EmbeddedObject.Type]? = []
  let migrationBlock: MigrationBlock? = nil
}

/// Fief's side of each row. Each one checks what it got.
final class FiefPeer {
  let directory: String
  private let repository: BenchmarkRepository
  private let store: Store

  /// Opens the store in a directory; an empty one where there is none.
  init(_ directory: String) throws {
    self.directory = directory
    repository = BenchmarkRepository(directory: directory)
    store = repository.store()
    if let error = store.openingError { throw error }
  }

  func close() { repository.close() }

  func insert(_ persons: [StoredPerson]) throws {
    var outcome: Result<Bool, any Error> = .success(false)
    repository.save(entities: persons, update: false) { outcome = $0 }
    _ = try outcome.get()
  }

  func insertOne(_ person: StoredPerson) throws {
    var outcome: Result<Bool, any Error> = .success(false)
    repository.save(entity: person, update: false) { outcome = $0 }
    _ = try outcome.get()
  }

  func pointReads(_ keys: [Int]) throws -> UInt64 {
    try store.read { snapshot in
      var sum: UInt64 = 0
      for key in keys {
        guard let person = try snapshot.object(ofType: StoredPerson.self, forPrimaryKey: key) else {
          continue
        }
        sum &+= Digest.cheap(person)
      }
      return sum
    }
  }

  func pointReadsWithAScopeEach(_ keys: [Int]) -> UInt64 {
    var sum: UInt64 = 0
    for key in keys {
      guard let person = store.object(ofType: StoredPerson.self, forPrimaryKey: key) else { continue }
      sum &+= Digest.cheap(person)
    }
    return sum
  }

  /// The same through the repository, which looks its store up each time.
  func pointReadsOfTheRepository(_ keys: [Int]) -> UInt64 {
    var sum: UInt64 = 0
    for key in keys {
      guard let person = repository.object(ofType: StoredPerson.self, forPrimaryKey: key) else { continue }
      sum &+= Digest.cheap(person)
    }
    return sum
  }

  func scan(_ digest: (StoredPerson) -> UInt64) throws -> (count: Int, sum: UInt64) {
    try store.read { snapshot in
      var count = 0
      var sum: UInt64 = 0
      try snapshot.objects(StoredPerson.self).forEachObject { person in
        count += 1
        sum &+= digest(person)
      }
      return (count, sum)
    }
  }

  func count() throws -> Int { try store.read { try $0.count(StoredPerson.self) } }

  func digest(of key: Int) throws -> UInt64 {
    guard let person = try store.read({ try $0.object(ofType: StoredPerson.self, forPrimaryKey: key) }) else {
      throw BenchmarkError("no object with the key \(key)")
    }
    return Digest.cheap(person)
  }

  func verify(count expected: Int, full: UInt64) throws {
    let found = try scan(Digest.full)
    guard found.count == expected, found.sum == full, try count() == expected else {
      throw BenchmarkError("the store does not hold what was written: \(found.count) objects of \(expected)")
    }
  }
}
