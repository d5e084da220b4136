import Fief
import FiefTorture
import Foundation

/// Files that may not become larger.
extension LimitProcess {
  /// - Parameter ignoresSignal: whether the process ignores the signal that the system sends for a file that becomes too
  ///   large; otherwise it would end the process.
  func limitFileSize(ignoresSignal: Bool) throws {
    try prepare(items: 100, bytes: 10_000)
    signal(SIGXFSZ, ignoresSignal ? SIG_IGN : SIG_DFL)
    let data = "\(stores.directory)/first/data.mdb"
    for step in 0..<16 {
      stores.repository().close()
      let size = try FileManager.default.attributesOfItem(atPath: data)[.size] as? Int ?? 0
      // Not a multiple of a page: the last write before the limit is a short one.
      let more = step == 0 ? 0 : (16 << 10) << step / 2 + step % 2 * 1_000
      say("doing with files of at most \(size) + \(more) bytes")
      try ProcessLimit.fileSize.set(size + more)
      let isDone = useStores([.storeFull, .blockedByUnfinishedWrite], bytes: 50_000)
      // Where the limit came when the reserve was used up there is no room for a deletion either.
      try delete([.storeFull, .blockedByUnfinishedWrite])
      try ProcessLimit.fileSize.set(nil)
      stores.verify("after files of at most \(size) + \(more) bytes", reopening: step % 3 == 0)
      if isDone {
        stores.count("bytes more with which all is done", more)
        return try fillAndFree(data)
      }
    }
    stores.wrong("four megabytes more are not enough")
  }

  /// Fills a file that may not become larger than it will be; deletions work then, and saves after them.
  private func fillAndFree(_ data: String) throws {
    say("doing deletions in a file that may not grow")
    stores.repository().close()
    let size = try FileManager.default.attributesOfItem(atPath: data)[.size] as? Int ?? 0
    try ProcessLimit.fileSize.set(size + 2_000_000)
    var isDone = true
    for _ in 0..<200 where isDone {
      let id = stores.nextID()
      isDone = stores.attempt("save until the file is full", [.storeFull], saving: [id]) {
        try stores.repository().saveAndWait(entity: LimitedStores.item(id, bytes: 20_000))
      }
    }
    if isDone { stores.wrong("a file that may not grow has room for four megabytes") }
    for _ in 0..<60 { try delete([]) }
    let id = stores.nextID()
    stores.attempt("save after deletions", [], saving: [id]) {
      try stores.repository().saveAndWait(entity: LimitedStores.item(id))
    }
    try ProcessLimit.fileSize.set(nil)
    stores.verify("after a file that might not grow", reopening: true)
  }

  private func delete(_ codes: Set<FiefError.Code>) throws {
    let id = stores.anyAcknowledged()
    let isDone = stores.attempt("deletion", codes) {
      try stores.repository().deleteAndWait(ofType: TortureItem.self, forPrimaryKeys: [id])
    }
    if isDone { stores.withdraw(id) }
  }
}
