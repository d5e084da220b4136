import FiefRealm
import Foundation

final class SessionController {
  var realm: Realm?

  func logOut() {
    realm?.invalidate()
    try? realm?.write { realm?.deleteAll() }
    realm = nil
    guard let url = Realm.Configuration.defaultConfiguration.fileURL else { return }
    let files = [url, url.appendingPathExtension("lock"), url.appendingPathExtension("management")]
    for file in files {
      try? FileManager.default.removeItem(at: file)
    }
  }
}
