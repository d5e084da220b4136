import FiefRealm
import Foundation

class Episode: Object {
  @Persisted(primaryKey: true) var guid = ""
  @Persisted var title = ""
  @Persisted var published: Date?
}

final class EpisodesDataSource: NSObject {
  var episodes: Results<Episode>!
  var token: NotificationToken?
  var onReload: (() -> Void)?
  var onRows: (([Int], [Int], [Int]) -> Void)?

  func bind() {
    episodes = try! Realm().objects(Episode.self).sorted(byKeyPath: "published", ascending: false)
    token = episodes.observe { [unowned self] changes in
      switch changes {
      case .initial: onReload?()
      case .update(_, let deletions, let insertions, let modifications): onRows?(deletions, insertions, modifications)
      case .error: break
      }
    }
  }

  func numberOfRows() -> Int { episodes.count }
  func row(_ path: IndexPath) -> Episode { episodes[path[1]] }
}
