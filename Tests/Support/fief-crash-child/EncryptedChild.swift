import Fief
import FiefEncryption
import Foundation
import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process beside one that changes the key of a store: it writes objects of the class `Secret` to it, and reads them all.
///
/// It says `open`, `saved` with the number of each object, `error` with the code of each error, `wrong` for each object that has
/// another text than its own, and `after` once it has saved three more since a file with the name `after` was there.
struct EncryptedChild {
  private let directory: String
  /// The byte of the key; 0 for a store in clear.
  private let key: UInt8
  private var id: Int

  private init(_ directory: String, key: UInt64, from id: UInt64) {
    self.directory = directory
    self.key = UInt8(truncatingIfNeeded: key)
    self.id = Int(id)
  }

  private func open() throws -> DynamicStore {
    try DynamicStore(
      directory: directory + "/vault",
      isReadOnly: false,
      encryption: key == 0 ? nil : .key(Data(repeating: key, count: 32))
    )
  }

  /// Has the store open until it is killed.
  static func stay(_ directory: String, key: UInt64, from id: UInt64) {
    var child = EncryptedChild(directory, key: key, from: id)
    do {
      let store = try child.open()
      Child.say("open 1\n")
      var left = 3
      while true {
        let isAfter = access(directory + "/after", F_OK) == 0
        child.use(store)
        if isAfter { left -= 1 }
        if left == 0 { Child.say("after 1\n") }
        usleep(1_000)
      }
    } catch { report(error) }
  }

  /// Opens the store, uses it and closes it, again and again until the file `after` is there.
  static func comeAndGo(_ directory: String, key: UInt64, from id: UInt64) {
    var child = EncryptedChild(directory, key: key, from: id)
    while access(directory + "/after", F_OK) != 0 {
      do {
        let store = try child.open()
        child.use(store)
        store.close()
      } catch { report(error) }
      // Now and then it leaves the time for a copy.
      usleep(UInt32(child.id &* 7919 % 150) * 1_000)
    }
    Child.say("end 1\n")
  }

  /// Removes the last object of the class without the key, with its entry in the index.
  static func attack(_ directory: String) {
    do {
      let environment = try LMDB.Environment.open(
        directory: directory + "/vault",
        options: EnvironmentOptions()
      )
      let names = try environment.read { try $0.databaseNames() }
      for name in names where name.hasPrefix("type:") || name.hasPrefix("index:") {
        guard let tree = try environment.openDatabase(named: name) else { continue }
        try environment.write { transaction in
          let cursor = try transaction.cursor(tree)
          if try cursor.last() { try cursor.delete() }
        }
      }
      environment.close()
      Child.say("end 1\n")
    } catch { report(error) }
  }

  private static func report(_ error: any Error) {
    let code = (error as? FiefError)?.code.rawValue ?? "untyped"
    Child.say("error \(code) \(error)".split(separator: "\n").joined(separator: " ") + "\n")
  }

  private mutating func use(_ store: DynamicStore) {
    id += 1
    do {
      try store.write {
        _ = try $0.put("Secret", ["id": id, "text": "text \(id)", "bytes": Data(), "rank": 0])
      }
      Child.say("saved \(id)\n")
      // All of it takes long, and between times the store is open for a moment only.
      guard id % 4 == 0 else { return }
      try store.forEach(ofType: "Secret") { object in
        guard let id = try object.value(of: "id") as? Int, let text = try object.value(of: "text") as? String,
          text == "text \(id)"
        else { return Child.say("wrong \(try object.json())\n") }
      }
    } catch { Self.report(error) }
  }
}
