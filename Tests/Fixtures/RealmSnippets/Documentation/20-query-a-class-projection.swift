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

func example() throws {
  let realm = try Realm()
  let all = realm.objects(PlayerView.self)
  let best = all.where { $0.score > 100 }
  let ada = all.filter("name == 'Ada'").first
  print(best.count, ada?.score ?? 0)
}
