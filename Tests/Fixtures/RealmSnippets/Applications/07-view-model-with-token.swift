import FiefRealm
import Foundation

class Message: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var text = ""
  @Persisted var sentAt = Date()
}

@MainActor
final class ChatViewModel {
  private var token: NotificationToken?
  private(set) var messages: [Message] = []
  var onChange: (() -> Void)?

  init(realm: Realm) {
    let results = realm.objects(Message.self).sorted(byKeyPath: "sentAt")
    token = results.observe { [weak self] _ in
      self?.messages = Array(results)
      self?.onChange?()
    }
  }

  deinit {
    token?.invalidate()
  }
}
