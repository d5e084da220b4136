import FiefRealm
import Foundation

class Score: Object {
  @Persisted var points = 0
}

@MainActor
final class ScoreModel {
  private let realm: Realm
  private(set) var scores: Results<Score>
  private var tokens = [NotificationToken]()
  var changed: (Int) -> Void = { _ in }

  init() throws {
    realm = try Realm()
    scores = realm.objects(Score.self)
    tokens.append(realm.observe { [weak self] _, _ in self?.refresh() })
    tokens.append(scores.observe(keyPaths: ["points"]) { [weak self] _ in self?.refresh() })
  }

  func refresh() { changed(scores.sum(of: \.points)) }
  func stop() { tokens.removeAll() }
}
