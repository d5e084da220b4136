import Fief
import FiefConsole
import Foundation
import TestEffort
import Testing

/// An export that is imported again has the same objects to the last bit.
@Suite("Export and import of every type") struct RoundTripTests {
  /// Every value of every object as bytes-exact text, and what links each of them.
  private func contents(of path: String) throws -> [String] {
    let store = try DynamicStore(directory: path)
    defer { store.close() }
    #expect(try store.check().problems == [])
    return try store.read { snapshot in
      var lines: [String] = []
      for type in snapshot.types where !type.isEmbedded {
        try snapshot.forEach(ofType: type.name) { object in
          let key = try #require(object.key)
          lines.append("\(type.name) \(key.bytes)")
          for (name, value) in try object.values() { lines.append("  \(name) \(try exact(value))") }
          for links in try snapshot.objects(linkingTo: type.name, forKey: key) {
            lines.append("  <- \(links.typeName).\(links.property) \(links.keys.map(\.bytes))")
          }
        }
      }
      return lines
    }
  }

  /// A value with all its bits: descriptions of numbers hide which NaN they are.
  private func exact(_ value: Any?) throws -> String {
    switch value {
    case nil: return "nil"
    case let value as Double: return "double \(value.bitPattern)"
    case let value as Float: return "float \(value.bitPattern)"
    case let value as Date: return "date \(value.timeIntervalSinceReferenceDate.bitPattern)"
    case let value as String: return "string \(Array(value.utf8))"
    case let value as Data: return "data \(Array(value))"
    case let value as AnyRealmValue: return "any \(try exact(payload(of: value)))"
    case let value as DynamicLink: return "link \(value.typeName) \(value.key.bytes)"
    case let value as DynamicObject:
      return "{" + (try value.values().map { "\($0.name): \(try exact($0.value))" }.joined(separator: ", "))
        + "}"
    case let value as [String: Any?]:
      return "\(try value.map { "\(Array($0.key.utf8)): \(try exact($0.value))" }.sorted())"
    case let value as [Any?]: return "\(try value.map { try exact($0) })"
    case let value?: return "\(type(of: value)) \(value)"
    }
  }

  private func payload(of value: AnyRealmValue) -> Any? {
    switch value {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .list(let values): values.map { payload(of: $0) }
    case .dictionary(let values): values.mapValues { payload(of: $0) }
    case .object(let object): object.description
    }
  }

  /// A filled store and an empty one of the same schema, closed.
  private func stores(in directory: String, seed: UInt64) throws -> (full: String, empty: String) {
    let full = EveryType.Repository(directory: directory, name: "full")
    var values = EveryTypeValues(seed: seed)
    try values.fill(full, objects: 60)
    #expect(try full.check().problems == [])
    full.close()
    let empty = EveryType.Repository(directory: directory, name: "empty")
    _ = try empty.check()
    empty.close()
    return (directory + "/full", directory + "/empty")
  }

  @Test("JSON lines of all types from one store into another", arguments: 1...TestEffort.count(1, more: 6))
  func lines(round: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    try ToolStores.withDirectory { directory in
      let (full, empty) = try stores(in: directory, seed: seed)
      let export = ToolRun("export", full)
      #expect(export.status == .done, "seed \(seed): \(export.errors)")
      let run = ToolRun(["import", empty], input: export.output)
      #expect(run.status == .done, "seed \(seed): \(run.errors)")
      #expect(try contents(of: empty) == contents(of: full), "seed \(seed)")
      // A second import over the same objects changes nothing.
      let again = ToolRun(["import", empty, "--on-conflict", "replace"], input: export.output)
      #expect(again.status == .done, "seed \(seed): \(again.errors)")
      #expect(try contents(of: empty) == contents(of: full), "seed \(seed)")
      #expect(ToolRun("export", empty).output == export.output, "seed \(seed)")
    }
  }

  @Test(
    "CSV of each type, linked ones last, with links made when their targets are there",
    arguments: 1...TestEffort.count(1, more: 6)
  )
  func tables(round: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    try ToolStores.withDirectory { directory in
      let (full, empty) = try stores(in: directory, seed: seed)
      for type in ["Compound", "Numbered", "Everything"] {
        let file = "\(directory)/\(type).csv"
        #expect(ToolRun("export", full, type, "-o", file).status == .done)
        let run = ToolRun("import", empty, type, "--input", file)
        #expect(run.status == .done, "seed \(seed): \(run.errors)")
      }
      #expect(try contents(of: empty) == contents(of: full), "seed \(seed)")
    }
  }

