import Fief
import Foundation

/// An application whose only repository names no types: its store has every class of the process.
/// It is a process of its own, since the test bundle has classes of the same name.

class Animal: Object {
  @Persisted(primaryKey: true) var id = 0
}

final class Cat: Animal {
  @Persisted var name = ""
  @Persisted var collar: Collar?
}

final class Collar: EmbeddedObject {
  @Persisted var colour = ""
  @Persisted var bell: Bell?
}

final class Bell: EmbeddedObject {
  @Persisted var loudness = 0
}

final class UnusedPart: EmbeddedObject {
  @Persisted var number = 0
}

enum Nested {
  final class Visit: Object {
    @Persisted var cat: Cat?
  }
}

private final class Secret: Object {
  @Persisted var value = ""
}

class LegacyRepository: DatabaseConfigurable {
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { nil }
  var schemaVersion: UInt64? { nil }
  var objectTypes: [Object.Type]? { nil }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }
  var storeOptions = StoreOptions()
}

/// Fails in silence: ten times in one place, once in another, and changes something outside of a write.
func fail(_ directory: String, isSilent: Bool) throws {
  let repository = LegacyRepository()
  if isSilent { repository.storeOptions.eventOutput = .silent }
  let manager = StoreManager(directory: directory, repositories: [repository])
  try manager.openAll()
  for _ in 0..<15 { _ = repository.queryAll(returningClass: Cat.self)?.filter("nmae = 'Tom'").count }
  _ = repository.object(ofType: Cat.self, forPrimaryKey: "seven")
  repository.store().add(Cat())
  manager.close()
  print("done")
}

func run(_ directory: String) throws {
  let manager = StoreManager(directory: directory, repositories: [LegacyRepository()])
  try manager.openAll()
  let cat = Cat()
  cat.id = 7
  cat.name = "Tom"
  cat.collar = Collar(value: ["colour": "red", "bell": ["loudness": 3]])
  let visit = Nested.Visit()
  visit.cat = cat
  let repository = LegacyRepository()
  try repository.write { transaction in
    try transaction.add(visit)
    try transaction.add(Secret(value: ["value": "s"]))
  }
  repository.close()
  let found = repository.queryAll(returningClass: Nested.Visit.self)?.first?.cat
  let overview = try repository.overview()
  print("store: \(overview.name) version \(overview.schemaVersion)")
  print("types: \(overview.types.map { "\($0.name) \($0.count)" }.joined(separator: ", "))")
  print("cat: \(found?.id ?? -1) \(found?.name ?? "") \(found?.collar?.bell?.loudness ?? -1)")
  print("problems: \(try repository.check().problems.count)")
  manager.close()
}

guard [2, 3].contains(CommandLine.arguments.count) else {
  print("usage: fief-legacy-child <directory> [events|silent]")
  exit(64)
}
do {
  switch CommandLine.arguments.dropFirst(2).first {
  case "events": try fail(CommandLine.arguments[1], isSilent: false)
  case "silent": try fail(CommandLine.arguments[1], isSilent: true)
  default: try run(CommandLine.arguments[1])
  }
} catch {
  print("error: \(error)")
  exit(1)
}
