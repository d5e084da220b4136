import FiefRealm
import Foundation

class Player: Object {
  @Persisted var name = ""
  @Persisted var points = 0
}

class PlayerView: Projection<Player> {
  @Projected(\Player.name) var name
  @Projected(\Player.points) var score
}

func watch(_ realm: Realm) -> NotificationToken? {
  realm.objects(PlayerView.self).first?.observe(keyPaths: [\PlayerView.name]) { change in
    switch change {
    case .change(let object, let properties):
      print(object.name, properties.map { $0.name })
    case .deleted:
      print("gone")
    case .error(let error):
      print(error)
    }
  }
}
