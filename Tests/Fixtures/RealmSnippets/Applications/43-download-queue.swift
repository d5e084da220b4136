import FiefRealm
import Foundation

enum DownloadState: Int, PersistableEnum, CaseIterable {
  case waiting, running, finished, failed
}

class Download: Object {
  @Persisted(primaryKey: true) var url: String
  @Persisted var state = DownloadState.waiting
  @Persisted var progress: Float = 0
}

final class DownloadQueue {
  private let realm: Realm
  init() throws { realm = try Realm() }

  func next() -> Download? {
    realm.objects(Download.self).where { $0.state == .waiting }.first
  }

  func failed() -> Int { realm.objects(Download.self).filter("state == %@", DownloadState.failed.rawValue).count }

  func mark(_ download: Download, _ state: DownloadState) {
    realm.writeAsync({ download.state = state }) { error in if let error { print(error) } }
  }
}