  @Test("Objects in values of any type, where they are before their objects and where these have no key")
  func objects() throws {
    try ToolStores.withDirectory { directory in
      let full = AnyObjects.Repository(directory: directory, name: "full")
      try full.write { transaction in
        let (keyed, plain) = (AnyObjects.Keyed(), AnyObjects.Plain())
        keyed.name = "a,\"b\""
        let holder = AnyObjects.Holder()
        holder.value = .object(keyed)
        holder.values.append(objectsIn: [
          .object(plain), .list([.object(keyed), .dictionary(["p": .object(plain)])]),
        ])
        try transaction.add(holder)
      }
      full.close()
      let empty = AnyObjects.Repository(directory: directory, name: "empty")
      _ = try empty.check()
      empty.close()
      let export = ToolRun("export", directory + "/full")
      let line = export.output.split(separator: "\n").first { $0.contains("Holder") }
      #expect(
        line?.contains(#""value":{"$object":{"type":"Keyed","key":"a,\"b\""}}"#) == true,
        "\(line ?? "")"
      )
      let run = ToolRun(["import", directory + "/empty"], input: export.output)
      #expect(run.status == .done, "\(run.errors)")
      #expect(try contents(of: directory + "/empty") == contents(of: directory + "/full"))
      #expect(ToolRun("export", directory + "/empty").output == export.output)
      let wrong = #"{"$type":"Holder","value":{"$object":{"type":"Cat","key":1}}}"#
      #expect(ToolRun(["import", directory + "/empty"], input: wrong + "\n").status != .done)
    }
  }

  @Test("The forms of values are those of the documentation")
  func forms() throws {
    try ToolStores.withDirectory { directory in
      let repository = EveryType.Repository(directory: directory, name: "forms")
      let id = try #require(UUID(uuidString: "F1EF0000-0000-4000-8000-000000000001"))
      try repository.write { transaction in
        let object = EveryType.Everything()
        object.int = 9_007_199_254_740_993
        object.double = -0.0
        object.float = .nan
        object.string = "a \"quoted\"\nline"
        object.data = Data([0, 255])
        object.date = Date(timeIntervalSinceReferenceDate: 0.125)
        object.maybeDate = Date(timeIntervalSinceReferenceDate: -1e-20)
        object.uuid = id
        object.decimal = try #require(Decimal(string: "12.50"))
        object.any = .uuid(id)
        object.values.append(.int(1))
        object.values.append(.double(1))
        object.values.append(.float(1))
        object.values.append(.none)
        object.maybeString = ""
        object.maybeDouble = -.infinity
        try transaction.add(object)
      }
      repository.close()
      let json = try #require(ToolRun("export", directory + "/forms", "Everything").lines.first)
      for member in [
        #""id":0,"#, #""int":9007199254740993,"#, #""double":-0.0,"#, #""float":"NaN","#,
        #""string":"a \"quoted\"\nline","#, #""data":"AP8=","#, #""date":"2001-01-01T00:00:00.125Z","#,
        #""maybeDate":"@-1e-20","#, #""uuid":"F1EF0000-0000-4000-8000-000000000001","#, #""decimal":"12.5","#,
        #""any":{"$uuid":"F1EF0000-0000-4000-8000-000000000001"},"#,
        #""values":[1,1.0,{"$float":1.0},null],"#, #""maybeString":"","#, #""maybeData":null,"#,
        #""maybeDouble":"-Infinity","#, #""part":null,"#, #""doubles":{},"#,
      ] { #expect(json.contains(member), "\(member) in \(json)") }
    }
  }
}

private enum AnyObjects {
  final class Holder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var value: AnyRealmValue
    @Persisted var values: List<AnyRealmValue>
  }
  final class Keyed: Object {
    @Persisted(primaryKey: true) var name = ""
  }
  final class Plain: Object {
    @Persisted var number = 3
  }

  struct Repository: DatabaseConfigurable {
    let directory: String?
    let name: String
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { name }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Holder.self, Keyed.self, Plain.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
    var migrationBlock: MigrationBlock? { nil }
  }
}
