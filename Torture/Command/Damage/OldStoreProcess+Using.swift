import Fief
import FiefTorture

/// The use of a damaged store, by its catalogue or migrated.
extension OldStoreProcess {
  func use(_ round: Int, _ seed: Int, isControl: Bool, _ answers: inout AnswerCount) throws {
    let store = stores[round % stores.count]
    var random = TortureRandom(seed: seed &* 1_000_003 &+ round)
    var files = store.files
    var place = store.name
    // The number of the round of this store: each kind of damage comes to each store. How it is used then is left to chance.
    let number = round / stores.count
    if isControl {
      place += " an object was deleted"
    } else if number % 8 == 7 {
      place += " " + StoreFiles.damageFile("store.manifest", of: &files, &random)
    } else {
      place += " " + StoreFiles.damageData(of: &files, number - number / 8, seed: seed, &random)
    }
    say("round \(round) \(place)")
    let path = try put(files, store.domain)
    if Self.changesKeysOnly(files, of: store.files) { answers.uncovered = store.uncovered }
    defer { answers.uncovered = .none }
    do {
      let use = random.next(4)
      if use % 2 == 0 {
        try useByCatalogue(store, path, place, isControl: isControl, &answers)
      } else {
        try useMigrated(store, path, place, isWhole: use / 2 % 2 == 0, isControl: isControl, &answers)
      }
    } catch let error as FiefError {
      answers.judgeOpening(error, "round \(round) \(place)", allowed: ["formatTooNew", "formatTooOld"])
    }
  }

  /// Whether damage has changed only keys of records or of entries, and room that no page uses. The checksums of records cover their
  /// keys from format 6 on.
  private static func changesKeysOnly(_ files: [String: [UInt8]], of healthy: [String: [UInt8]]) -> Bool {
    guard let bytes = files["data.mdb"], let former = healthy["data.mdb"], bytes.count == former.count,
      bytes != former
    else { return false }
    return bytes.indices.allSatisfy { bytes[$0] == former[$0] || UncheckedBytes.contain($0, of: former) }
  }

  private func useByCatalogue(
    _ store: OldStore,
    _ path: String,
    _ place: String,
    isControl: Bool,
    _ answers: inout AnswerCount
  ) throws {
    if isControl { try Self.changeSilently(path) }
    try Self.withStore(path) { damaged in
      answers.judge(store.old, of: damaged, right: store.oldAnswers, moment: "")
      answers.finish(place) {
        let isWhole = try damaged.check().isConsistent
        try damaged.verifyStructure()
        return isWhole
      }
    }
  }

  private func useMigrated(
    _ store: OldStore,
    _ path: String,
    _ place: String,
    isWhole: Bool,
    isControl: Bool,
    _ answers: inout AnswerCount
  ) throws {
    try migrate(store.domain, isWhole: isWhole)
    if isControl { try Self.changeSilently(path) }
    try Self.withStore(path, isReadOnly: false) { damaged in
      answers.judge(store.newest, of: damaged, right: store.newestAnswers[0], moment: ", migrated")
      let changes = store.newest.change(damaged)
      var areDone = true
      for (number, (answer, right)) in zip(changes, store.newestAnswers[1]).enumerated() {
        answers.judge("change \(number)", answer, right: right, store.newest.known)
        areDone = areDone && answer == right
      }
      if areDone {
        answers.judge(
          store.newest,
          of: damaged,
          right: store.newestAnswers[2],
          moment: ", changed",
          isAfterWrite: true
        )
      }
      answers.finish(place + ", migrated") { try damaged.check().isConsistent }
    }
  }

  /// Deletes an object by a write: the defect of the control.
  private static func changeSilently(_ path: String) throws {
    try withStore(path, isReadOnly: false) { store in
      for type in store.types where !type.isEmbedded {
        var key: ObjectKey?
        try store.forEach(ofType: type.name, limit: 1) { key = $0.key }
        guard let key, (try? store.write { try $0.delete(type.name, forKey: key) }) == true else { continue }
        return
      }
    }
  }
}
