import FiefRealm
import Foundation

class Video: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var bytes: Int64 = 0
}

final class SizeCalculator {
  func size(of videos: Results<Video>, completion: @escaping @Sendable (Int64) -> Void) {
    let frozen = videos.freeze()
    DispatchQueue.global().async {
      let total = frozen.reduce(0) { $0 + $1.bytes }
      DispatchQueue.main.async { completion(total) }
    }
  }

  func delete(_ video: Video) throws {
    guard let live = video.isFrozen ? video.thaw() : video, let realm = live.realm else { return }
    try realm.write { realm.delete(live) }
  }
}
