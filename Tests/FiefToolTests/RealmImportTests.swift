import Foundation
import Testing

@testable import FiefRealm

/// `Realm.importObjects(from:configuration:)`: exports of Realm's objects into a new store.
@Suite("Imports from Realm") struct RealmImportTests {
  private static let key = Data((0..<64).map { UInt8($0) })
  private struct Interruption: Error {}

  private func configuration(in directory: String, key: Data? = nil) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: URL(filePath: directory).appending(path: "every.realm"),
      encryptionKey: key,
      schemaVersion: 1,
      objectTypes: [
        EveryType.Everything.self, EveryType.Numbered.self, EveryType.Compound.self, EveryType.Part.self,
      ]
    )
  }

  /// Writes an export with its first and its last line.
  private func export(_ lines: [String], counts: [String: Int], in directory: String) throws -> URL {
    let url = URL(filePath: directory).appending(path: "export.jsonl")
    let end = try JSONSerialization.data(withJSONObject: ["$counts": counts])
    let all = [#"{"$export":"\#(UUID().uuidString)"}"#] + lines + [String(decoding: end, as: UTF8.self)]
    try Data((all.joined(separator: "\n") + "\n").utf8).write(to: url)
    return url
  }

  private func counts(of lines: [String]) -> [String: Int] {
    lines.reduce(into: [:]) { counts, line in
      for type in ["Everything", "Numbered", "Compound"] where line.hasPrefix(#"{"$type":"\#(type)""#) {
        counts[type, default: 0] += 1
      }
    }
  }

  private func check(_ configuration: Realm.Configuration, _ directory: String) throws {
    let options = configuration.encryptionKey.map { StoreEncryption.key($0) }
    let store = try DynamicStore(directory: directory + "/every", encryption: options)
    #expect(try store.check().problems == [])
    store.close()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory).allSatisfy { !$0.contains("importing") }
    )
  }

  @Test("Objects with every type of property come back without a difference", arguments: [nil, key])
  func everything(key: Data?) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    try ToolStores.withDirectory { directory in
      let full = EveryType.Repository(directory: directory, name: "full")
      var values = EveryTypeValues(seed: seed)
      try values.fill(full, objects: 60)
      #expect(try full.check().problems == [])
      full.close()
      let lines = ToolRun("export", directory + "/full").lines
      let file = try export(lines, counts: counts(of: lines), in: directory)
      let configuration = configuration(in: directory, key: key)
      #expect(try Realm.importObjects(from: file, configuration: configuration), "seed \(seed)")
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(EveryType.Everything.self).count == counts(of: lines)["Everything"])
      realm.close()
      if key == nil { #expect(ToolRun("export", directory + "/every").lines == lines, "seed \(seed)") }
      #expect(try !Realm.importObjects(from: file, configuration: configuration))
      try check(configuration, directory)
    }
  }

  private static let handMade = [
    #"""
    {"$type":"Compound","name":"a","id":"F1EF0000-0000-4000-8000-00000000000B","year":2024,"note":null}
    """#,
    #"""
    {"$type":"Numbered","$key":1,"name":"one","next":2}
    """#,
    #"""
    {"$type":"Numbered","$key":2,"name":"two","next":1}
    """#,
    #"""
    {"$type":"Everything","id":1,"bool":true,"int8":-8,"int16":-16,"int32":-32,"int":9007199254740993,"float":0.1,"double":0.1,\
    "string":"text \"quoted\" ü","data":"AP8=","date":"2024-02-29T12:30:00.125Z",\
    "uuid":"F1EF0000-0000-4000-8000-00000000000B","objectId":"507f1f77bcf86cd799439011","decimal":"12.5","any":7,\
    "maybeBool":false,"maybeInt8":1,"maybeInt":2,"maybeFloat":"NaN","maybeDouble":"-Infinity","maybeString":"",\
    "maybeData":"","maybeDate":"2001-01-01T00:00:00Z","maybeUUID":"F1EF0000-0000-4000-8000-00000000000C",\
    "maybeObjectId":"507f1f77bcf86cd799439012","maybeDecimal":"-0.01","other":2,"numbered":2,\
    "compound":["a","F1EF0000-0000-4000-8000-00000000000B",2024],\
    "part":{"name":"p","amounts":["1","2.5"],"link":["a","F1EF0000-0000-4000-8000-00000000000B",2024],\
    "inner":{"name":"q","amounts":[],"link":null,"inner":null}},\
    "ints":[3,1,2],"maybeStrings":["a",null],"dates":["2024-02-29T12:30:00Z"],"strings":["a","b"],\
    "doubles":{"a":1.5},"maybeDatas":{"a":null,"b":"AQ=="},\
    "values":[null,true,1,1.5,"text",{"$date":"2024-02-29T12:30:00Z"},{"$data":"AQ=="},\
    {"$uuid":"F1EF0000-0000-4000-8000-00000000000B"},{"$objectId":"507f1f77bcf86cd799439011"},{"$decimal":"1"},{"$float":1.5},\
    [1,"two"],{"$dictionary":{"key":3}},{"$object":{"type":"Numbered","key":1}}],\
    "parts":[{"name":"r","amounts":[],"link":null,"inner":null}],"others":[2,1,2],\
    "compounds":[["a","F1EF0000-0000-4000-8000-00000000000B",2024]],"numberedByName":{"one":1,"two":null}}
    """#,
    #"""
    {"$type":"Everything","id":2,"bool":false,"int8":0,"int16":0,"int32":0,"int":0,"float":0.0,"double":0.0,"string":"","data":"",\
    "date":"2001-01-01T00:00:00Z","uuid":"F1EF0000-0000-4000-8000-00000000000D","objectId":"507f1f77bcf86cd799439013","decimal":"0",\
    "any":null,"maybeBool":null,"maybeInt8":null,"maybeInt":null,"maybeFloat":null,"maybeDouble":null,"maybeString":null,\
    "maybeData":null,"maybeDate":null,"maybeUUID":null,"maybeObjectId":null,"maybeDecimal":null,"other":null,"numbered":null,\
    "compound":null,"part":null,"ints":[],"maybeStrings":[],"dates":[],"strings":[],"doubles":{},"maybeDatas":{},"values":[],\
    "parts":[],"others":[],"compounds":[],"numberedByName":{}}
    """#,
  ]

  @Test("A hand-made export of every type of property is exported again as it was")
  func handMade() throws {
    // Without the line breaks of this source.
    let lines = Self.handMade.map { $0.replacing("\\\n", with: "").replacing("\n", with: "") }
    try ToolStores.withDirectory { directory in
      // Objects come before those that they link, too.
      let file = try export([3, 4, 1, 2, 0].map { lines[$0] }, counts: counts(of: lines), in: directory)
      let configuration = configuration(in: directory)
      #expect(try Realm.importObjects(from: file, configuration: configuration))
      #expect(ToolRun("export", directory + "/every").lines.sorted() == lines.sorted())
      try check(configuration, directory)
    }
  }

  private var circle: [String] {
    (1...2500).map { #"{"$type":"Numbered","$key":\#($0),"name":"n\#($0)","next":\#($0 % 2500 + 1)}"# }
  }

  @Test("An interrupted import is finished by the next call, and the store cannot be opened before")
  func interruption() throws {
    try ToolStores.withDirectory { directory in
      let file = try export(circle, counts: ["Numbered": 2500], in: directory)
      let configuration = configuration(in: directory)
      for _ in 0..<2 {
        #expect(throws: Interruption.self) {
          try Realm.importObjects(from: file, configuration: configuration) { _ in throw Interruption() }
        }
        let error = #expect(throws: FiefError.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.hasPrefix("An import into the store is not complete") == true)
      }
      #expect(try Realm.importObjects(from: file, configuration: configuration))
      let realm = try Realm(configuration: configuration)
      let objects = realm.objects(EveryType.Numbered.self)
      #expect(objects.count == 2500)
      #expect(objects.where { $0.name == "n2500" }.first?.next?.name == "n1")
      #expect(objects.where { $0.next == nil }.isEmpty)
      realm.close()
      try check(configuration, directory)
    }
  }

  #if os(Linux)
    /// A forked child process has a copy of each descriptor until its exec.
    @Test("A child process that is being started does not keep the lock of an import")
    func inheritedLock() throws {
      try ToolStores.withDirectory { directory in
        let file = try export(circle, counts: ["Numbered": 2500], in: directory)
        let configuration = configuration(in: directory)
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        #expect(throws: Interruption.self) {
          try Realm.importObjects(from: file, configuration: configuration) { _ in
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
              let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
              guard target?.hasPrefix(directory) == true, target?.hasSuffix(".importing.lock") == true,
                let descriptor = Int32(name)
              else { continue }
              copies.append(dup(descriptor))
              // The number of the listing's own descriptor now is the copy's.
              break
            }
            throw Interruption()
          }
        }
        #expect(copies.count == 1)
        #expect(try Realm.importObjects(from: file, configuration: configuration))
        try check(configuration, directory)
      }
    }
  #endif

  @Test("Another export begins again")
  func anotherExport() throws {
    try ToolStores.withDirectory { directory in
      let configuration = configuration(in: directory)
      let first = try export(circle, counts: ["Numbered": 2500], in: directory)
      #expect(throws: Interruption.self) {
        try Realm.importObjects(from: first, configuration: configuration) { _ in throw Interruption() }
      }
      let second = try export(
        [circle[0]] + [circle[1].replacing("3", with: "1")],
        counts: ["Numbered": 2],
        in: directory
      )
      #expect(try Realm.importObjects(from: second, configuration: configuration))
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(EveryType.Numbered.self).count == 2)
      realm.close()
      try check(configuration, directory)
    }
  }

  @Test(
    "An export that is not complete, or does not fit the classes, leaves no store",
    arguments: [
      ([#"{"$type":"Everything","id":1}"#], ["Everything": 2], "does not have all objects"),
      ([#"{"$type":"Everything","id":1}"#], ["Everything": 1, "Cat": 1], "does not have all objects"),
      ([#"{"$type":"Everything","id":"one"}"#], ["Everything": 1], "do not fit"),
      ([#"{"$type":"Everything","id":1,"date":5}"#], ["Everything": 1], "do not fit"),
      ([#"{"$type":"Everything","id":1,"other":2}"#], ["Everything": 1], "do not fit"),
      ([#"{"$type":"Cat","id":1}"#], ["Cat": 1], "do not fit"),
    ]
  )
  func wrongExports(lines: [String], counts: [String: Int], message: String) throws {
    try ToolStores.withDirectory { directory in
      let file = try export(lines, counts: counts, in: directory)
      let configuration = configuration(in: directory)
      let error = #expect(throws: FiefError.self) {
        try Realm.importObjects(from: file, configuration: configuration)
      }
      #expect(error?.code == .validationFailed)
      #expect(error?.message.contains(message) == true)
      let exists = Realm.fileExists(for: configuration)
      #expect(!exists)
    }
  }

  @Test("A store that was created without objects is refused, and a store that was imported is not")
  func existingStores() throws {
    try ToolStores.withDirectory { directory in
      let file = try export([#"{"$type":"Everything","id":1}"#], counts: ["Everything": 1], in: directory)
      let configuration = configuration(in: directory)
      let empty = try Realm(configuration: configuration)
      for _ in 0..<2 {
        let error = #expect(throws: FiefError.self) {
          try Realm.importObjects(from: file, configuration: configuration)
        }
        #expect(error?.code == .validationFailed)
        #expect(error?.message.hasPrefix("The store exists without objects") == true)
        empty.close()
      }
      #expect(try Realm.deleteFiles(for: configuration))
      #expect(try Realm.importObjects(from: file, configuration: configuration))
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(EveryType.Everything.self).count == 1)
      try realm.write { realm.deleteAll() }
      // The user has deleted the objects; they do not come back.
      #expect(try !Realm.importObjects(from: file, configuration: configuration))
      realm.close()
      #expect(try !Realm.importObjects(from: file, configuration: configuration))
      try check(configuration, directory)
    }
  }

  // If two managers have the default store at once, Fief reports `ambiguousRepository`.
  @Test(
    "The default store is filled where a manager keeps it, and opened from there",
    .serialized,
    arguments: [nil, key]
  )
  func managedDefault(key: Data?) throws {
    try ToolStores.withDirectory { directory in
      let file = try export(circle, counts: ["Numbered": 2500], in: directory)
      var configuration = configuration(in: directory, key: key)
      configuration.fileURL = Realm.Configuration.defaultFileURL
      // Only the library can name the repository of a configuration.
      let repository = try ConfiguredRepository(configuration)
      let manager = StoreManager(directory: directory + "/managed", repositories: [repository])
      defer { manager.close() }
      try FileManager.default.createDirectory(
        atPath: directory + "/managed",
        withIntermediateDirectories: true
      )
      #expect(throws: Interruption.self) {
        try Realm.importObjects(from: file, configuration: configuration) { _ in throw Interruption() }
      }
      let unfinished = #expect(throws: FiefError.self) { try Realm(configuration: configuration) }
      #expect(unfinished?.code == .cannotOpen && unfinished?.path == directory + "/managed/default")
      #expect(try Realm.importObjects(from: file, configuration: configuration))
      let realm = try Realm(configuration: configuration)
      #expect(realm.directory == directory + "/managed/default")
      #expect(realm.objects(EveryType.Numbered.self).count == 2500)
      #expect(try repository.check().problems == [])
      realm.close()
      #expect(try !Realm.importObjects(from: file, configuration: configuration))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/managed") == ["default"])
    }
  }

  @Test("The tool imports an export too, and reports one that is not complete")
  func tool() throws {
    try ToolStores.withDirectory { directory in
      let repository = EveryType.Repository(directory: directory, name: "every")
      let objects = try repository.objects(EveryType.Everything.self)
      let lines = (1...3).map { #"{"$type":"Everything","id":\#($0)}"# }
      let wrong = try export(lines, counts: ["Everything": 4], in: directory)
      let run = ToolRun("import", directory + "/every", "-i", wrong.path, "--on-conflict", "replace")
      #expect(run.status == .failed)
      #expect(run.errors == "line 5: the end of the export counts 4 objects, but there are 3\n")
      let right = try export(lines, counts: ["Everything": 3], in: directory)
      #expect(
        ToolRun("import", directory + "/every", "-i", right.path, "--on-conflict", "replace").status == .done
      )
      let cut = #"{"$export":"\#(UUID().uuidString)"}"# + "\n" + lines[0]
      let end = ToolRun(["import", directory + "/every", "--on-conflict", "replace"], input: cut)
      #expect(end.errors == "line 2: the export ends before its last line\n")
      #expect(objects.count == 3)
      #expect(try repository.check().problems == [])
      repository.close()
    }
  }

  @Test("A file that was cut off, or is no export, is refused")
  func cutOff() throws {
    try ToolStores.withDirectory { directory in
      let file = URL(filePath: directory).appending(path: "export.jsonl")
      let configuration = configuration(in: directory)
      try Data(#"{"$export":"F1EF0000-0000-4000-8000-00000000000B"}"#.utf8).write(to: file)
      let cut = #expect(throws: FiefError.self) {
        try Realm.importObjects(from: file, configuration: configuration)
      }
      #expect(cut?.code == .validationFailed)
      try Data(#"{"$type":"Everything","id":1}"#.utf8).write(to: file)
      let none = #expect(throws: FiefError.self) {
        try Realm.importObjects(from: file, configuration: configuration)
      }
      #expect(none?.code == .malformedJSON)
    }
  }
}
