import Fief

/// The repositories of the benchmark, with the settings that a user has by default.
struct BenchmarkRepository: DatabaseConfigurable {
  var directory: String?
  var realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "bench"
  var schemaVersion: UInt64? = 1
  let objectTypes: [Object.Type]?
  let embeddedObjectTypes: [EmbeddedObject.Type]? = []
  let migrationBlock: MigrationBlock? = nil
  var storeOptions = StoreOptions()

  init(_ types: [Object.Type], in directory: String) {
    objectTypes = types
    self.directory = directory
  }

  init(_ types: [Object.Type], inMemory identifier: String) {
    objectTypes = types
    realmMemoryType = .inMemory(identifier: identifier)
  }

  /// Opens the store, which would otherwise be opened at its first use.
  func open() throws {
    if let error = store().openingError { throw error }
  }

  /// Saves new objects in one commit.
  func insert(_ objects: [Object]) throws {
    try saveAndWait(entities: objects, update: false)
  }

  /// Saves a new object in a commit of its own.
  @inline(__always)
  func insert(_ object: Object) throws {
    try saveAndWait(entity: object, update: false)
  }

  /// Reads persons by their keys in one scope.
  func pointReads(_ keys: [Int]) throws -> UInt64 {
    try read { snapshot in
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

  /// The number and the digest of all persons.
  func tally<Element: PersonObject>(
    _ type: Element.Type,
    _ digest: (Element) -> UInt64 = Digest.cheap
  ) throws -> Tally {
    try read { snapshot in
      var tally = Tally()
      try snapshot.objects(type).forEachObject { tally.add(digest($0)) }
      return tally
    }
  }

  /// Checks every byte of every person.
  func verify<Element: PersonObject>(_ type: Element.Type, count expected: Int, full: UInt64) throws {
    let found = try tally(type, Digest.full)
    guard found == Tally(count: expected, sum: full), try count(type) == expected else {
      throw BenchmarkError("the store lacks written objects: \(found.count) objects of \(expected)")
    }
  }
}

/// The kinds of stores that rows read or begin with.
enum StoreKind: String {
  case plain = "P"
  case indexed = "X"
  case related = "R"

  var types: [Object.Type] {
    switch self {
    case .plain: [StoredPerson.self]
    case .indexed: [IndexedPerson.self]
    case .related: [Owner.self, Dog.self]
    }
  }
}
