import FiefRealm
import Foundation

func example() {
  var key = Data(count: 64)
  _ = key.withUnsafeMutableBytes { (pointer: UnsafeMutableRawBufferPointer) in
    for index in pointer.indices { pointer[index] = UInt8.random(in: 0...255) }
  }
  let config = Realm.Configuration(encryptionKey: key)
  do {
    let realm = try Realm(configuration: config)
    print(realm.configuration.encryptionKey?.count ?? 0)
  } catch {
    print("wrong key: \(error)")
  }
}
