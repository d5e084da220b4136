import FiefRealm
import Foundation

final class Screen {
  var token: NotificationToken?
  func reload() {}

  func start() throws {
    let realm = try Realm()
    token = realm.observe { [weak self] notification, realm in
      if notification == .didChange, !realm.isEmpty {
        self?.reload()
      }
    }
  }

  func stop() {
    token?.invalidate()
  }
}
