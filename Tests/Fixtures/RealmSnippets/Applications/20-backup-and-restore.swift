import FiefRealm
import Foundation

struct BackupService {
  func backUp(to url: URL) throws {
    let realm = try Realm()
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    try realm.writeCopy(toFile: url)
  }

  func restore(from url: URL) throws {
    guard let target = Realm.Configuration.defaultConfiguration.fileURL else { return }
    let backup = try Realm(configuration: .init(fileURL: url, readOnly: true))
    print(backup.isEmpty)
    _ = try FileManager.default.replaceItemAt(target, withItemAt: url)
  }
}
