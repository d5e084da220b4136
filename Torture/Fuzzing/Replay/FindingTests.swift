import Fief
import Foundation
import LMDB
import Testing

/// What the fuzzers have found, as an application meets it.
@Suite struct FindingTests {
  /// The count of a large set or map has no checksum.
  @Test(arguments: [
    [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
  ])
  func aCountOfALargeSetThatCannotBeIsAnError(count: [UInt8]) throws {
    let name = "count-\(count.count)"
    let repository = FuzzedRepository(name: name, realmMemoryType: .inStorage)
    try repository.write { transaction in
      let thing = FuzzedThing(value: ["id": "a"])
      thing.tags.insert(objectsIn: (0..<3000).map { "tag \($0)" })
      try transaction.add(thing)
    }
    repository.close()
    let directory = "\(FuzzPlace.directory)/\(name)"
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    try environment.write { transaction in
      let tree = try transaction.openDatabase(named: "fief:collections")
      let cursor = try transaction.cursor(tree)
      var keys: [[UInt8]] = []
      // The count of a set is behind a prefix of 14 bytes, a 0 and the number 0.
      while try cursor.next() {
        if cursor.key.count == 23, cursor.key[14] == 0 { keys.append([UInt8](cursor.key)) }
      }
      #expect(keys.count == 1)
      for key in keys {
        try key.withUnsafeBytes { key in try count.withUnsafeBytes { try transaction.put(tree, key, $0) } }
      }
    }
    environment.close()
    let store = try DynamicStore(directory: directory)
    let error = #expect(throws: FiefError.self) {
      try store.read { snapshot in try snapshot.forEach(ofType: "FuzzedThing") { _ = try $0.values() } }
    }
    store.close()
    #expect(error?.code == .damagedRecord)
    #expect(try repository.check().problems.isEmpty == false)
    repository.close()
  }
}
