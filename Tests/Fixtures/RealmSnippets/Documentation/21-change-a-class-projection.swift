import FiefRealm
import Foundation

class Player: Object {
  @Persisted var name = ""
}

class PlayerView: Projection<Player> {
  @Projected(\Player.name) var title
}

func example() throws {
  let realm = try Realm()
  guard let view = realm.objects(PlayerView.self).first(where: { $0.title == "Ada" }) else { return }
  try realm.write {
    view.title = "Ada L."
  }
}
